/* SPDX-License-Identifier: Apache-2.0 */
/* What the charts of --view have, and how long a run waits for who looks. */
#include "viewer.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

TestSuite(view_charts, SCRATCH);
TestSuite(view_waits, SCRATCH);

static double number_of(const json_t *list, size_t at) { return json_number_value(json_array_get(list, at)); }

/* ---- every step ---- */

enum { STEPS = 5000 };

/* The last column of a series of every step. */
static double *read_series(const char *path)
{
    double *values = kept(calloc(STEPS + 1, sizeof *values));
    FILE *file = fopen(path, "r");
    char line[200];
    int found = 0;
    while (file && fgets(line, sizeof line, file)) {
        char *comma = strrchr(line, ',');
        if (line[0] < '0' || line[0] > '9' || !comma) continue;
        const long step = strtol(line, NULL, 10);
        cr_assert(step >= 0 && step <= STEPS);
        values[step] = strchr("-0123456789", comma[1]) && comma[1] ? strtod(comma + 1, NULL) : NAN;
        found++;
    }
    cr_assert(file && found == STEPS + 1, "%d rows", found);
    fclose(file);
    return values;
}

static bool is_ended(const json_t *numbers)
{
    return strcmp(json_string_value(json_object_get(numbers, "state")), "ended") == 0;
}

/* Rows have the ends of all steps that they stand for, of a tally whose number in a row is `column`. */
static void expect_every_step(const char *const model[], const char *log, size_t column)
{
    const char *arguments[40];
    int count = 0;
    for (int i = 0; model[i]; i++) arguments[count++] = model[i];
    const char *const rest[] = {"--seed", "3", "--quiet", "--steps", "5000", "--log", log, "--series",
                                scratch("every.csv"), "--force", NULL};
    memcpy(arguments + count, rest, sizeof rest);
    cr_assert_eq(command_run(NULL, arguments).status, 0);
    const double *values = read_series(scratch("every.csv"));
    const char *const view[] = {"--seed", "3", "--quiet", "--steps", "5000", "--view", NULL};
    memcpy(arguments + count, view, sizeof view);
    viewer v = viewer_start(arguments);
    json_t *numbers = NULL;
    for (bool ended = false; !ended; ended = is_ended(numbers)) {
        json_decref(numbers);
        usleep(5000);
        numbers = viewer_json(&v, "/run/numbers");
    }
    const json_t *rows = json_object_get(numbers, "rows"), *low = json_object_get(numbers, "low");
    const json_t *high = json_object_get(numbers, "high");
    const long width = (long)json_integer_value(json_object_get(numbers, "width"));
    cr_assert(width > 1 && json_array_size(rows) * (size_t)width > STEPS, "%zu rows of %ld steps",
              json_array_size(rows), width);
    cr_assert(json_array_size(low) == json_array_size(rows) && json_array_size(high) == json_array_size(rows));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const long last = (long)number_of(row, 0);
        double least = INFINITY, most = -INFINITY;
        for (long step = last - last % width; step <= last; step++) {
            least = fmin(least, values[step]);
            most = fmax(most, values[step]);
        }
        cr_assert_eq(number_of(row, 1 + column), values[last], "step %ld", last);
        cr_assert_eq(number_of(json_array_get(low, i), column), least, "up to step %ld", last);
        cr_assert_eq(number_of(json_array_get(high, i), column), most, "up to step %ld", last);
    }
    json_decref(numbers);
    viewer_stop(&v);
}

Test(view_charts, have_the_least_and_the_greatest_of_every_step)
{
    expect_every_step(ARGUMENTS("life", "--size", "32x32"), "births", 1); /* several steps at once */
    expect_every_step(ARGUMENTS("sugarscape", "--size", "16x16", "--set", "replace=yes"), "sugar", 1); /* one by one */
}

Test(view_charts, count_as_rarely_as_is_asked_for)
{
    viewer v = VIEWER("life", "--size", "32x32", "--seed", "3", "--quiet", "--steps", "1000", "--view",
                      "--view-every", "100");
    usleep(200000);
    json_t *numbers = viewer_json(&v, "/run/numbers"), *rows = json_object_get(numbers, "rows");
    cr_assert_eq(json_array_size(rows), 11);
    for (size_t i = 0; i < json_array_size(rows); i++)
        cr_assert_eq(number_of(json_array_get(rows, i), 0), 100 * (double)i);
    json_decref(numbers);
    viewer_stop(&v);
}

