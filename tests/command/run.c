/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that go well: what is printed, and that the same seed gives the same run. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(run, SCRATCH);

static void assert_number(const json_t *object, const char *key)
{
    cr_assert(json_is_number(json_object_get(object, key)), "no number %s", key);
}

Test(run, json_is_one_object_with_all_that_is_promised)
{
    const outcome o = RUN("--plugin", "life", "--size", "48x32", "--steps", "12", "--json", "--seed", "77", "--device",
                          "cpu");
    DONE(o);
    json_t *result = outcome_json(&o);
    const json_t *tallies = json_object_get(result, "tallies"), *seconds = json_object_get(result, "seconds");
    cr_assert_str_eq(json_string_value(json_object_get(result, "plugin")), "life");
    cr_assert_str_eq(json_string_value(json_object_get(result, "device")), "cpu");
    cr_assert_eq(json_integer_value(json_object_get(result, "steps")), 12);
    cr_assert_eq(json_integer_value(json_object_get(result, "seed")), 77);
    cr_assert_eq(strlen(json_string_value(json_object_get(result, "state_hash"))), 32);
    cr_assert_eq(json_integer_value(json_object_get(result, "state_hash_version")), 2);
    assert_number(tallies, "population");
    assert_number(tallies, "births");
    assert_number(tallies, "deaths");
    assert_number(seconds, "init");
    assert_number(seconds, "run");
    assert_number(seconds, "output");
    assert_number(seconds, "total");
    cr_assert_geq(json_real_value(json_object_get(seconds, "total")),
                  json_real_value(json_object_get(seconds, "run")));
}

Test(run, json_has_paths_that_are_no_utf8)
{
    const outcome o = RUN("--plugin", "life", "--size", "8x8", "--steps", "2", "--seed", "1", "--json", "--checkpoint",
                          scratch("latin\xe9"));
    DONE(o);
    const char *path = json_string_value(json_object_get(outcome_json(&o), "checkpoint"));
    cr_assert(path && strstr(path, "latin\\xe9/ckpt-000000000002.h5"), "%s", o.out);
}

Test(run, json_has_times_to_the_microsecond)
{
    static const char *const names[] = {"init", "run", "output", "total"};
    const outcome o = RUN("--plugin", "life", "--size", "48x32", "--steps", "12", "--json", "--quiet");
    DONE(o);
    for (size_t i = 0; i < 4; i++) {
        const char *member = strstr(o.out, path_of("\"%s\": ", names[i]));
        cr_assert_not_null(member, "no %s", names[i]);
        const char *point = strchr(member, '.');
        cr_assert_not_null(point);
        cr_assert_eq(strspn(point + 1, "0123456789"), 6, "%.40s", member);
    }
}

Test(run, tallies_of_several_worlds_are_arrays)
{
    const outcome o = RUN("--plugin", "life", "--size", "16x16", "--steps", "2", "--json", "--worlds", "3");
    DONE(o);
    json_t *result = outcome_json(&o);
    cr_assert_eq(json_array_size(json_object_get(json_object_get(result, "tallies"), "population")), 3);
}

Test(run, text_goes_to_standard_error)
{
    const outcome o = RUN("--plugin", "life", "--size", "16x16", "--steps", "2", "--seed", "5");
    DONE(o);
    cr_assert_str_empty(o.out);
    cr_assert_not_null(strstr(o.err, "step 2"));
    cr_assert_not_null(strstr(o.err, "population"));
    cr_assert_null(strchr(o.err, '\r'), "a progress line where there is no terminal");
}

/* In however many pieces it came. */
Test(run, a_stream_has_items_in_a_second)
{
    double seconds, rate;
    static uint8_t bytes[10000];
    file_write(scratch("bytes"), bytes, sizeof bytes);
    const outcome o = RUN("--plugin", "histogram", "--set", path_of("input=%s", scratch("bytes")), "--size", "100",
                          "--steps", "3", "--seed", "1");
    DONE(o);
    const char *const stepping = strstr(o.err, "stepping");
    cr_assert(stepping && sscanf(stepping, "stepping %lf s (%lf items/s)", &seconds, &rate) == 2, "%s", o.err);
    cr_assert_float_eq(seconds * rate, 30000, 300, "%s", o.err);
}

Test(run, quiet_is_silent)
{
    const outcome o = RUN("--plugin", "life", "--size", "16x16", "--steps", "2", "--quiet", "--checkpoint",
                          scratch("out"), "--seed", "5");
    DONE(o);
    cr_assert_str_empty(o.out);
    cr_assert_str_empty(o.err);
    cr_assert(file_exists(scratch("out/ckpt-000000000002.h5")));
}

Test(run, quiet_keeps_errors)
{
    REFUSED(RUN("--plugin", "life", "--quiet", "--set", "density=2"), MASS_BAD_USAGE, "density");
}

Test(run, seed_is_chosen_anew_and_printed)
{
    json_int_t seeds[3];
    for (int i = 0; i < 3; i++) {
        const outcome o = RUN("--plugin", "life", "--size", "32x32", "--steps", "3", "--json");
        DONE(o);
        seeds[i] = json_integer_value(json_object_get(outcome_json(&o), "seed"));
        cr_assert_not_null(strstr(o.err, path_of("seed %lld", (long long)seeds[i])), "%s", o.err);
        const outcome again = RUN("--plugin", "life", "--size", "32x32", "--steps", "3", "--json", "--seed",
                                  path_of("%lld", (long long)seeds[i]));
        cr_assert_str_eq(outcome_hash(&o, 0), outcome_hash(&again, 0));
    }
    cr_assert(seeds[0] != seeds[1] && seeds[1] != seeds[2] && seeds[0] != seeds[2], "three runs, two of one seed");
}

