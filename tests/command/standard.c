/* SPDX-License-Identifier: Apache-2.0 */
/* The standard files as a caller leaves them, and what goes out there: nothing that the text of others smuggles in. */
#include "command.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(standard, SCRATCH);

#define LIFE "--plugin", "life", "--size", "32x32", "--seed", "3", "--steps", "4"

/* ---- closed files ---- */

static int closed; /* bit i: descriptor i */

static void close_some(void)
{
    for (int i = 0; i < 3; i++)
        if (closed >> i & 1) close(i);
}

/* Files of a run, as it writes them with everything open. */
static void assert_whole_files(const char *folder)
{
    static const char *const names[] = {"rows.csv", "last.png", "all.gif"};
    for (int i = 0; i < 3; i++) {
        const content own = file_read(path_of("%s/%s", folder, names[i])), other = file_read(scratch(names[i]));
        cr_assert(own.size == other.size && memcmp(own.bytes, other.bytes, own.size) == 0, "%s, closed: %d", names[i],
                  closed);
    }
    DONE(RUN("--resume", folder, "--steps", "6", "--quiet"));
}

static outcome run_closed(const char *folder, const char *how, const char *json)
{
    return RUN_WITH(IN(.prepare = close_some, .folder = folder), LIFE, "--checkpoint", ".", "--series", "rows.csv",
                    "--image", "last.png", "--movie", "all.gif", "--log", "births", how, json);
}

Test(standard, files_that_are_closed_take_nothing_from_others)
{
    closed = 0;
    DONE(run_closed(scratch(""), NULL, NULL));
    for (closed = 1; closed < 8; closed++) {
        const char *folder = folder_make(scratch(path_of("%d", closed)));
        const outcome o = run_closed(folder, NULL, NULL);
        assert_done(&o, 0);
        cr_assert(!*o.out && !*o.err == !!(closed & 4), "closed: %d: '%s' '%s'", closed, o.out, o.err);
        assert_whole_files(folder);
    }
}

Test(standard, a_result_that_nobody_can_get_is_a_failure)
{
    closed = 0;
    DONE(run_closed(scratch(""), NULL, NULL));
    for (closed = 1; closed < 8; closed++) {
        const char *folder = folder_make(scratch(path_of("%d", closed)));
        const outcome o = run_closed(folder, "--quiet", "--json");
        assert_done(&o, closed & 2 ? MASS_FAILED : 0);
        cr_assert_eq(line_count(o.err), closed & 2 && !(closed & 4), "closed: %d: %s", closed, o.err);
        if (*o.err) cr_assert_not_null(strstr(o.err, "standard output cannot be written"));
        if (!(closed & 2)) outcome_json(&o);
        assert_whole_files(folder);
    }
}

static void fill_output(void) { dup2(open("/dev/full", O_WRONLY | O_CLOEXEC), STDOUT_FILENO); }

Test(standard, an_output_that_is_full_or_closed)
{
    static const char *const ways[][4] = {{"--help"}, {"--version"}, {"--list"}, {"--list", "--json"},
        {"--info", "--plugin", "life"}, {"--info", "--plugin=life", "--json"}, {"plot", "--help"}};
    closed = 2;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const char *arguments[5] = {ways[i][0], ways[i][1], ways[i][2], ways[i][3]};
        const setting full = {.prepare = fill_output}, shut = {.prepare = close_some};
        REFUSED(command_run(&full, arguments), MASS_FAILED, "standard output cannot be written", "No space left");
        REFUSED(command_run(&shut, arguments), MASS_FAILED, "standard output cannot be written");
    }
    const outcome o = RUN_WITH(IN(.prepare = fill_output), LIFE, "--json", "--quiet", "--checkpoint", scratch("out"));
    REFUSED(o, MASS_FAILED, "standard output cannot be written", "No space left");
    cr_assert(file_exists(scratch("out/ckpt-000000000004.h5")), "the run was not lost with its report");
}

static int broken[2];

static void break_output(void) { dup2(broken[1], STDOUT_FILENO); }
static void break_errors(void) { dup2(broken[1], STDERR_FILENO); }

static void make_broken(void)
{
    cr_assert_eq(pipe(broken), 0);
    close(broken[0]);
}

/* As of one rank, though a launcher prints what ranks do, and drops what it cannot. */
Test(standard, a_result_of_several_ranks_that_nobody_can_get)
{
    if (!ranks_can_run()) cr_skip_test("there is no MPI here");
#define RANKS LIFE, "--device", "cpu", "--json", "--quiet", "--ranks", "2"
    outcome one = RUN(LIFE, "--json", "--quiet"), two = RUN(RANKS);
    cr_assert_str_eq(outcome_hash(&two, 0), outcome_hash(&one, 0));
    closed = 2;
    REFUSED(RUN_WITH(IN(.prepare = close_some), RANKS), MASS_FAILED, "standard output cannot be written");
    REFUSED(RUN_WITH(IN(.prepare = fill_output), RANKS), MASS_FAILED, "standard output cannot be written",
            "No space left");
    make_broken();
    REFUSED(RUN_WITH(IN(.prepare = break_output), RANKS), MASS_FAILED, "standard output cannot be written",
            "Broken pipe");
}