/* How many steps are from count to count, 0 where some were left out, of a run that nobody looked at before. */
static void expect_counted(json_int_t wanted, const char *const arguments[])
{
    viewer v = viewer_start(arguments);
    usleep(200000);
    json_t *numbers = viewer_json(&v, "/run/numbers");
    const json_int_t width = json_integer_value(json_object_get(numbers, "width"));
    const json_int_t step = json_integer_value(json_object_get(numbers, "step"));
    const json_t *rows = json_object_get(numbers, "rows");
    const size_t count = json_array_size(rows);
    cr_assert_eq(json_integer_value(json_object_get(numbers, "counts")), wanted);
    cr_assert_eq((json_int_t)number_of(json_array_get(rows, count - 1), 0), step);
    if (wanted) cr_assert_eq((json_int_t)count, step / width + 1, "%zu rows of %d steps", count, (int)width);
    else cr_assert(count >= 2 && (json_int_t)count < step / 2, "%zu of %d steps", count, (int)step);
    json_decref(numbers);
    viewer_stop(&v);
}

Test(view_charts, count_every_step_of_a_short_run_and_few_of_a_long_one_that_nobody_looks_at)
{
#define SMALL "--size", "16x16", "--seed", "3", "--quiet", "--view"
    expect_counted(1, ARGUMENTS("life", SMALL, "--steps", "4000"));
    expect_counted(1, ARGUMENTS("sugarscape", SMALL, "--steps", "2000", "--set", "replace=yes"));
    expect_counted(1, ARGUMENTS("life", SMALL, "--until", "step >= 3000"));
    expect_counted(0, ARGUMENTS("life", SMALL, "--steps", "1e9"));
    expect_counted(0, ARGUMENTS("sugarscape", SMALL, "--steps", "1e9", "--set", "replace=yes"));
    expect_counted(1, ARGUMENTS("life", SMALL, "--steps", "1e9", "--view-every", "1"));
#undef SMALL
}

/* Behind those of worlds, their mean and both ends. */
Test(view_charts, have_the_mean_and_the_band_of_worlds)
{
    enum { WORLDS = 5 };
    viewer v = VIEWER("life", "--size", "32x32", "--seed", "3", "--worlds", "5", "--steps", "9", "--view=control");
    viewer_run_to(&v, 7);
    json_t *numbers = viewer_json(&v, "/run/numbers"), *rows = json_object_get(numbers, "rows");
    cr_assert_eq(json_array_size(rows), 8);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *pens = json_array_get(json_array_get(rows, i), 1);
        double sum = 0, least = INFINITY, most = -INFINITY;
        cr_assert_eq(json_array_size(pens), WORLDS + 3);
        for (size_t w = 0; w < WORLDS; w++) {
            sum += number_of(pens, w);
            least = fmin(least, number_of(pens, w));
            most = fmax(most, number_of(pens, w));
        }
        cr_assert_float_eq(number_of(pens, WORLDS), sum / WORLDS, 1e-9);
        cr_assert_eq(number_of(pens, WORLDS + 1), least);
        cr_assert_eq(number_of(pens, WORLDS + 2), most);
    }
    json_decref(numbers);
    viewer_stop(&v);
}

Test(view_charts, have_sizes_of_populations_that_no_tally_tells)
{
    viewer v = VIEWER("minesweeper", "--seed", "3", "--steps", "9", "--view=control");
    viewer_run_to(&v, 4);
    json_t *model = viewer_json(&v, "/run/model"), *numbers = viewer_json(&v, "/run/numbers");
    const json_t *sizes = json_object_get(model, "populations"), *rows = json_object_get(numbers, "rows");
    cr_assert_eq(json_array_size(sizes), 1);
    cr_assert_str_eq(json_string_value(json_object_get(json_array_get(sizes, 0), "name")), "walker");
    const size_t tallies = json_array_size(json_object_get(model, "tallies"));
    for (size_t i = 0; i < 5; i++) cr_assert_eq(number_of(json_array_get(rows, i), 1 + tallies), 512);
    json_decref(model);
    json_decref(numbers);
    viewer_stop(&v);
    viewer counted = VIEWER("sugarscape", "--size", "16x16", "--seed", "3", "--view=control");
    model = viewer_json(&counted, "/run/model");
    cr_assert_eq(json_array_size(json_object_get(model, "populations")), 0, "its tally tells how many ants there are");
    json_decref(model);
    viewer_stop(&counted);
}

/* ---- how long a run waits ---- */

static const char *state_of(const viewer *v)
{
    json_t *numbers = viewer_json(v, "/run/numbers");
    const char *state = kept(strdup(json_string_value(json_object_get(numbers, "state"))));
    json_decref(numbers);
    return state;
}

