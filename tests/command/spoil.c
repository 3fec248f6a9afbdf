/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins that spoil what the program takes for granted: its standard files, its locale, its process. */
#include "command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(spoil, SCRATCH);

static const char *const places[] = {"constructor", "open", "load", "step", "finish"};
enum { PLACES = sizeof places / sizeof *places };

/* Of locales, in the C library, and of threads that a plugin ends. */
static void forgive_leaks(void) { setenv("ASAN_OPTIONS", "abort_on_error=1:detect_leaks=0", 1); }

/* The plugin, told what to do, or NULL: nothing. */
static const char *spoiling(const char *spoil, const char *place)
{
    if (spoil) setenv("SPOIL", spoil, 1);
    else unsetenv("SPOIL");
    if (place) setenv("PLACE", place, 1);
    return bad_plugin("spoil");
}

static const char *ranks; /* as many; NULL: one */

static outcome run_spoiled(const char *spoil, const char *place)
{
    const char *rows = path_of("%s-%s.csv", spoil, place), *folder = path_of("%s-%s", spoil, place);
    return RUN_WITH(IN(.folder = scratch(""), .prepare = forgive_leaks), "--plugin", spoiling(spoil, place), "--seed",
                    "1", "--steps", "9", "--json", "--quiet", "--threads", "2", "--checkpoint", folder,
                    "--checkpoint-every", "2", "--log", "quarter=mean/4", "--tally", "mean=mean(value)", "--series",
                    rows, ranks ? "--ranks" : NULL, ranks);
}

static const char *hash_unspoiled(void)
{
    const outcome o = RUN_WITH(IN(.prepare = forgive_leaks), "--plugin", spoiling(NULL, NULL), "--seed",
                               "1", "--steps", "9", "--json", "--quiet");
    return outcome_hash(&o, 0);
}

/* The run ends as if nothing had been: its JSON alone on standard output, and its files whole. */
static void assert_unspoiled(const char *spoil, const char *place, const outcome *o)
{
    const char *rows = (const char *)file_read(scratch(path_of("%s-%s.csv", spoil, place))).bytes;
    cr_assert_str_eq(outcome_hash(o, 0), hash_unspoiled(), "%s in %s", spoil, place);
    cr_assert_str_eq(rows, "step,quarter\n0,0\n1,0.25\n2,0.5\n3,0.75\n4,1\n5,1.25\n6,1.5\n7,1.75\n8,2\n9,2.25\n");
    DONE(RUN_WITH(IN(.prepare = forgive_leaks), "--resume", scratch(path_of("%s-%s", spoil, place)), "--plugin",
                  spoiling(NULL, NULL), "--steps", "10", "--tally", "mean=mean(value)", "--quiet"));
}

Test(spoil, what_a_plugin_prints_is_no_result)
{
    for (int i = 0; i < PLACES; i++) {
        const outcome o = run_spoiled("print", places[i]);
        assert_unspoiled("print", places[i], &o);
        cr_assert_str_eq(o.err, "{\"printed\": \"by a plugin\"}\n", "in %s", places[i]);
    }
    for (int i = 0; i < 2; i++) {
        const outcome o = RUN("--info", "--json", "--plugin", spoiling("print", places[i]));
        DONE(o);
        outcome_json(&o);
        cr_assert_str_eq(o.err, "{\"printed\": \"by a plugin\"}\n");
    }
}

Test(spoil, standard_files_that_are_closed_or_taken)
{
    static const char *const spoils[] = {"close_files", "take_files"};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < PLACES; i++) {
            const outcome o = run_spoiled(spoils[k], places[i]);
            assert_unspoiled(spoils[k], places[i], &o);
            cr_assert_str_empty(o.err, "%s in %s", spoils[k], places[i]);
        }
}

/* On each of several ranks, where some places are reached by rank 0 alone. */
Test(spoil, several_ranks)
{
    static const char *const spoils[] = {"print", "close_files", "take_files"};
    static const char text[] = "{\"printed\": \"by a plugin\"}\n";
    if (!ranks_can_run()) cr_skip_test("there is no MPI here");
    ranks = "2";
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < PLACES; i++) {
            const outcome o = run_spoiled(spoils[k], places[i]);
            const char *printed = o.err;
            assert_unspoiled(spoils[k], places[i], &o);
            while (k == 0 && strncmp(printed, text, strlen(text)) == 0) printed += strlen(text);
            cr_assert(!*printed && (k > 0 || *o.err), "%s in %s: %s", spoils[k], places[i], o.err);
        }
}