/* A probe has the same standard files, whatever its parent has. */
/* A resume reads its file in a process of its own first. */
Test(standard, closed_files_and_a_resume)
{
    DONE(RUN(LIFE, "--quiet", "--checkpoint", scratch("out")));
    for (closed = 1; closed < 8; closed++) {
        const outcome o = RUN_WITH(IN(.prepare = close_some), "--resume", scratch("out"), "--quiet");
        assert_done(&o, 0);
        cr_assert(!*o.out && !*o.err, "closed: %d: '%s' '%s'", closed, o.out, o.err);
    }
}

/* ---- readers that leave ---- */

Test(standard, a_reader_that_leaves_costs_the_report_and_nothing_else)
{
    make_broken();
    REFUSED(RUN_WITH(IN(.prepare = break_output), LIFE, "--json", "--quiet", "--checkpoint", scratch("out")),
            MASS_FAILED,
            "standard output cannot be written: Broken pipe");
    cr_assert(file_exists(scratch("out/ckpt-000000000004.h5")));
    const outcome o = RUN_WITH(IN(.prepare = break_errors), LIFE, "--json", "--checkpoint", scratch("more"));
    outcome_hash(&o, 0);
    cr_assert(file_exists(scratch("more/ckpt-000000000004.h5")));
}

/* ---- text of others ---- */

/* Only what the program prints itself ends a line, and nothing else acts on a terminal. */
static void assert_tame(const char *text, int lines)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        cr_assert((*c >= 0x20 && *c != 0x7f) || *c == '\n', "%02x in %s", *c, text);
    cr_assert(!strstr(text, "\xc2\x9b") && !strstr(text, "\xe2\x80\xae") && !strstr(text, "\xff"), "%s", text);
    cr_assert_null(strstr(text, "\nmass-engine: all is well"), "a line that is not ours: %s", text);
    cr_assert(lines < 0 || line_count(text) == lines, "%d lines: %s", line_count(text), text);
    cr_assert_not_null(strstr(text, "\\x1b[2J\\x0amass-engine: all is well\\xc2\\x9b31m\\xe2\\x80\\xae\\xff"), "%s",
                       text);
}

#define EVIL "\033[2J\nmass-engine: all is well\xc2\x9b" "31m\xe2\x80\xae\xff"

Test(standard, texts_of_a_plugin)
{
    const char *plugin = bad_plugin("escapes");
    outcome o = RUN("--plugin", plugin, "--seed", "1");
    DONE(o);
    assert_tame(o.err, 4);
    o = RUN("--info", "--plugin", plugin);
    DONE(o);
    assert_tame(o.out, -1);
    o = RUN("--info", "--json", "--plugin", plugin);
    DONE(o);
    cr_assert_not_null(strstr(json_string_value(json_object_get(outcome_json(&o), "help")), "\\xff"));
    o = RUN("--plugin", plugin, "--json", "--quiet");
    DONE(o);
    cr_assert_not_null(json_object_get(outcome_json(&o), "version"), "%s", o.out);
    o = RUN("--plugin", plugin, "--set", "note=1", "--quiet");
    assert_done(&o, MASS_BAD_USAGE);
    assert_tame(o.err, 1);
}

Test(standard, names_of_files_and_values)
{
    static const char *const options[][2] = {{"--plugin=./" EVIL ".so", NULL}, {"--resume=" EVIL, NULL},
        {"--plugin=life", "--params=" EVIL ".json"}, {"--plugin=life", "--sweep=" EVIL}, {"--plugin=life",
            "--set=" EVIL "=1"},
        {"--plugin=life", "--load=health=" EVIL ".png"}, {"--plugin=life", "--load=health=" EVIL ".npy"},
        {"--plugin=life", "--load=health=" EVIL ".csv"}, {"--plugin=life", "--load=health=" EVIL ".h5:/a"},
        {"--plugin=life", "--image=" EVIL}, {"--plugin=life", "--until=" EVIL}, {"--plugin=life", "--device=" EVIL},
        {"--plugin=life", "--set=pattern=" EVIL}, {"--plugin=life", EVIL}, {"--plugin=life", "--tally=" EVIL}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const outcome o = RUN(options[i][0], options[i][1]);
        cr_assert_neq(o.status, 0, "%s", options[i][1]);
        cr_assert_eq(o.signal, 0);
        assert_tame(o.err, 1);
    }
    const outcome o = RUN("plot", EVIL, "births");
    assert_done(&o, MASS_BAD_INPUT);
    assert_tame(o.err, 1);
}

Test(standard, paths_of_a_run)
{
    const char *folder = scratch(EVIL);
    outcome o = RUN(LIFE, "--checkpoint", folder);
    DONE(o);
    assert_tame(o.err, 6);
    file_write_text(path_of("%s/ckpt-000000000009.h5", folder), "none");
    o = RUN("--resume", folder, "--steps", "6");
    DONE(o);
    assert_tame(o.err, 7);
    folder_make(scratch("found"));
    file_write_text(scratch(path_of("found/%s.so", EVIL)), "none");
    setenv("MASS_PLUGIN_PATH", scratch("found"), 1);
    o = RUN("--list");
    DONE(o);
    assert_tame(o.out, -1);
}

/* Of a checkpoint, units come from the file. */
Test(standard, texts_of_a_series)
{
    DONE(RUN("--plugin", bad_plugin("escapes"), "--seed", "1", "--checkpoint", scratch("out"), "--log", "bytes"));
    const outcome o = RUN("plot", scratch("out/series.h5"), "bytes");
    DONE(o);
    assert_tame(o.out, -1);
}