Test(view_waits, paused_with_control_unless_told_otherwise)
{
    viewer paused = VIEWER("life", "--size", "32x32", "--seed", "3", "--steps", "50", "--view=control");
    cr_assert_str_eq(state_of(&paused), "paused");
    viewer_stop(&paused);
    viewer goes = VIEWER("life", "--size", "32x32", "--seed", "3", "--steps", "1e9", "--view=control", "--view-go");
    cr_assert_str_eq(state_of(&goes), "running");
    viewer_stop(&goes);
    viewer watched = VIEWER("life", "--size", "32x32", "--seed", "3", "--steps", "1e9", "--view");
    cr_assert_str_eq(state_of(&watched), "running");
    viewer_stop(&watched);
    REFUSED(RUN("life", "--view-go"), 2, "--view");
    REFUSED(RUN("life", "--view-stay", "3"), 2, "--view");
    REFUSED(RUN("life", "--view", "--view-go", "--view-wait"), 2, "--view-wait");
}

/* Without a terminal, as here. */
Test(view_waits, as_long_as_it_is_told_for_nobody)
{
    const time_t began = time(NULL);
    const outcome alone = RUN("life", "--size", "32x32", "--seed", "3", "--steps", "50", "--view=control",
                              "--view-stay", "1");
    const time_t took = time(NULL) - began;
    cr_assert(alone.status == 0 && took >= 1 && strstr(alone.err, "nobody has looked"), "%d s: %s", (int)took,
              alone.err);
    cr_assert(strstr(alone.err, "population"), "%s", alone.err);
    viewer killed = VIEWER("life", "--size", "32x32", "--seed", "3", "--steps", "1e9", "--view", "--view-stay", "1000");
    kill(killed.run.id, SIGTERM);
    cr_assert_eq(command_finish(&killed.run).status, 130);
}

/* The run stays until then, and ends by itself once the connection is closed; not while a browser that is slow keeps
 * it. */
Test(view_waits, until_its_end_was_seen)
{
    viewer v = VIEWER("life", "--size", "32x32", "--seed", "3", "--steps", "50", "--view", "--view-stay", "1000");
    usleep(300000);
    const int slow = viewer_connect(&v);
    const reply seen = viewer_get_on(&v, slow, "/run/numbers");
    cr_assert(seen.status == 200 && strstr(seen.body, "ended"), "%d", seen.status);
    usleep(2500000);
    cr_assert_eq(viewer_get_on(&v, slow, "/run/numbers").status, 200, "it was taken for gone");
    close(slow);
    const time_t left = time(NULL);
    const outcome o = command_finish(&v.run);
    cr_assert_eq(o.status, 0, "%s", o.err);
    cr_assert_lt(time(NULL) - left, 15);
}

/* ---- a run that has ended goes on ---- */

Test(view_waits, and_goes_on_as_if_it_had_had_more_steps)
{
    static const char run_on[] = "{\"do\": \"run_on\"}";
    const char *folder = kept(strdup(scratch("kept")));
    viewer v = VIEWER("life", "--size", "64x64", "--seed", "3", "--steps", "20", "--view=control", "--checkpoint",
                      folder);
    cr_assert_eq(viewer_control(&v, run_on), 400, "it has not ended");
    viewer_run_to(&v, 20);
    cr_assert_eq(viewer_control(&v, run_on), 200);
    for (int i = 0; i < 500 && strcmp(state_of(&v), "ended") != 0; i++) usleep(5000);
    viewer_run_to(&v, 100);
    json_t *model = viewer_json(&v, "/run/model");
    cr_assert(strstr(json_string_value(json_object_get(model, "command")), "--steps 100"));
    cr_assert_eq(json_integer_value(json_object_get(model, "last_step")), 100);
    json_decref(model);
    cr_assert_eq(viewer_control(&v, "{\"do\": \"stop\"}"), 200);
    const outcome o = command_finish(&v.run), more = RUN("--resume", folder, "--json");
    const outcome whole = RUN("life", "--size", "64x64", "--seed", "3", "--steps", "100", "--json");
    cr_assert(o.status == 0 && strstr(o.err, "step 20 ") && strstr(o.err, "step 40 "), "%s", o.err);
    cr_assert(strstr(o.err, "step 100 "), "%s", o.err);
    cr_assert_str_eq(outcome_hash(&more, 0), outcome_hash(&whole, 0), "its checkpoint ends at the new step");
}

Test(view_waits, and_says_why_it_cannot_go_on)
{
    viewer v = VIEWER("life", "--size", "64x64", "--seed", "3", "--view=control", "--until", "step >= 5");
    cr_assert_eq(viewer_control(&v, "{\"do\": \"go\"}"), 200);
    for (int i = 0; i < 500 && strcmp(state_of(&v), "ended") != 0; i++) usleep(5000);
    json_t *numbers = viewer_json(&v, "/run/numbers");
    cr_assert(strstr(json_string_value(json_object_get(numbers, "no_run_on")), "stop condition"));
    json_decref(numbers);
    cr_assert_eq(viewer_control(&v, "{\"do\": \"run_on\"}"), 400);
    viewer_stop(&v);
}
