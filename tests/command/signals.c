/* SPDX-License-Identifier: Apache-2.0 */
/* Signals end a run with a last checkpoint, or ask for one. The model naps in each step, so that a
 * signal meets it stepping. */
#include "command.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(signals, SCRATCH);

static process start_napping(const char *extra)
{
    return command_start(NULL, ARGUMENTS("--plugin", bad_plugin("shape"), "--set", "nap=3", "--steps", "300",
                                         "--json", "--seed", "9", "--checkpoint", scratch("out"), extra));
}

static void scratch_empty(const char *name)
{
    const int status = system(path_of("rm -r %s", scratch(name)));
    cr_assert_eq(status, 0);
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

/* Both to people and to programs. */
static void assert_says_how_to_go_on(const outcome *o, json_int_t steps)
{
    const char *command = json_string_value(json_object_get(outcome_json(o), "go_on"));
    const char *line = path_of("\nmass-engine: stopped at step %lld of 300; go on with %s\n", (long long)steps,
                               command);
    cr_assert_not_null(command);
    cr_assert_not_null(strstr(o->err, line), "%s lacks %s", o->err, line);
    cr_assert_not_null(strstr(command, path_of(" --resume %s --plugin ", scratch("out"))), "%s", command);
    cr_assert_eq(json_integer_value(json_object_get(outcome_json(o), "last_step")), 300);
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
    assert_says_how_to_go_on(&o, steps);
    cr_assert(json_is_true(json_object_get(outcome_json(&o), "interrupted")));
    cr_assert(file_exists(scratch(path_of("out/ckpt-%012lld.h5", (long long)steps))));
    const outcome rest = resume();
    cr_assert_str_eq(outcome_hash(&rest, 0), uninterrupted());
}

/* As users, terminals and batch systems ask for an end. */
static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR2, SIGXCPU, SIGPWR};
enum { ENDS = sizeof ends / sizeof *ends };

Test(signals, to_end_end_after_a_last_checkpoint)
{
    for (int i = 0; i < ENDS; i++) {
        assert_ends_and_resumes(ends[i]);
        scratch_empty("out");
    }
}

