/* Signals end a run with a last checkpoint, or ask for one. The model naps in each step, so that a
 * signal meets it stepping. */
#include "command.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(signals, SCRATCH);

static process start_napping(const char *extra)
{
    return command_start(NULL, ARGUMENTS("--plugin", bad_plugin("shape"), "--set", "nap=10", "--steps", "300",
                                         "--json", "--seed", "9", "--checkpoint", scratch("out"), extra));
}

static json_int_t steps_of(const outcome *o)
{
    return json_integer_value(json_object_get(outcome_json(o), "steps"));
}

static outcome resume(void)
{
    return RUN("--resume", scratch("out"), "--plugin", bad_plugin("shape"), "--json");
}

static const char *uninterrupted(void)
{
    const outcome o = RUN("--plugin", bad_plugin("shape"), "--steps", "300", "--json", "--seed", "9", "--quiet");
    return outcome_hash(&o, 0);
}

static void assert_ends_and_resumes(int number)
{
    process p = start_napping("--checkpoint-every=4");
    command_await_file(&p, scratch("out/ckpt-000000000004.h5"));
    kill(p.id, number);
    const outcome o = command_finish(&p);
    assert_done(&o, MASS_INTERRUPTED);
    const json_int_t steps = steps_of(&o);
    cr_assert(steps >= 4 && steps < 300, "%lld steps", (long long)steps);
    cr_assert(json_is_true(json_object_get(outcome_json(&o), "interrupted")));
    cr_assert(file_exists(scratch(path_of("out/ckpt-%012lld.h5", (long long)steps))));
    const outcome rest = resume();
    cr_assert_str_eq(outcome_hash(&rest, 0), uninterrupted());
}

Test(signals, SIGINT_ends_after_a_last_checkpoint) { assert_ends_and_resumes(SIGINT); }
Test(signals, SIGTERM_ends_after_a_last_checkpoint) { assert_ends_and_resumes(SIGTERM); }

Test(signals, SIGTERM_without_a_checkpoint_folder)
{
    process p = command_start(&(const setting){.folder = scratch("")},
                              ARGUMENTS("--plugin", bad_plugin("shape"), "--set", "nap=50", "--steps", "1000",
                                        "--json", "--quiet"));
    usleep(500000);
    kill(p.id, SIGTERM);
    const outcome o = command_finish(&p);
    assert_done(&o, MASS_INTERRUPTED);
    cr_assert_str_empty(o.err);
    cr_assert_lt(steps_of(&o), 1000);
    cr_assert_eq(folder_count(scratch("")), 0);
}

static void assert_ends_while_loading(int number)
{
    process p = command_start(NULL, ARGUMENTS("--plugin", bad_plugin("linger-in-load"), "--seed", "1", "--json",
                                              "--checkpoint", scratch("out")));
    command_await(&p, "loading");
    kill(p.id, number);
    const outcome o = command_finish(&p);
    assert_done(&o, MASS_INTERRUPTED);
    cr_assert_str_empty(o.out);
    cr_assert_str_eq(o.err, "calls: loading\nmass-engine: calls: interrupted while it was set up: nothing was "
                            "written\n");
    cr_assert_eq(folder_count(scratch("")), 0);
}

Test(signals, SIGINT_ends_a_load) { assert_ends_while_loading(SIGINT); }
Test(signals, SIGTERM_ends_a_load) { assert_ends_while_loading(SIGTERM); }

Test(signals, SIGTERM_ends_the_trial_of_a_plugin)
{
    process p = command_start(NULL, ARGUMENTS("--plugin", bad_plugin("hang-in-step")));
    usleep(500000);
    kill(p.id, SIGTERM);
    REFUSED(command_finish(&p), MASS_INTERRUPTED, "interrupted while it was set up: nothing was written");
}

Test(signals, SIGUSR1_writes_a_checkpoint_and_goes_on)
{
    process p = start_napping("--checkpoint-every=1000");
    command_await_file(&p, scratch("out"));
    kill(p.id, SIGUSR1);
    const outcome o = command_finish(&p);
    cr_assert_str_eq(outcome_hash(&o, 0), uninterrupted());
    cr_assert_eq(folder_count(scratch("out")), 2, "the one asked for and the last");
    unlink(scratch("out/ckpt-000000000300.h5"));
    const outcome rest = resume();
    cr_assert_str_eq(outcome_hash(&rest, 0), uninterrupted());
}

Test(signals, SIGUSR1_without_a_checkpoint_folder)
{
    process p = command_start(NULL, ARGUMENTS("--plugin", bad_plugin("shape"), "--set", "nap=50", "--steps", "20",
                                              "--seed", "1", "--quiet"));
    usleep(500000);
    kill(p.id, SIGUSR1);
    const outcome o = command_finish(&p);
    DONE(o);
    cr_assert_str_eq(o.err, "mass-engine: no checkpoint: give --checkpoint FOLDER\n");
}

Test(signals, a_second_signal_ends_at_once)
{
    process p = command_start(NULL, ARGUMENTS("--plugin", bad_plugin("shape"), "--set", "nap=10000", "--steps", "1000",
                                              "--checkpoint", scratch("out")));
    command_await_file(&p, scratch("out"));
    usleep(500000);
    kill(p.id, SIGINT);
    usleep(500000);
    kill(p.id, SIGTERM);
    p.deadline -= 55;
    const outcome o = command_finish(&p);
    cr_assert_eq(o.signal, SIGTERM, "status %d: %s", o.status, o.err);
    unlink(scratch("out/.mass-engine.lock")); /* which nobody holds any more */
    cr_assert_eq(folder_count(scratch("out")), 0, "something was left half-written");
}

/* As timeout and batch systems send them, to the program and to its group. */
Test(signals, two_at_once_are_one)
{
    process p = start_napping("--checkpoint-every=4");
    command_await_file(&p, scratch("out/ckpt-000000000004.h5"));
    kill(p.id, SIGTERM);
    usleep(2000);
    kill(p.id, SIGTERM);
    const outcome o = command_finish(&p);
    assert_done(&o, MASS_INTERRUPTED);
    cr_assert(file_exists(scratch(path_of("out/ckpt-%012lld.h5", (long long)steps_of(&o)))));
}

Test(signals, a_killed_run_leaves_whole_checkpoints)
{
    process p = start_napping("--checkpoint-every=2");
    command_await_file(&p, scratch("out/ckpt-000000000006.h5"));
    kill(p.id, SIGKILL);
    cr_assert_eq(command_finish(&p).signal, SIGKILL);
    const outcome rest = resume();
    cr_assert_str_eq(outcome_hash(&rest, 0), uninterrupted());
}
