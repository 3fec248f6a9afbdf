/* SPDX-License-Identifier: Apache-2.0 */
/* --log, --log-every and --series: what is written, and what is refused. */
#include "../extended.h"
#include "command.h"

#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(series, SCRATCH);

#define LIFE "--plugin", "life", "--size", "32x32", "--seed", "3", "--steps", "20"

/* ---- reading ---- */

typedef struct numbers {
    double *at;
    size_t rows, worlds;
} numbers;

static numbers read_series(const char *file, const char *name)
{
    hsize_t extents[2] = {0, 1};
    const hid_t f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(f, path_of("/series/%s", name), H5P_DEFAULT);
    cr_assert(f >= 0 && set >= 0, "%s %s", file, name);
    const hid_t space = H5Dget_space(set);
    H5Sget_simple_extent_dims(space, extents, NULL);
    numbers n = {.rows = extents[0], .worlds = extents[1]};
    n.at = kept(calloc(n.rows * n.worlds + 1, sizeof *n.at));
    cr_assert_geq(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, n.at), 0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(f);
    return n;
}

static const char *text_of(const char *file, const char *name, const char *attribute)
{
    char *value = kept(calloc(1000, 1));
    const hid_t f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT), a = H5Aopen_by_name(f, name, attribute, H5P_DEFAULT,
                                                                                    H5P_DEFAULT);
    cr_assert_geq(a, 0, "%s of %s", attribute, name);
    const hid_t type = H5Aget_type(a);
    cr_assert(H5Tget_size(type) < 1000 && H5Aread(a, type, value) >= 0);
    H5Tclose(type);
    H5Aclose(a);
    H5Fclose(f);
    return value;
}

static bool same_file(const char *a, const char *b)
{
    const content x = file_read(a), y = file_read(b);
    return x.size == y.size && memcmp(x.bytes, y.bytes, x.size) == 0;
}

/* ---- what is written ---- */

Test(series, rows_are_of_every_nth_step)
{
    const char *folder = scratch("out"), *file = scratch("out/series.h5");
    DONE(RUN(LIFE, "--checkpoint", folder, "--log", "births", "--log", "half = population / 2", "--log-every", "3"));
    const numbers steps = read_series(file, "step"), half = read_series(file, "half");
    const numbers all = read_series(file, "population");
    cr_assert(steps.rows == 7 && half.rows == 7 && half.worlds == 1);
    for (size_t i = 0; i < 7; i++) cr_assert(steps.at[i] == 3 * (double)i && half.at[i] == all.at[i] / 2);
    cr_assert_str_eq(text_of(file, "/series/half", "expression"), "population / 2");
    cr_assert_str_eq(text_of(file, "/", "plugin"), "life");
    for (int i = 0; i < 7; i++) {
        const outcome o = RUN(LIFE, "--steps", path_of("%d", 3 * i), "--json", "--quiet");
        json_t *tallies = json_object_get(outcome_json(&o), "tallies");
        cr_assert_eq(json_number_value(json_object_get(tallies, "population")), all.at[i]);
        const json_t *births = json_object_get(tallies, "births");
        const double logged = read_series(file, "births").at[i];
        cr_assert(i == 0 ? json_is_null(births) && isnan(logged) : json_number_value(births) == logged);
    }
}

static herr_t assert_no_time(hid_t object, const char *name, const H5O_info_t *info, void *unused)
{
    (void)object, (void)unused;
    cr_assert(info->atime == 0 && info->mtime == 0 && info->ctime == 0 && info->btime == 0, "%s has a time", name);
    return 0;
}

