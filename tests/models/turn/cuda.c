/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in turn on a GPU: the same as the loop of one CPU thread. Each run also compares its last state with that of a
 * plain program. */
#include "gpu.h"
#include "same.h"
#include "ways.h"

#include <criterion/criterion.h>
#include <string.h>

Test(turn_cuda, rounds_are_the_loop)
{
    for (int i = 0; i < TURNS; i++) {
        const char *expected = engine_result(turn_options(text("%s --device cpu", turns[i])));
        for (int partitions = 1; partitions <= (turn_is_line(i) ? 1 : 3); partitions++)
            cr_expect_str_eq(engine_result(turn_options(text("%s --device cuda --partitions %d", turns[i],
                                                             partitions))), expected, "%s, %d", turns[i], partitions);
    }
}

Test(turn_cuda, large_spaces_are_the_same)
{
    static const char *const large[] = {
        "--steps 4 --size 700x500 --set hunters=100000 --set prey=40000",
        "--steps 4 --size 400x300 --set hunters=100000 --set prey=20000 --set seats=3 --set radius=2 --set far=2",
        "--steps 3 --size 300x300 --set hunters=30000 --set prey=9000 --set radius=6 --set far=3 --set torus=1",
        "--steps 5 --size 60x50 --set hunters=2500 --worlds 40 --set fertile=2"};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        const char *options = turn_options(text("%s --set compared=0", large[i]));
        cr_expect_str_eq(engine_result(text("%s --device cuda", options)),
                         engine_result(text("%s --device cpu", options)), "%s", large[i]);
    }
}

/* Returns the state's hash of a run that may complain about its model. */
static const char *hash_of(const char *options)
{
    process p = engine_start(options);
    outcome o = engine_finish(&p);
    cr_expect_eq(o.status, 0, "%s: %s", options, o.errors);
    return o.hash;
}

Test(turn_cuda, odd_bodies_are_the_same)
{
    for (int odd = 1; odd <= 6; odd++)
        cr_expect_str_eq(hash_of(turn_options(text("--steps 3 --set odd=%d --device cuda", odd))),
                         hash_of(turn_options(text("--steps 3 --set odd=%d --device cpu", odd))), "%d", odd);
}

Test(turn_cuda, sweeps_go_on_as_if_they_had_not_stopped)
{
    static const char *const ways[] = {"--device cuda", "--device cpu", "--device cuda --partitions 3"};
    const char *options = turn_sweep(), *expected = engine_result(text("%s --steps 12 --device cpu", options));
    for (int w = 0; w < 3; w++) {
        const char *folder = folder_make();
        engine_write(text("%s --steps 5 --checkpoint %s %s", options, folder, ways[w]));
        cr_expect_str_eq(engine_result(text("--plugin '%s/turn.so' --resume %s --steps 12 %s", MASS_TEST_PLUGINS,
                                            checkpoint_path(folder, 5), ways[(w + 1) % 3])), expected, "%s", ways[w]);
    }
}

Test(turn_cuda, worlds_and_checkpoints_change_nothing)
{
    static const char *const attributes[] = {"energy", "trail", NULL};
    const model m = {.options = turn_options("--size 17x12"), .state = "/places/field/grass", .rows = 12, .steps = 15,
                     .population = "hunters", .attributes = attributes};
    const char *plugin = text("--plugin '%s/turn.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{4, "--device cpu"}, {9, text("%s --device cuda", plugin)},
                        {0, text("%s --device cuda --partitions 2", plugin)}};
    expect_same_worlds(&m, "--device cuda", "--device cpu");
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}