Test(run, a_drawn_seed_is_said_under_quiet)
{
    const outcome o = RUN("--plugin", "life", "--size", "32x32", "--steps", "3", "--quiet");
    DONE(o);
    cr_assert_eq(strncmp(o.err, "mass-engine: seed ", 18), 0, "%s", o.err);
    cr_assert_eq(line_count(o.err), 1, "%s", o.err);
}

Test(run, a_drawn_seed_is_in_the_json_alone_under_quiet)
{
    const outcome o = RUN("--plugin", "life", "--size", "32x32", "--steps", "3", "--quiet", "--json");
    DONE(o);
    cr_assert_str_empty(o.err);
}

Test(run, a_failure_says_a_drawn_seed)
{
    REFUSED(RUN("--plugin", bad_plugin("refuse-in-finish"), "--quiet", "--json"), MASS_FAILED, "(seed ");
    const outcome o = RUN("--plugin", bad_plugin("crash-later"), "--quiet", "--json");
    cr_assert_not_null(strstr(o.err, "in grow, step 7, seed "), "%s", o.err);
}

Test(run, another_seed_is_another_run)
{
    const outcome a = RUN("--plugin", "life", "--size", "32x32", "--steps", "0", "--json", "--seed", "1");
    const outcome b = RUN("--plugin", "life", "--size", "32x32", "--steps", "0", "--json", "--seed", "2");
    cr_assert_str_neq(outcome_hash(&a, 0), outcome_hash(&b, 0));
}

Test(run, no_steps_at_all)
{
    const outcome o = RUN("--plugin", "life", "--size", "10x10", "--set", "density=1", "--steps", "0", "--json");
    DONE(o);
    json_t *result = outcome_json(&o);
    cr_assert_eq(json_integer_value(json_object_get(json_object_get(result, "tallies"), "population")), 100);
}

Test(run, default_steps_are_the_plugins)
{
    outcome o = RUN("--plugin", bad_plugin("shape"), "--json");
    DONE(o);
    cr_assert_eq(json_integer_value(json_object_get(outcome_json(&o), "steps")), 10);
}

Test(run, a_pattern_of_known_history)
{
    const outcome o = RUN("--plugin", "life", "--size", "512x512", "--steps", "300", "--json", "--set",
                          path_of("pattern=%s", data_file("gosper-gun.rle")));
    DONE(o);
    json_t *result = outcome_json(&o);
    cr_assert_eq(json_integer_value(json_object_get(json_object_get(result, "tallies"), "population")), 36 + 10 * 5);
}

Test(run, same_bits_on_any_partitions_threads_and_devices)
{
    static const char *const ways[][4] = {{"--device=cpu", "--threads=1", "--partitions=1"},
        {"--device=cpu", "--threads=2", "--partitions=3"}, {"--device=cpu", "--threads=3", "--partitions=7"},
        {"--device=paranoid", "--threads=1", "--partitions=2"}};
    static const char *const plugins[] = {"life", "heat"};
    for (size_t p = 0; p < 2; p++) {
        const char *expected = NULL;
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            const outcome o = RUN("--plugin", plugins[p], "--size", "37x29", "--steps", "15", "--seed", "4", "--json",
                                  ways[i][0], ways[i][1], ways[i][2]);
            const char *hash = outcome_hash(&o, 0);
            if (expected) cr_assert_str_eq(hash, expected);
            expected = hash;
        }
    }
}

Test(run, a_world_is_the_same_alone_and_among_others)
{
    const outcome all = RUN("--plugin", "life", "--size", "20x20", "--steps", "9", "--seed", "4", "--json", "--worlds",
                            "3", "--first-world", "5");
    DONE(all);
    json_t *together = json_object_get(json_object_get(outcome_json(&all), "tallies"), "population");
    for (size_t i = 0; i < 3; i++) {
        const outcome one = RUN("--plugin", "life", "--size", "20x20", "--steps", "9", "--seed", "4", "--json",
                                "--first-world", path_of("%zu", 5 + i));
        DONE(one);
        cr_assert_eq(json_integer_value(json_object_get(json_object_get(outcome_json(&one), "tallies"), "population")),
                     json_integer_value(json_array_get(together, i)));
    }
}

Test(run, values_after_an_equals_sign)
{
    const outcome a = RUN("--plugin=life", "--set=density=0.5", "--size=20x20", "--steps=3", "--seed=4", "--json");
    const outcome b = RUN("--plugin", "life", "--set", "density=0.5", "--size", "20x20", "--steps", "3", "--seed", "4",
                          "--json");
    cr_assert_str_eq(outcome_hash(&a, 0), outcome_hash(&b, 0));
}

/* The same in front of a terminal, which `script` makes. */
Test(run, progress_is_drawn_on_a_terminal)
{
    if (system("command -v script >/dev/null") != 0) cr_skip_test("there is no script(1) here");
    const char *log = scratch("log");
    const char *line = path_of("script -qec '%s --plugin %s --set nap=20 --steps 30' /dev/null >%s 2>&1",
                               getenv("MASS_ENGINE"), bad_plugin("shape"), log);
    cr_assert_eq(system(line), 0);
    const content text = file_read(log);
    cr_assert_not_null(strstr((char *)text.bytes, " of 30 ("), "%s", text.bytes);
    cr_assert_not_null(strstr((char *)text.bytes, "left"), "%s", text.bytes);
}