Test(signals, SIGTERM_without_a_checkpoint_folder)
{
    process p = command_start(&(const setting){.folder = scratch("")},
                              ARGUMENTS("--plugin", bad_plugin("shape"), "--set", "nap=50", "--steps", "1000",
                                        "--json", "--quiet"));
    command_await_signals(&p);
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

Test(signals, to_end_end_a_load)
{
    for (int i = 0; i < ENDS; i++) assert_ends_while_loading(ends[i]);
}

/* Of a pipe that nobody writes to, and of one whose writer has begun a line. */
Test(signals, SIGTERM_ends_the_wait_for_edges)
{
    const char *pipe = scratch("edges");
    cr_assert_eq(mkfifo(pipe, 0600), 0);
    for (int written = 0; written < 2; written++) {
        process p = command_start(&(const setting){.seconds = 20}, ARGUMENTS(
            "epidemic", "--set", path_of("contacts=%s", pipe), "--checkpoint", scratch("out"), "--quiet"));
        int writer = -1;
        command_await_signals(&p);
        while (written && (writer = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0) usleep(1000);
        if (written) cr_assert_eq(write(writer, "0,", 2), 2);
        usleep(200000);
        kill(p.id, SIGTERM);
        REFUSED(command_finish(&p), MASS_INTERRUPTED, "interrupted while it was set up");
        if (written) close(writer);
        cr_assert_eq(folder_count(scratch("out")), 0);
    }
}

Test(signals, SIGTERM_ends_the_trial_of_a_plugin)
{
    process p = command_start(NULL, ARGUMENTS("--plugin", bad_plugin("hang-in-step")));
    command_await_signals(&p);
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
    command_await_signals(&p);
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

Test(signals, the_command_to_go_on_with_does)
{
    process p = command_start(NULL, ARGUMENTS("--plugin", bad_plugin("shape"), "--set", "nap=3", "--steps", "2000",
                                              "--json", "--seed", "9", "--checkpoint", scratch("it's out"), "--tally",
                                              "all=sum(value)", "--fields", scratch("fields"), "--fields-every", "7"));
    command_await_file(&p, scratch("it's out"));
    usleep(100000);
    kill(p.id, SIGTERM);
    const outcome o = command_finish(&p);
    assert_done(&o, MASS_INTERRUPTED);
    const char *command = json_string_value(json_object_get(outcome_json(&o), "go_on"));
    cr_assert(command && strstr(command, path_of(" --fields %s --fields-every 7", scratch("fields"))), "%s", command);
    const int status = system(path_of("PATH=${MASS_ENGINE%%/*}:$PATH; %s --steps %lld --quiet", command,
                                      (long long)steps_of(&o) + 5));
    cr_assert_eq(status, 0, "%s", command);
    cr_assert(file_exists(scratch(path_of("it's out/ckpt-%012lld.h5", (long long)steps_of(&o) + 5))));
}

/* Longer than two paths and a sentence. */
Test(signals, a_long_command_to_go_on_with_is_told_whole)
{
    enum { FIXED = 11, TALLIES = 30 };
    const char *arguments[FIXED + 2 * TALLIES + 1] = {"--plugin", bad_plugin("shape"), "--set", "nap=3", "--steps",
        "2000", "--json", "--seed", "9", "--checkpoint", scratch("out")};
    for (int i = 0; i < TALLIES; i++) {
        arguments[FIXED + 2 * i] = "--tally";
        arguments[FIXED + 2 * i + 1] = path_of("t%d=sum(%350s)", i, "value");
    }
    process p = command_start(NULL, arguments);
    command_await_file(&p, scratch("out"));
    usleep(100000);
    kill(p.id, SIGTERM);
    const outcome o = command_finish(&p);
    assert_done(&o, MASS_INTERRUPTED);
    const char *command = json_string_value(json_object_get(outcome_json(&o), "go_on"));
    cr_assert(command && strlen(command) > 10000 && strstr(o.err, command), "%s", o.err);
}

Test(signals, a_step_without_end_is_given_up)
{
    process p = command_start(NULL, ARGUMENTS("--plugin", bad_plugin("hang-later"), "--steps", "1000", "--checkpoint",
                                              scratch("out"), "--checkpoint-every", "5", "--quiet"));
    command_await_file(&p, scratch("out/ckpt-000000000005.h5"));
    usleep(300000);
    kill(p.id, SIGTERM);
    command_await(&p, "step 7 for another 10 s; a second signal ends the run at once, without a checkpoint\n");
    p.deadline -= 60 - 20;
    const outcome o = command_finish(&p);
    cr_assert_eq(o.signal, SIGTERM, "status %d: %s", o.status, o.err);
    cr_assert_not_null(strstr(o.err, "step 7, 10 s after the signal: the run ends without a checkpoint"), "%s", o.err);
    unlink(scratch("out/.mass-engine.lock")); /* which nobody holds any more */
    cr_assert_eq(folder_count(scratch("out")), 1, "something was left half-written");
}

Test(signals, a_step_that_hangs_is_named)
{
    process p = command_start(NULL, ARGUMENTS("--plugin", bad_plugin("shape"), "--set", "nap=60000", "--steps", "1000",
                                              "--checkpoint", scratch("out"), "--quiet"));
    command_await_file(&p, scratch("out"));
    usleep(300000);
    kill(p.id, SIGINT);
    command_await(&p, "mass-engine: waiting for shape in grow, step ");
    command_await(&p, "; a second signal ends the run at once, without a checkpoint\n");
    kill(p.id, SIGINT);
    const outcome o = command_finish(&p);
    cr_assert(o.signal == SIGINT || o.status == MASS_INTERRUPTED, "%d: %s", o.status, o.err);
}

Test(signals, a_pass_over_much_input_ends_soon)
{
    const char *much = scratch("much");
    file_write(much, "", 0);
    cr_assert_eq(truncate(much, (off_t)1 << 40), 0);
    process p = command_start(NULL, ARGUMENTS("--plugin", "histogram", "--set", path_of("input=%s", much), "--threads",
                                              "1", "--device", "cpu", "--seed", "1", "--checkpoint", scratch("out")));
    command_await_file(&p, scratch("out"));
    usleep(200000);
    kill(p.id, SIGTERM);
    p.deadline -= 60 - 10;
    const outcome o = command_finish(&p);
    assert_done(&o, MASS_INTERRUPTED);
    cr_assert_not_null(strstr(o.err, "interrupted in step 1, after "), "%s", o.err);
}

Test(signals, a_run_that_is_at_its_end_asks_for_steps)
{
    DONE(RUN("--plugin", bad_plugin("shape"), "--steps", "7", "--seed", "9", "--checkpoint", scratch("out")));
    outcome o = resume();
    DONE(o);
    cr_assert_not_null(strstr(o.err, ", the last of its run: no step was left"), "%s", o.err);
    cr_assert_not_null(strstr(o.err, "to go on, give --steps with a later one"), "%s", o.err);
    o = RUN("--resume", scratch("out"), "--plugin", bad_plugin("shape"), "--steps", "8");
    cr_assert_null(strstr(o.err, "--steps"), "%s", o.err);
}

/* What is ignored by the caller, as by nohup and in the background of a shell, stays so. */
static void ignore_all(void)
{
    for (int i = 0; i < ENDS; i++) signal(ends[i], SIG_IGN);
    signal(SIGUSR1, SIG_IGN);
}

Test(signals, that_are_ignored_stay_ignored)
{
    process p = command_start(&(const setting){.prepare = ignore_all}, ARGUMENTS("--plugin", bad_plugin("shape"),
        "--set",
        "nap=10", "--steps", "100", "--json", "--quiet", "--seed", "9", "--checkpoint", scratch("out"),
            "--checkpoint-every", "50"));
    command_await_file(&p, scratch("out/ckpt-000000000050.h5"));
    for (int i = 0; i < ENDS; i++) kill(p.id, ends[i]);
    kill(p.id, SIGUSR1);
    const outcome o = command_finish(&p);
    assert_done(&o, 0);
    cr_assert_eq(steps_of(&o), 100);
    cr_assert_eq(folder_count(scratch("out")), 2, "a checkpoint was asked for");
}

/* In the plugin's finish, after the last checkpoint: the run is at its end anyway. */
Test(signals, to_end_at_the_end)
{
    for (int i = 0; i < ENDS; i++) {
        process p = command_start(NULL, ARGUMENTS("--plugin", bad_plugin("linger-in-finish"), "--seed", "1", "--json",
                                                  "--checkpoint", scratch("out")));
        command_await(&p, "finishing");
        kill(p.id, ends[i]);
        const outcome o = command_finish(&p);
        assert_done(&o, MASS_INTERRUPTED);
        cr_assert_eq(steps_of(&o), 10);
        cr_assert(file_exists(scratch("out/ckpt-000000000010.h5")));
        scratch_empty("out");
    }
}

/* The kernel sends it every second from the limit on, and each is the same request. */
Test(signals, SIGXCPU_comes_again)
{
    process p = command_start(NULL, ARGUMENTS("--plugin", bad_plugin("shape"), "--set", "nap=1500", "--steps", "100",
                                              "--seed", "9", "--json", "--checkpoint", scratch("out")));
    command_await_file(&p, scratch("out"));
    usleep(300000);
    for (int i = 0; i < 3; i++, usleep(300000)) kill(p.id, SIGXCPU);
    const outcome o = command_finish(&p);
    assert_done(&o, MASS_INTERRUPTED);
    cr_assert_eq(folder_count(scratch("out")), 1);
}

static void allow_two_seconds(void)
{
    const struct rlimit time = {2, 2};
    setrlimit(RLIMIT_CPU, &time);
}

/* `ulimit -t` alone would kill. */
Test(signals, a_limit_of_processor_time_ends_with_a_checkpoint)
{
    const outcome o = RUN_WITH(IN(.prepare = allow_two_seconds), "--plugin", "life", "--size", "256x256", "--steps",
                               "1000000000",
                               "--threads", "1", "--seed", "9", "--json", "--quiet", "--checkpoint", scratch("out"));
    outcome_hash(&o, MASS_INTERRUPTED);
    cr_assert_eq(folder_count(scratch("out")), 1);
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
