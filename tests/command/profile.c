/* SPDX-License-Identifier: Apache-2.0 */
/* --profile: what operations took, beside the same result as ever. */
#include "command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(profile, SCRATCH);

static json_t *result_of(const char *const arguments[])
{
    const outcome o = command_run(NULL, arguments);
    DONE(o);
    return outcome_json(&o);
}

static double number_in(const json_t *object, const char *key)
{
    const json_t *number = json_object_get(object, key);
    cr_assert(json_is_number(number), "no number %s", key);
    return json_number_value(number);
}

static const char *text_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    cr_assert_not_null(text, "no text %s", key);
    return text;
}

static json_t *operation_of(const json_t *result, const char *name, const char *of)
{
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(json_object_get(result, "profile"), "operations"), i, one)
        if (strcmp(text_in(one, "operation"), name) == 0 && strcmp(text_in(one, "of"), of) == 0) return one;
    cr_assert_fail("no %s %s", name, of);
    return NULL;
}

Test(profile, shares_add_up_and_rates_are_bytes_by_seconds)
{
    static const char *const plugins[] = {"life", "heat", "sugarscape", "minesweeper"};
    for (size_t p = 0; p < 4; p++) {
        json_t *result = result_of(ARGUMENTS(plugins[p], "--profile", "--json", "--quiet", "--size", "48x48", "--seed",
                                             "1", "--steps", "20", "--device", "cpu"));
        const json_t *profile = json_object_get(result, "profile"), *one;
        const double copy = number_in(profile, "copy_bytes_per_s"), all = number_in(profile, "seconds");
        double shares = 0, seconds = 0;
        size_t i;
        cr_assert_gt(copy, 1e6);
        json_array_foreach(json_object_get(profile, "operations"), i, one) {
            const double took = number_in(one, "seconds"), rate = number_in(one, "bytes_per_s");
            shares += number_in(one, "share");
            seconds += took;
            cr_assert_leq(fabs(rate * took - number_in(one, "bytes")), 1e-6 * number_in(one, "bytes"));
            cr_assert_leq(fabs(number_in(one, "of_copy") * copy - rate), 1e-6 * rate);
            text_in(one, "when");
        }
        cr_assert_leq(fabs(shares - 1), 1e-9, "%s: %g", plugins[p], shares);
        cr_assert_leq(fabs(seconds - all), 1e-9 * all);
        cr_assert_leq(all, number_in(json_object_get(result, "seconds"), "run"));
        json_decref(result);
    }
}

Test(profile, operations_are_counted_and_so_are_bytes)
{
    json_t *result = result_of(ARGUMENTS("life", "--profile", "--json", "--quiet", "--size", "64x32", "--seed", "1",
                                         "--steps", "20", "--device", "cpu"));
    cr_assert_eq(number_in(operation_of(result, "launch", "life_conway"), "times"), 20);
    cr_assert_eq(number_in(operation_of(result, "refresh", "grid.health"), "times"), 20);
    cr_assert_eq(number_in(operation_of(result, "reset", "births"), "times"), 1, "the last step is observed alone");
    cr_assert_geq(number_in(operation_of(result, "launch", "life_conway"), "bytes"), 20 * 2 * 64 * 32 / 8);
    json_decref(result);
}

/* Also where agents are born, input comes in pieces and a condition ends the run. */
Test(profile, a_profiled_run_has_the_same_result)
{
    static const char *const runs[][10] = {{"life", "--size", "64x32", "--steps", "90", "--worlds", "2", NULL},
        {"sugarscape", "--size", "48x48", "--steps", "40", "--until", "ants < 100", NULL},
        {"minesweeper", "--size", "24x24", "--steps", "40", NULL}, {"histogram", "--steps", "2", NULL}};
    for (size_t r = 0; r < 4; r++) {
        const char *arguments[20], *input = path_of("input=%s", data_file("acorn.rle"));
        json_t *results[2];
        for (int profiled = 0; profiled < 2; profiled++) {
            size_t n = 0;
            while (runs[r][n]) arguments[n] = runs[r][n], n++;
            if (strcmp(runs[r][0], "histogram") == 0) arguments[n++] = "--set", arguments[n++] = input;
            arguments[n++] = "--seed", arguments[n++] = "1", arguments[n++] = "--json", arguments[n++] = "--quiet";
            if (profiled) arguments[n++] = "--profile";
            arguments[n] = NULL;
            results[profiled] = result_of(arguments);
        }
        cr_assert_str_eq(text_in(results[1], "state_hash"), text_in(results[0], "state_hash"), "%s", runs[r][0]);
        cr_assert_eq(number_in(results[1], "steps"), number_in(results[0], "steps"));
        cr_assert(json_equal(json_object_get(results[1], "tallies"), json_object_get(results[0], "tallies")));
        cr_assert_null(json_object_get(results[0], "profile"));
        json_decref(results[0]);
        json_decref(results[1]);
    }
}

Test(profile, people_get_a_line_an_operation)
{
    const outcome o = RUN("life", "--profile", "--size", "64x32", "--steps", "5", "--seed", "1", "--device", "cpu");
    DONE(o);
    cr_assert_not_null(strstr(o.err, "a copy of memory moves "), "%s", o.err);
    cr_assert_not_null(strstr(o.err, "\n  launch    life_conway "), "%s", o.err);
    cr_assert_not_null(strstr(o.err, "\n  refresh   grid.health "), "%s", o.err);
}