/* The same run writes the same bytes, whenever it is. */
Test(series, file_has_no_times)
{
    DONE(RUN(LIFE, "--quiet", "--checkpoint", scratch("out"), "--log", "births"));
    const hid_t file = H5Fopen(scratch("out/series.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    cr_assert_geq(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, assert_no_time, NULL), 0);
    H5Fclose(file);
}

Test(series, log_every_alone_logs_what_the_plugin_declares)
{
    DONE(RUN(LIFE, "--checkpoint", scratch("out"), "--log-every", "10"));
    cr_assert_eq(read_series(scratch("out/series.h5"), "population").rows, 3);
    REFUSED(RUN("--plugin", "heat", "--checkpoint", scratch("heat"), "--log-every", "10"), MASS_BAD_USAGE,
            "heat declares nothing to log", "--log EXPR");
    cr_assert(!file_exists(scratch("heat")), "a folder was made");
}

Test(series, log_adds_to_what_the_plugin_declares_and_goes_before_it)
{
    const char *rows = scratch("rows.csv");
    DONE(RUN(LIFE, "--series", rows, "--log", "births", "--log", "population=1+1", "--log-every", "20"));
    cr_assert_eq(strncmp((char *)file_read(rows).bytes, "step,population,births\n0,2,\n20,2,", 33), 0);
    DONE(RUN(LIFE, "--series", rows, "--log", "births", "--log", "population", "--log-every", "20", "--force"));
    REFUSED(RUN(LIFE, "--series", rows, "--log", "population", "--log", "population=births"), MASS_BAD_USAGE,
            "two series the name population");
    REFUSED(RUN(LIFE, "--series", rows, "--log", path_of("x=%0500d", 1)), MASS_BAD_USAGE, "500 characters");
}

Test(series, without_options_nothing_is_logged)
{
    DONE(RUN(LIFE, "--checkpoint", scratch("out")));
    cr_assert(!file_exists(scratch("out/series.h5")));
}

Test(series, units_are_those_of_the_tallies)
{
    DONE(RUN("--plugin", "heat", "--size", "8x8", "--steps", "2", "--seed", "1", "--checkpoint", scratch("out"),
             "--log", "maximum", "--log", "twice=2 * maximum"));
    cr_assert_str_eq(text_of(scratch("out/series.h5"), "/series/maximum", "unit"), "K");
    cr_assert_str_eq(text_of(scratch("out/series.h5"), "/series/twice", "unit"), "");
}

Test(series, text_that_is_there_stays)
{
    static const char *const names[] = {"rows.csv", "rows.jsonl"};
    for (int i = 0; i < 2; i++) {
        const char *rows = scratch(names[i]);
        file_write_text(rows, "mine");
        REFUSED(RUN(LIFE, "--series", rows, "--log", "births"), MASS_BAD_USAGE, names[i], "exists", "--force");
        cr_assert_str_eq((char *)file_read(rows).bytes, "mine");
        DONE(RUN(LIFE, "--series", rows, "--log", "births", "--force"));
        cr_assert_gt(line_count((char *)file_read(rows).bytes), 20);
    }
    cr_assert_eq(symlink("nowhere", scratch("link.csv")), 0);
    REFUSED(RUN(LIFE, "--series", scratch("link.csv"), "--log", "births"), MASS_BAD_USAGE, "link.csv",
            "link to nowhere");
    cr_assert(!file_exists(scratch("nowhere")), "a link was followed");
}

Test(series, csv_has_a_line_for_each_step_and_world)
{
    const char *rows = scratch("rows.csv");
    DONE(RUN(LIFE, "--series", rows, "--log", "n=step * 2.5", "--log", "no=0/0", "--log-every", "10"));
    cr_assert_not_null(strstr((char *)file_read(rows).bytes, "step,population,n,no\n0,"));
    cr_assert_not_null(strstr((char *)file_read(rows).bytes, ",50,\n"));
    unlink(rows);
    DONE(RUN(LIFE, "--series", rows, "--log", "n=step", "--log-every", "10", "--worlds", "2", "--first-world", "5"));
    cr_assert_eq(strncmp((char *)file_read(rows).bytes, "step,world,population,n\n0,5,", 28), 0);
    cr_assert_not_null(strstr((char *)file_read(rows).bytes, "\n20,6,"));
    cr_assert_eq(line_count((char *)file_read(rows).bytes), 7);
}

Test(series, json_lines_are_objects)
{
    const char *rows = scratch("rows.jsonl");
    DONE(RUN(LIFE, "--series", rows, "--log", "no=0/0", "--log", "x=1/3", "--log-every", "10", "--worlds", "2"));
    char *at = (char *)file_read(rows).bytes;
    for (int i = 0; i < 3; i++) {
        char *line = strtok(i ? NULL : at, "\n");
        json_t *row = kept(json_loads(line, JSON_REJECT_DUPLICATES, NULL));
        cr_assert_eq(json_integer_value(json_object_get(row, "step")), 10 * i);
        cr_assert_eq(json_array_size(json_object_get(row, "population")), 2);
        cr_assert(json_is_null(json_array_get(json_object_get(row, "no"), 1)));
        cr_assert_eq(json_real_value(json_array_get(json_object_get(row, "x"), 1)), 1.0 / 3);
    }
}

/* Read again and again while the run goes on: whole rows, and more of them. */
/* ---- the first row: what only steps count has no value there ---- */

Test(series, what_steps_count_has_no_first_value)
{
    const char *folder = scratch("out"), *file = scratch("out/series.h5");
    const char *rows = scratch("rows.csv"), *lines = scratch("rows.jsonl");
    DONE(RUN(LIFE, "--checkpoint", folder, "--log", "births", "--log", "both=births+deaths", "--log",
             "twice=2*population", "--series", rows));
    const numbers births = read_series(file, "births"), both = read_series(file, "both");
    cr_assert(isnan(births.at[0]) && isnan(both.at[0]) && births.at[1] > 0 && both.at[1] > births.at[1]);
    cr_assert(read_series(file, "population").at[0] > 0 && read_series(file, "twice").at[0] > 0);
    cr_assert_not_null(strstr((const char *)file_read(rows).bytes, ",,"));
    DONE(RUN(LIFE, "--steps", "1", "--log", "deaths", "--series", lines));
    cr_assert_not_null(strstr((const char *)file_read(lines).bytes, "\"deaths\": null}\n{\"step\": 1"));
}

Test(series, can_be_read_while_the_run_goes_on)
{
    const char *file = scratch("out/series.h5"), *rows = scratch("rows.csv");
    process p = command_start(NULL, ARGUMENTS("--plugin", bad_plugin("shape"), "--set", "nap=5", "--steps", "500",
                                              "--seed",
        "1", "--checkpoint", scratch("out"), "--log", "n=step", "--series", rows));
    command_await_file(&p, file);
    size_t seen = 0, reads = 0;
    for (int i = 0; i < 150 && seen < 450; i++, reads++) {
        const numbers n = read_series(file, "n"), steps = read_series(file, "step");
        cr_assert_geq(n.rows, seen);
        for (size_t k = 0; k < n.rows; k++) cr_assert_eq(n.at[k], (double)k);
        cr_assert_geq(steps.rows, n.rows);
        const content text = file_read(rows);
        cr_assert(text.size > 0 && text.bytes[text.size - 1] == '\n', "half a row");
        seen = n.rows;
        usleep(20000);
    }
    cr_assert_gt(seen, 20, "rows did not appear on the way: %zu", seen);
    DONE(command_finish(&p));
    cr_assert_eq(read_series(file, "n").rows, 501);
    cr_assert_eq(line_count((char *)file_read(rows).bytes), 502);
}

/* Rows appear between checkpoints, too, when one has been written. */
Test(series, can_be_read_between_checkpoints)
{
    const char *file = scratch("out/series.h5");
    process p = command_start(NULL, ARGUMENTS("--plugin", bad_plugin("shape"), "--set", "nap=5", "--steps", "450",
                                              "--seed", "1", "--checkpoint", scratch("out"), "--log", "n=step",
                                              "--checkpoint-every", "200"));
    command_await_file(&p, scratch("out/ckpt-000000000200.h5"));
    size_t between = 0;
    while (!file_exists(scratch("out/ckpt-000000000400.h5"))) {
        const size_t rows = read_series(file, "n").rows;
        if (rows > 201 && rows < 401) between = rows;
        usleep(20000);
    }
    cr_assert_gt(between, 0, "rows appear with checkpoints alone");
    DONE(command_finish(&p));
    cr_assert_eq(read_series(file, "n").rows, 451);
}

/* ---- what is refused ---- */

Test(series, expressions_that_are_none)
{
    REFUSED(RUN(LIFE, "--checkpoint", scratch("out"), "--log", "x=births +"), MASS_BAD_USAGE,
            "--log: it ends too early", ": births +^\n");
    REFUSED(RUN(LIFE, "--checkpoint", scratch("out"), "--log", "wolves"), MASS_BAD_USAGE, "there is no tally 'wolves'",
            ": ^wolves\n");
    REFUSED(RUN(LIFE, "--checkpoint", scratch("out"), "--log", "x=steady(births, 3)"), MASS_BAD_USAGE, "steady()",
            "--until");
    REFUSED(RUN(LIFE, "--checkpoint", scratch("out"), "--log", "steady(births, 3)"), MASS_BAD_USAGE, "steady()",
            "--until");
    REFUSED(RUN(LIFE, "--checkpoint", scratch("out"), "--log", "births + wolves"), MASS_BAD_USAGE,
            "there is no tally 'wolves'");
    REFUSED(RUN(LIFE, "--checkpoint", scratch("out"), "--log", ""), MASS_BAD_USAGE, "--log needs a value");
    cr_assert(!file_exists(scratch("out")), "a folder was made");
}

/* What places and agents have is no number of the run before it is counted. */
Test(series, attributes_are_to_be_counted)
{
    static const char *const said[][3] = {
        {"ants.wealth > 100", "no tally 'ants.wealth', which is an attribute: give --tally NAME=mean(ants.wealth)",
         ", or sum, min or max, and write NAME here: ^ants.wealth > 100"},
        {"1 + vision == 0", "'vision', which is an attribute: give --tally NAME=mean(ants.vision)",
         "1 + ^vision == 0"}};
    for (size_t i = 0; i < 2; i++) {
        REFUSED(RUN("sugarscape", "--size", "8", "--quiet", "--until", said[i][0]), MASS_BAD_USAGE, "--until: ",
                said[i][1], said[i][2]);
        REFUSED(RUN("sugarscape", "--size", "8", "--quiet", "--series", scratch("a.csv"), "--log",
                    path_of("x=%s", said[i][0])), MASS_BAD_USAGE, "--log: ", said[i][1], said[i][2]);
    }
    DONE(RUN("sugarscape", "--size", "8", "--quiet", "--tally", "NAME=mean(ants.wealth)", "--until", "NAME > 100"));
}

Test(series, names_that_are_none)
{
    REFUSED(RUN(LIFE, "--checkpoint", scratch("out"), "--log", "=births"), MASS_BAD_USAGE,
            "--log '=births': a name is of");
    REFUSED(RUN(LIFE, "--checkpoint", scratch("out"), "--log", "births / 2"), MASS_BAD_USAGE, "--log 'births / 2'",
            "name it, as in --log 'NAME=births / 2'");
    REFUSED(RUN(LIFE, "--checkpoint", scratch("out"), "--log", "births == 2"), MASS_BAD_USAGE, "name it");
    REFUSED(RUN(LIFE, "--checkpoint", scratch("out"), "--log", "births >= 2"), MASS_BAD_USAGE, "name it");
    static const char *const names[] = {"a b", "a/b", "1a", "step", "world", ".a", "a..b", "a.", "\303\244"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        REFUSED(RUN(LIFE, "--checkpoint", scratch("out"), "--log", path_of("%s=births", names[i])), MASS_BAD_USAGE,
                "a name is of letters");
    REFUSED(RUN(LIFE, "--checkpoint", scratch("out"), "--log", "x=births", "--log", "x=deaths"), MASS_BAD_USAGE,
            "--log gives two series the name x");
}

Test(series, nowhere_to_write_to)
{
    REFUSED(RUN(LIFE, "--log", "births"), MASS_BAD_USAGE, "--checkpoint FOLDER or --series FILE");
    REFUSED(RUN(LIFE, "--log-every", "3"), MASS_BAD_USAGE, "--checkpoint FOLDER or --series FILE");
    REFUSED(RUN(LIFE, "--series", scratch("rows.txt")), MASS_BAD_USAGE, "rows.txt", ".csv", ".jsonl");
    REFUSED(RUN(LIFE, "--series", scratch("no/rows.csv")), MASS_BAD_USAGE, "cannot write", "mkdir -p ");
    folder_make(scratch("folder.csv"));
    REFUSED(RUN(LIFE, "--series", scratch("folder.csv")), MASS_BAD_USAGE, "folder.csv is a folder");
}

Test(series, of_another_run)
{
    const char *folder = scratch("out"), *file = scratch("out/series.h5"), *before = scratch("before.h5");
    DONE(RUN(LIFE, "--checkpoint", folder, "--log", "births"));
    file_copy(file, before);
    REFUSED(RUN(LIFE, "--seed", "4", "--checkpoint", folder, "--log", "births"), MASS_BAD_USAGE, file,
            "belongs to another run, with seed 3, and this has 4", "--checkpoint");
    REFUSED(RUN(LIFE, "--set", "density=0.1", "--checkpoint", folder, "--log", "births"), MASS_BAD_USAGE, file,
            "belongs to another run, with density=0.25, and this has density=0.1:");
    REFUSED(RUN(LIFE, "--worlds", "2", "--checkpoint", folder, "--log", "births"), MASS_BAD_USAGE,
            "with 1 world, and this has 2");
    REFUSED(RUN("--plugin", "heat", "--checkpoint", folder, "--log", "maximum"), MASS_BAD_USAGE,
            "belongs to another run, of plugin life, and this is of heat");
    cr_assert(same_file(file, before), "it was changed");
    REFUSED(RUN(LIFE, "--seed", "4", "--checkpoint", folder), MASS_BAD_USAGE, "belongs to another run, with seed 3");
    unlink(scratch("out/ckpt-000000000020.h5"));
    REFUSED(RUN(LIFE, "--seed", "4", "--checkpoint", folder), MASS_BAD_USAGE, file, "with seed 3");
    REFUSED(RUN(LIFE, "--set", "edge=dead", "--checkpoint", folder, "--log", "births"), MASS_BAD_USAGE, file,
            "with edge=torus, and this has edge=dead:"); /* which no checkpoint tells */
    cr_assert(same_file(file, before), "it was changed by a run that does not log");
    DONE(RUN(LIFE, "--checkpoint", folder, "--log", "deaths"));
    cr_assert_eq(read_series(file, "deaths").rows, 21, "the same run, started again, replaces it");
}

static void refuse_damaged(const char *reason)
{
    const char *folder = scratch("out"), *file = scratch("out/series.h5");
    REFUSED(RUN(LIFE, "--checkpoint", folder, "--log", "births"), MASS_BAD_INPUT, file, reason, "move it away");
    REFUSED(RUN("--resume", folder, "--steps", "30"), MASS_BAD_INPUT, file, reason, "move it away");
}

Test(series, that_is_damaged)
{
    const char *folder = scratch("out"), *file = scratch("out/series.h5"), *before = scratch("before.h5");
    DONE(RUN(LIFE, "--checkpoint", folder, "--log", "births"));
    file_copy(file, before);
    file_write_text(file, "not an HDF5 file");
    refuse_damaged("is not an HDF5 file that can be read");
    const content whole = file_read(before);
    file_write(file, whole.bytes, whole.size / 2);
    refuse_damaged("not a whole file of series");
    file_copy(scratch("out/ckpt-000000000020.h5"), file);
    refuse_damaged("not a whole file of series");
    unlink(file);
    folder_make(file);
    refuse_damaged("not a regular file");
    rmdir(file);
    DONE(RUN("--resume", folder, "--steps", "30"));
    cr_assert(!file_exists(file));
}

/* Bytes changed anywhere: refused in one line, or the values are those that were written. */
Test(series, with_changed_bytes)
{
    const char *folder = scratch("out"), *file = scratch("out/series.h5");
    DONE(RUN(LIFE, "--checkpoint", folder, "--log", "births"));
    const content whole = file_read(file);
    const numbers births = read_series(file, "births");
    uint64_t random = 5;
    int refused = 0;
    for (int i = 0; i < unsanitized(20, 40); i++) {
        content changed = file_read(file);
        memcpy(changed.bytes, whole.bytes, whole.size);
        for (uint64_t k = 0; k <= next_random(&random) % 8; k++)
            changed.bytes[next_random(&random) % (i % 2 ? 2000
                                                  : whole.size)] ^= (uint8_t)(1 + next_random(&random) % 255);
        file_write(file, changed.bytes, changed.size);
        const outcome o = RUN("--resume", folder, "--steps", "20", "--checkpoint", folder, "--quiet");
        if (o.status != 0) REFUSED(o, MASS_BAD_INPUT, file);
        else cr_assert_arr_eq(read_series(file, "births").at, births.at, births.rows * sizeof(double));
        refused += o.status != 0;
        file_write(file, whole.bytes, whole.size);
    }
    cr_assert_gt(refused, 5);
}

Test(series, other_ones_of_a_run_that_is_resumed)
{
    const char *folder = scratch("out");
    DONE(RUN(LIFE, "--checkpoint", folder, "--log", "births", "--log-every", "2"));
    REFUSED(RUN("--resume", folder, "--steps", "30", "--log", "deaths"), MASS_BAD_USAGE, "other series",
            "a resumed run keeps them");
    REFUSED(RUN("--resume", folder, "--steps", "30", "--log", "births", "--log-every", "3"), MASS_BAD_USAGE,
            "another interval");
    DONE(RUN("--resume", folder, "--steps", "30", "--log", "births", "--log-every", "2"));
    cr_assert_eq(read_series(scratch("out/series.h5"), "births").rows, 16);
    DONE(RUN("--resume", folder, "--steps", "32", "--log", "deaths", "--checkpoint", scratch("new")));
}

Test(series, of_a_reduction_that_is_to_be_given_again)
{
    const char *folder = scratch("out");
    DONE(RUN(LIFE, "--checkpoint", folder, "--tally", "alive=sum(health)", "--log", "alive"));
    REFUSED(RUN("--resume", folder, "--steps", "30"), MASS_BAD_USAGE, "series.h5 (a --tally that its series name "
            "has to be given again): there is no tally 'alive'");
    DONE(RUN("--resume", folder, "--steps", "30", "--tally", "alive=sum(health)"));
    cr_assert_eq(read_series(scratch("out/series.h5"), "alive").rows, 31);
}

Test(series, that_ends_before_the_step_that_is_resumed)
{
    const char *folder = scratch("out"), *file = scratch("out/series.h5"), *before = scratch("before.h5");
    DONE(RUN(LIFE, "--checkpoint", folder, "--log", "births", "--steps", "10"));
    file_copy(file, before);
    DONE(RUN("--resume", folder, "--steps", "20"));
    file_copy(before, file);
    REFUSED(RUN("--resume", folder, "--steps", "30", "--log", "births"), MASS_BAD_INPUT, file, "ends at step 10",
            "goes on from step 20", "move it away");
    const outcome o = RUN("--resume", folder, "--steps", "30");
    DONE(o);
    cr_assert(strstr(o.err, "ends at step 10 and is left as it is: nothing is logged"), "%s", o.err);
    cr_assert(same_file(before, file));
}

Test(series, text_of_a_run_that_is_resumed)
{
    const char *folder = scratch("out"), *rows = scratch("rows.csv");
    DONE(RUN(LIFE, "--checkpoint", folder, "--log", "births", "--series", rows));
    file_write_text(scratch("other.csv"), "step,births\n0,5\n");
    REFUSED(RUN("--resume", folder, "--steps", "30", "--series", scratch("other.csv")), MASS_BAD_INPUT,
            "other.csv has other columns");
    file_write_text(scratch("other.csv"), "step,population,births\n0,5,6\n1,6,6\n");
    REFUSED(RUN("--resume", folder, "--steps", "30", "--series", scratch("other.csv")), MASS_BAD_INPUT,
            "other.csv ends at step 1", "from step 20");
    file_write_text(scratch("other.csv"), "step,population,births\nnull\n");
    REFUSED(RUN("--resume", folder, "--steps", "30", "--series", scratch("other.csv")), MASS_BAD_INPUT,
            "not a series of this kind");
    DONE(RUN("--resume", folder, "--steps", "30", "--series", rows));
    cr_assert_eq(line_count((char *)file_read(rows).bytes), 32);
    file_write_text(scratch("other.jsonl"), "{\"step\": 20, \"population\": 5, \"deaths\": 6}\n");
    REFUSED(RUN("--resume", folder, "--steps", "40", "--series", scratch("other.jsonl")), MASS_BAD_INPUT,
            "other.jsonl has other columns");
    DONE(RUN("--resume", folder, "--steps", "40", "--series", scratch("new.csv")));
    cr_assert_eq(line_count((char *)file_read(scratch("new.csv")).bytes), 12, "from step 30 on");
}

/* A file that the user gets no more rows in is named, once. */
Test(series, text_that_a_resumed_run_is_not_given)
{
    const char *folder = scratch("out"), *rows = scratch("rows.csv");
    DONE(RUN(LIFE, "--checkpoint", folder, "--log", "births", "--series", rows));
    const outcome with = RUN("--resume", folder, "--steps", "25", "--series", rows),
                  without = RUN("--resume", folder, "--steps", "30"), later = RUN("--resume", folder, "--steps", "35");
    DONE(with), DONE(without), DONE(later);
    cr_expect(!strstr(with.err, "the run wrote") && !strstr(later.err, "the run wrote"), "%s%s", with.err, later.err);
    cr_expect(strstr(without.err, "mass-engine: the run wrote rows.csv, too, which gets no rows after step 25 now: "
                                  "give --series with that file again"), "%s", without.err);
    REFUSED(RUN("--resume", folder, "--steps", "40", "--series", rows), MASS_BAD_INPUT, "rows.csv ends at step 25");
}

/* The last row has the line of one world and lacks that of the other. */
Test(series, text_that_ends_within_a_row)
{
    const char *folder = scratch("out"), *rows = scratch("rows.csv");
    DONE(RUN(LIFE, "--worlds", "2", "--checkpoint", folder, "--log", "births", "--series", rows));
    char *text = (char *)file_read(rows).bytes;
    text[strlen(text) - 1] = '\0';
    strrchr(text, '\n')[1] = '\0';
    file_write_text(rows, text);
    REFUSED(RUN("--resume", folder, "--steps", "30", "--series", rows), MASS_BAD_INPUT, "rows.csv ends at step 19",
            "goes on from step 20");
}