/* One where numbers have a comma, made without any that are installed. */
static bool make_comma_locale(void)
{
    file_write_text(scratch("comma"), "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\n"
                    "thousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n");
    const char *line = path_of("localedef -c -i %s -f ANSI_X3.4-1968 %s >/dev/null 2>&1", scratch("comma"),
                               scratch("xx_XX"));
    const int ignored = system(line);
    (void)ignored;
    setenv("LOCPATH", scratch(""), 1);
    setenv("COMMA_LOCALE", "xx_XX", 1);
    return file_exists(scratch("xx_XX/LC_NUMERIC"));
}

Test(spoil, a_locale_with_a_comma)
{
    if (!make_comma_locale()) cr_skip_test("localedef makes no locale here");
    for (int i = 0; i < PLACES; i++) {
        const outcome o = run_spoiled("set_locale", places[i]);
        assert_unspoiled("set_locale", places[i], &o);
        cr_assert_str_empty(o.err, "in %s", places[i]);
    }
    outcome o = RUN_WITH(IN(.prepare = forgive_leaks), "--plugin", spoiling("set_locale", "open"), "--seed", "1",
                         "--steps", "9", "--tally", "m=mean(value)", "--until", "m/4 == 1.75");
    DONE(o);
    cr_assert_not_null(strstr(o.err, "until m/4 == 1.75: ended by that"), "%s", o.err);
    cr_assert_null(strstr(o.err, ",0"), "%s", o.err);
}

/* ---- ends ---- */

static void assert_named(const char *spoil, const char *place)
{
    static const char *const where[] = {"loading", "open", "load, step 0", "grow, step 7", "finish, step 9"};
    int i = 0;
    while (strcmp(places[i], place) != 0) i++;
    REFUSED(run_spoiled(spoil, place), MASS_BAD_PLUGIN, i == 0 ? "spoil.so" : "spoil",
            "ended the program", path_of("in %s;", where[i]), "a run resumes from its last checkpoint");
}

Test(spoil, an_exit_is_a_failure_whatever_its_status)
{
    static const char *const spoils[] = {"leave", "leave_now", "leave_quickly", "end_thread"};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < PLACES; i++) assert_named(spoils[k], places[i]);
    REFUSED(RUN("--plugin", spoiling("leave_Now", "open"), "--seed", "1"), MASS_BAD_PLUGIN,
            "spoil ended the program in open");
    REFUSED(RUN("--info", "--plugin", spoiling("leave_now", "open")), MASS_BAD_PLUGIN,
            "spoil ended the program in open");
}

Test(spoil, of_several_ranks_that_exit_one_says_so)
{
    static const char *const spoils[] = {"leave", "leave_now", "leave_quickly"};
    if (!ranks_can_run()) cr_skip_test("there is no MPI here");
    ranks = "3";
    for (int i = 0; i < 3; i++)
        REFUSED(run_spoiled(spoils[i], "step"), MASS_BAD_PLUGIN, ": spoil ended the program in grow, step 7;");
}

Test(spoil, checkpoints_before_an_exit_are_whole)
{
    REFUSED(run_spoiled("leave_now", "step"), MASS_BAD_PLUGIN, "spoil ended the program in grow, step 7");
    const outcome o = RUN_WITH(IN(.prepare = forgive_leaks), "--resume", scratch("leave_now-step"), "--plugin",
                               spoiling(NULL, NULL), "--steps", "9", "--json", "--tally",
                               "mean=mean(value)", "--quiet");
    cr_assert_str_eq(outcome_hash(&o, 0), hash_unspoiled());
}

/* ---- copies ---- */

Test(spoil, a_copy_that_comes_back_ends)
{
    for (int i = 0; i < PLACES; i++) {
        const outcome o = run_spoiled("copy", places[i]);
        assert_unspoiled("copy", places[i], &o);
        cr_assert_not_null(strstr(o.err, " copied the program (fork) and came back"), "in %s: %s", places[i], o.err);
        cr_assert_eq(line_count(o.err), 1, "in %s: %s", places[i], o.err);
    }
}

Test(spoil, a_copy_that_ends_itself_is_no_matter)
{
    const outcome o = RUN("--plugin", spoiling("copy_and_leave", "open"), "--seed", "1", "--quiet");
    DONE(o);
    cr_assert_str_empty(o.err);
}
