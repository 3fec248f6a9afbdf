/* SPDX-License-Identifier: Apache-2.0 */
/* Devices and memory that are not there. */
#include "command.h"
#include "process/sanitized.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

TestSuite(device, SCRATCH);

static outcome run_on(const char *device)
{
    return RUN("--plugin", "life", "--size", "64x64", "--steps", "2", "--json", "--quiet", "--seed", "3", "--device",
               device, "--checkpoint", scratch("out"));
}

/* Whether this machine has what CUDA needs is for it to say; both answers are tested. */
Test(device, a_gpu_that_is_not_there)
{
    const outcome o = run_on("cuda");
    if (o.status == MASS_OK) {
        cr_assert_not_null(strstr(o.out, "\"device\": \"cuda:0\""), "%s", o.out);
    } else {
        REFUSED(o, MASS_NO_DEVICE, "use --device cpu");
        cr_assert_not(file_exists(scratch("out")), "a folder was made for nothing");
    }
}

Test(device, a_gpu_with_a_number_that_no_machine_has)
{
    static const char *const names[] = {"cuda:777", "cuda:99999999999999999999"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const outcome o = run_on(names[i]);
        assert_refused(&o, MASS_NO_DEVICE, (const char *const[]){NULL});
        if (!strstr(o.err, "use --device cpu")) cr_assert_not_null(strstr(o.err, "there is no cuda:"), "%s", o.err);
    }
    cr_assert_not(file_exists(scratch("out")));
}

Test(device, more_gpus_than_ranks)
{
    REFUSED(RUN("--plugin", "life", "--steps", "2", "--quiet", "--ranks", "1", "--device", "cuda:3,1"), MASS_BAD_USAGE,
            "--device cuda:3,1 names 2 GPUs for 1 rank on this host, with one GPU each");
}

Test(device, unknown_names)
{
    static const char *const names[] = {"gpu", "CPU", "cuda:", "cuda:x", "cuda0", "cpu:1", "cuda:0,",
                                        "cuda:-1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        REFUSED(run_on(names[i]), MASS_BAD_USAGE, names[i], "auto", "cpu", "paranoid", "cuda");
    cr_assert_not(file_exists(scratch("out")));
}

Test(device, auto_takes_one_that_works)
{
    outcome o = run_on("auto"), other = run_on("cpu");
    cr_assert_str_empty(o.err);
    cr_assert_str_eq(outcome_hash(&o, 0), outcome_hash(&other, 0));
}

Test(device, paranoid_gives_the_same_bits)
{
    const outcome o = run_on("paranoid"), other = run_on("cpu");
    cr_assert_str_eq(outcome_hash(&o, 0), outcome_hash(&other, 0));
    cr_assert_not_null(strstr(o.out, "\"device\": \"paranoid\""));
}

Test(device, paranoid_refuses_a_NaN_that_is_not_the_canonical_one)
{
    REFUSED(RUN("--plugin", bad_plugin("odd-nan"), "--seed", "1", "--device", "paranoid"), MASS_BAD_PLUGIN,
            "callback spoil, field value, step 2: it is a NaN", "at place (3, 0) of world 0",
            "mass_canonical_f32 or _f64");
    REFUSED(RUN("--plugin", bad_plugin("odd-nan-agents"), "--seed", "1", "--device", "paranoid"), MASS_BAD_PLUGIN,
            "callback spoil, field value, agent ", ", step 2: it is a NaN", "mass_canonical_f32 or _f64");
    DONE(RUN("--plugin", bad_plugin("odd-nan"), "--steps", "1", "--device", "paranoid"));
    DONE(RUN("--plugin", bad_plugin("odd-nan-agents"), "--steps", "1", "--device", "paranoid"));
}

Test(device, an_instruction_set_that_is_not_there)
{
    cr_assert_eq(setenv("MASS_ISA", "avx1024", 1), 0);
    REFUSED(run_on("cpu"), MASS_BAD_USAGE, "MASS_ISA=avx1024", "base");
}

Test(device, memory_that_is_not_there)
{
    REFUSED(RUN("--plugin", "life", "--size", "2000000x2000000", "--checkpoint", scratch("out"), "--device", "cpu"),
            MASS_NO_DEVICE, "life needs", "TiB", "cpu has", "free", "use a space of at most");
    REFUSED(RUN("--plugin", "life", "--size", "4096x4096", "--worlds", "1000000", "--device", "cpu"), MASS_NO_DEVICE,
            "life needs", "TiB", "use");
    REFUSED(RUN("--plugin", "heat", "--size", "20000x20000x20000", "--set", "heat=1", "--set", "heat_steps=0",
                "--set", "materials=1", "--device", "cpu"), MASS_NO_DEVICE, "heat needs", "TiB");
    cr_assert_not(file_exists(scratch("out")));
}

#if !MASS_SANITIZED /* which needs terabytes of addresses */
static void take_a_gibibyte(void)
{
    setrlimit(RLIMIT_AS, &(const struct rlimit){(rlim_t)1 << 30, (rlim_t)1 << 30});
}

Test(device, memory_that_is_there_and_not_given)
{
    REFUSED(RUN_WITH(IN(.prepare = take_a_gibibyte), "--plugin", "life", "--size", "40000x40000", "--steps", "1",
                     "--threads", "1", "--device", "cpu", "--checkpoint", scratch("out")), MASS_NO_DEVICE, "cpu has",
            "MiB free", "use a space of at most");
    cr_assert_not(file_exists(scratch("out")));
}
#endif

#if !MASS_SANITIZED
/* Ghosts for so many steps take 16 times what the state of small worlds does. */
Test(device, memory_that_steps_in_one_pass_do_not_get)
{
#define HEATED(...) RUN_WITH(IN(.prepare = take_a_gibibyte), "--plugin", "heat", "--size", "4x4", "--worlds", "50000", \
                             "--steps", "2", "--threads", "1", "--device", "cpu", "--quiet", __VA_ARGS__)
    REFUSED(HEATED("--fuse", "16"), MASS_NO_DEVICE, "heat needs 1.", "GiB for 16 steps in one pass, cpu has ",
            "MiB free: use --fuse 1, which needs ", "MiB");
    const outcome single = HEATED("--fuse", "1"), any = HEATED("--no-overlap");
    DONE(single);
    DONE(any);
#undef HEATED
}
#endif

Test(device, more_threads_than_there_are_processors)
{
    const outcome one = RUN("--plugin", "life", "--size", "65x33", "--steps", "20", "--seed", "3", "--json", "--quiet",
                            "--device", "cpu", "--threads", "1");
    const outcome many = RUN("--plugin", "life", "--size", "65x33", "--steps", "20", "--seed", "3", "--json", "--quiet",
                             "--device", "cpu", "--threads", "1024");
    cr_assert_str_eq(outcome_hash(&one, 0), outcome_hash(&many, 0));
}
