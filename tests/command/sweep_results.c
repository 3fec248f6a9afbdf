/* SPDX-License-Identifier: Apache-2.0 */
/* --results: the table of a sweep, and its series, are those of runs of its worlds, however it was cut or killed. And
 * --design and --sweep-part, which choose its rows. */
#include "command.h"

#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

TestSuite(sweep_results, SCRATCH);

#define SUGAR "sugarscape", "--size", "20x20", "--steps", "10", "--seed", "1"

static const char *file(const char *name, const char *text)
{
    const char *path = scratch(name);
    file_write_text(path, text);
    return path;
}

/* The values of a data set; *count becomes their number. */
static double *data(const char *path, const char *name, size_t *count)
{
    const hid_t f = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    cr_assert(f >= 0, "%s", path);
    const hid_t set = H5Dopen2(f, name, H5P_DEFAULT), space = H5Dget_space(set);
    *count = (size_t)H5Sget_simple_extent_npoints(space);
    double *values = kept(calloc(*count + 1, sizeof *values));
    cr_assert(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(f);
    return values;
}

static double *column(const char *path, const char *name, size_t *count)
{
    return data(path, path_of("sweep/%s", name), count);
}

static void expect_equal(const char *path, const char *other, const char *name)
{
    size_t count, others;
    const double *a = data(path, name, &count), *b = data(other, name, &others);
    cr_assert(count == others && count > 0, "%s: %zu and %zu", name, count, others);
    cr_assert_eq(memcmp(a, b, count * sizeof *a), 0, "%s", name);
}

static void expect_same(const char *path, const char *other)
{
    static const char *const names[] = {"number", "row", "world", "seed", "step", "growback", "ants", "sugar",
                                        "wealth_histogram"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) expect_equal(path, other, path_of("sweep/%s", names[i]));
}

Test(sweep_results, are_those_of_one_run_of_all_worlds)
{
    const char *table = file("a.csv", "growback,vision_max,repeat\n1..3,2;6,2\n");
    DONE(RUN(SUGAR, "--quiet", "--sweep", table, "--results", scratch("r.h5")));
    const outcome run = RUN(SUGAR, "--quiet", "--json", "--sweep", table);
    const json_t *whole = outcome_json(&run), *ants = json_object_get(json_object_get(whole, "tallies"), "ants");
    size_t count;
    const double *found = column(scratch("r.h5"), "ants", &count);
    cr_assert_eq(count, 12);
    for (size_t i = 0; i < count; i++) cr_assert_eq(found[i], json_integer_value(json_array_get(ants, i)));
    const double *rows = column(scratch("r.h5"), "row", &count), *seeds = column(scratch("r.h5"), "seed", &count);
    const double *worlds = column(scratch("r.h5"), "world", &count);
    for (size_t i = 0; i < count; i++)
        cr_assert(rows[i] == (double)(i / 2 + 1) && seeds[i] == 1 && worlds[i] == (double)i);
}

/* Kills the command as soon as its file has `worlds` worlds or more, and returns how many it has then. */
static size_t kill_at(const char *table, const char *path, size_t worlds)
{
    process p = command_start(NULL, ARGUMENTS(SUGAR, "--quiet", "--sweep", table, "--until", "ants < 0", "--log",
                                              "ants", "--results", path));
    size_t count = 0;
    while (count < worlds)
        if (file_exists(path)) column(path, "number", &count);
    kill(p.id, SIGKILL);
    command_finish(&p);
    column(path, "number", &count);
    return count;
}

/* Expects the series of a world, [steps][width] of `to` at number i, to be those of a file with `rows` steps, and NaN
 * after them. */
static void expect_series(const double *to, const double *from, size_t rows, size_t steps, size_t width)
{
    cr_assert(rows > 0 && rows <= steps, "%zu of %zu", rows, steps);
    cr_assert_eq(memcmp(to, from, rows * width * sizeof *to), 0);
    for (size_t i = rows * width; i < steps * width; i++) cr_assert(isnan(to[i]), "%zu: %g", i, to[i]);
}

/* Worlds that end at different steps, each a group: their series are those of runs of their own. */
Test(sweep_results, have_the_series_of_each_world)
{
    const char *path = scratch("r.h5"), *until = "ants < 38", *log = "half = ants / 2";
    size_t steps, count, rows;
    DONE(RUN(SUGAR, "--quiet", "--sweep", file("a.csv", "growback,repeat\n1;4,2\n"), "--until", until, "--log",
             "wealth_histogram", "--log", log, "--log-every", "2", "--results", path));
    const double *step = data(path, "series/step", &steps), *half = data(path, "series/half", &count);
    const double *bins = data(path, "series/wealth_histogram", &count);
    const double *growback = data(path, "series/growback", &count);
    cr_assert(count == 4 && growback[0] == 1 && growback[3] == 4);
    for (size_t i = 0; i < steps; i++) cr_assert_eq(step[i], 2 * (double)i);
    size_t least = steps;
    for (int i = 0; i < 4; i++) {
        const char *folder = scratch(path_of("%d", i)), *alone = path_of("%s/series.h5", folder);
        DONE(RUN(SUGAR, "--quiet", "--set", path_of("growback=%d", i < 2 ? 1 : 4), "--first-world", path_of("%d", i),
                 "--until", until, "--log", "wealth_histogram", "--log", log, "--log-every", "2", "--checkpoint",
                 folder));
        const double *own = data(alone, "series/half", &rows);
        expect_series(half + (size_t)i * steps, own, rows, steps, 1);
        own = data(alone, "series/wealth_histogram", &count);
        expect_series(bins + (size_t)i * steps * 50, own, rows, steps, 50);
        if (rows < least) least = rows;
    }
    cr_assert_lt(least, steps);
    cr_assert_eq(folder_count(scratch("")), 6); /* a.csv, r.h5 and the folders: no temporary file is left */
}

/* Expects the worlds of a group, [worlds][steps][width], to have the series of one run, [steps][worlds][width]. */
static void expect_group(const char *path, const char *name, const char *run, const char *other, size_t width)
{
    const size_t worlds = 12, steps = 401;
    size_t count, whole;
    const double *own = data(path, name, &count), *all = data(run, other, &whole);
    cr_assert(count == whole && count == worlds * steps * width, "%zu and %zu", count, whole);
    for (size_t w = 0; w < worlds; w++)
        for (size_t i = 0; i < steps; i++)
            cr_assert_eq(memcmp(own + (w * steps + i) * width, all + (i * worlds + w) * width, width * sizeof *own), 0);
}

/* Series of several blocks of steps, of groups of several worlds; and those with the names of coordinates. */
Test(sweep_results, have_series_beside_coordinates)
{
    const char *path = scratch("r.h5"), *alone = scratch("run/series.h5"),
               *table = file("a.csv", "growback,repeat\n1..3,4\n");
    size_t count;
    DONE(RUN(SUGAR, "--steps", "400", "--quiet", "--sweep", table, "--log", "ants", "--log", "growback = sugar",
             "--log", "seed = ants", "--log", "wealth_histogram", "--results", path));
    DONE(RUN(SUGAR, "--steps", "400", "--quiet", "--sweep", table, "--log", "growback = sugar", "--log",
             "wealth_histogram", "--checkpoint", scratch("run")));
    expect_group(path, "series/growback-result", alone, "series/growback", 1);
    expect_group(path, "series/wealth_histogram", alone, "series/wealth_histogram", 50);
    const double *ants = data(path, "series/ants", &count), *again = data(path, "series/seed-result", &count);
    cr_assert_eq(memcmp(ants, again, count * sizeof *ants), 0);
    const double *growback = data(path, "series/growback", &count), *seed = data(path, "series/seed", &count);
    for (size_t w = 0; w < 12; w++) cr_assert(growback[w] == (double)(w / 4 + 1) && seed[w] == 1);
    REFUSED(RUN(SUGAR, "--steps", "400", "--sweep", table, "--log", "sugar", "--results", path), MASS_BAD_USAGE,
            "is of another sweep");
    REFUSED(RUN(SUGAR, "--sweep", table, "--log", "suger", "--results", scratch("s.h5")), MASS_BAD_USAGE,
            "did you mean 'sugar'");
}

/* With a stop condition, each world is a group. */
Test(sweep_results, go_on_after_any_end)
{
    const char *table = file("a.csv", "growback,vision_max\n1..3,1..4\n"), *path = scratch("r.h5");
    DONE(RUN(SUGAR, "--quiet", "--sweep", table, "--until", "ants < 0", "--log", "ants", "--results",
             scratch("whole.h5")));
    size_t before = 0;
    for (size_t at = 1; at < 10; at += 4) {
        const size_t count = kill_at(table, path, at);
        cr_assert(count >= at && count >= before && count <= 12, "%zu of %zu", count, at);
        before = count;
    }
    const outcome rest = RUN(SUGAR, "--sweep", table, "--until", "ants < 0", "--log", "ants", "--results", path);
    cr_assert_eq(rest.status, 0, "%s", rest.err);
    cr_assert_not_null(strstr(rest.err, path_of("r.h5 has %zu of 12 worlds\n", before)), "%s", rest.err);
    expect_same(path, scratch("whole.h5"));
    expect_equal(path, scratch("whole.h5"), "series/ants");
    expect_equal(path, scratch("whole.h5"), "series/step");
    cr_assert_eq(folder_count(scratch("")), 3); /* the table and both files: what killed commands left is removed */
    const outcome again = RUN(SUGAR, "--json", "--sweep", table, "--until", "ants < 0", "--log", "ants", "--results",
                              path);
    cr_assert_eq(json_integer_value(json_object_get(outcome_json(&again), "done")), 12);
}

Test(sweep_results, a_signal_ends_them_after_the_groups_that_are_done)
{
    const char *table = file("a.csv", "growback,vision_max\n1..9,1..4\n"), *path = scratch("r.h5");
    process p = command_start(NULL, ARGUMENTS(SUGAR, "--sweep", table, "--until", "ants < 0", "--results", path));
    command_await_file(&p, path);
    REFUSED(RUN(SUGAR, "--sweep", table, "--until", "ants < 0", "--results", path), MASS_BAD_USAGE,
            "another command adds to --results");
    kill(p.id, SIGTERM);
    const outcome ended = command_finish(&p);
    cr_assert_eq(ended.status, MASS_INTERRUPTED, "%d: %s", ended.status, ended.err);
    cr_assert_not_null(strstr(ended.err, "the same command goes on from there"), "%s", ended.err);
    DONE(RUN(SUGAR, "--quiet", "--sweep", table, "--until", "ants < 0", "--results", path));
    DONE(RUN(SUGAR, "--quiet", "--sweep", table, "--until", "ants < 0", "--results", scratch("whole.h5")));
    expect_same(path, scratch("whole.h5"));
    cr_assert_not(file_exists(scratch("r.h5.lock")));
}

/* A drawn seed is recorded, and used again. */
Test(sweep_results, keep_a_drawn_seed)
{
    const char *table = file("a.csv", "growback\n1..20\n"), *path = scratch("r.h5");
    const outcome drawn = RUN("sugarscape", "--size", "20", "--steps", "3", "--json", "--sweep", table, "--results",
                              path);
    const json_int_t seed = json_integer_value(json_object_get(outcome_json(&drawn), "seed"));
    const char *number = path_of("%lld", (long long)seed);
    DONE(RUN("sugarscape", "--size", "20", "--steps", "3", "--quiet", "--sweep", table, "--results", path));
    DONE(RUN("sugarscape", "--size", "20", "--steps", "3", "--quiet", "--sweep", table, "--seed", number, "--results",
             scratch("b.h5")));
    expect_same(path, scratch("b.h5"));
}

Test(sweep_results, parts_make_the_whole)
{
    const char *table = file("a.csv", "growback,repeat\n1..7,2\n");
    size_t at = 0, count, whole_count;
    DONE(RUN(SUGAR, "--quiet", "--sweep", table, "--results", scratch("whole.h5")));
    const double *whole = column(scratch("whole.h5"), "sugar", &whole_count);
    for (int part = 1; part <= 3; part++) {
        const char *path = scratch(path_of("%d.h5", part));
        DONE(RUN(SUGAR, "--quiet", "--sweep", table, "--results", path, "--sweep-part", path_of("%d/3", part)));
        const double *sugar = column(path, "sugar", &count), *numbers = column(path, "number", &count);
        for (size_t i = 0; i < count; i++, at++) cr_assert(sugar[i] == whole[at] && numbers[i] == (double)at);
    }
    cr_assert_eq(at, whole_count);
}

/* Columns for the run, and the values that a design draws: whole numbers, reals, and choices of a list. */
Test(sweep_results, designs_draw_rows)
{
    const char *table = file("a.csv", "heat,alpha,steps\n1..4,0.0..0.25,5\n");
    size_t count;
    DONE(RUN("heat", "--size", "9x9", "--seed", "1", "--quiet", "--sweep", table, "--design", "latin:40", "--results",
             scratch("r.h5")));
    const double *heat = column(scratch("r.h5"), "heat", &count), *alpha = column(scratch("r.h5"), "alpha", &count);
    const double *steps = column(scratch("r.h5"), "step", &count);
    int heats[5] = {0}, slices[40] = {0};
    cr_assert_eq(count, 40);
    DONE(RUN(SUGAR, "--quiet", "--sweep", file("b.csv", "growback,vision_max\n1;3,6\n"), "--design", "latin:10",
             "--results", scratch("b.h5")));
    const double *growback = column(scratch("b.h5"), "growback", &count);
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += growback[i];
    cr_assert(count == 10 && sum == 5 * 1 + 5 * 3);
    count = 40;
    for (size_t i = 0; i < count; i++) {
        cr_assert(steps[i] == 5 && heat[i] >= 1 && heat[i] <= 4 && heat[i] == (int)heat[i]);
        heats[(int)heat[i]]++;
        slices[(int)(alpha[i] / 0.25 * 40)]++;
    }
    for (int i = 1; i <= 4; i++) cr_assert_eq(heats[i], 10, "%d", heats[i]);
    for (int i = 0; i < 40; i++) cr_assert_eq(slices[i], 1, "slice %d has %d", i, slices[i]);
}

Test(sweep_results, mistakes_are_refused)
{
    const char *table = file("a.csv", "growback\n1..3\n"), *path = scratch("r.h5");
    DONE(RUN(SUGAR, "--quiet", "--sweep", table, "--results", path));
    REFUSED(RUN(SUGAR, "--sweep", table, "--results", path, "--set", "vision_max=3"), MASS_BAD_USAGE,
            "is of another sweep: it has 'size: 20x20', and this one 'set:'");
    REFUSED(RUN(SUGAR, "--sweep", table, "--results", path, "--seed", "2"), MASS_BAD_USAGE, "it has seed 1");
    REFUSED(RUN(SUGAR, "--sweep", file("b.csv", "growback\n1..4\n"), "--results", path), MASS_BAD_USAGE,
            "has other rows");
    DONE(RUN(SUGAR, "--quiet", "--sweep", scratch("b.csv"), "--results", path, "--force"));
    REFUSED(RUN(SUGAR, "--sweep", table, "--results", scratch("r.csv")), MASS_BAD_USAGE, "does not end in .h5");
    REFUSED(RUN(SUGAR, "--sweep", table, "--results", scratch("no/r.h5")), MASS_BAD_USAGE, "cannot write --results");
    REFUSED(RUN(SUGAR, "--sweep", table, "--results", file("other.h5", "text")), MASS_BAD_INPUT, "other.h5");
    REFUSED(RUN(SUGAR, "--results", path), MASS_BAD_USAGE, "--results needs --sweep");
    REFUSED(RUN(SUGAR, "--sweep", table, "--results", path, "--series", "s.csv"), MASS_BAD_USAGE, "leave out");
    REFUSED(RUN(SUGAR, "--sweep", table, "--results", path, "--log", "ants"), MASS_BAD_USAGE,
            "it has 'rows: ");
    REFUSED(RUN(SUGAR, "--sweep", table, "--sweep-part", "4/3"), MASS_BAD_USAGE, "is not I/N");
    REFUSED(RUN(SUGAR, "--sweep", table, "--sweep-part", "1/9"), MASS_BAD_USAGE, "none is in this part");
    REFUSED(RUN(SUGAR, "--sweep", table, "--sweep-worlds", "1"), MASS_BAD_USAGE, "there is no option --sweep-worlds");
    REFUSED(RUN(SUGAR, "--sweep", file("c.csv", "growback\n1\n"), "--design", "sobol:4"), MASS_BAD_INPUT,
            "c.csv, line 2: a sobol design needs a range");
    REFUSED(RUN(SUGAR, "--sweep", file("c.csv", "growback\n4..1\n"), "--design", "sobol:4"), MASS_BAD_INPUT,
            "parameter growback: '4..1' is not a range");
    REFUSED(RUN(SUGAR, "--sweep", file("c.csv", "growback\n1\nx\n"), "--results", scratch("c.h5"), "--quiet"),
            MASS_BAD_INPUT, "c.csv, line 3: sugarscape: parameter growback: 'x'");
}

static void limit_files(void) { setrlimit(RLIMIT_FSIZE, &(const struct rlimit){512, 512}); }

/* The run of a group says nothing before the command does. */
Test(sweep_results, a_disk_that_is_full_is_reported_once)
{
    const outcome o = RUN_WITH(IN(.prepare = limit_files), SUGAR, "--sweep", file("T.csv", "growback\n1\n2\n3\n"),
                               "--results", scratch("r.h5"), "--log", "ants");
    REFUSED(o, 1, "cannot write ", "File too large");
    cr_assert_not(file_exists(scratch("r.h5")));
}
