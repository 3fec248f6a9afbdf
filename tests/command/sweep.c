/* SPDX-License-Identifier: Apache-2.0 */
/* --sweep: a world of a sweep is a run with its row's parameters, and what the user is told of a bad file. */
#include "command.h"
#include "process/sanitized.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

TestSuite(sweep, SCRATCH);

static const char *csv(const char *text)
{
    const char *path = scratch("sweep.csv");
    file_write_text(path, text);
    return path;
}

/* ---- states ---- */

typedef struct numbers {
    double *at;
    size_t count;
} numbers;

static numbers read_set(const char *file, const char *name)
{
    const hid_t f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(f, name, H5P_DEFAULT);
    cr_assert(f >= 0 && set >= 0, "%s %s", file, name);
    const hid_t space = H5Dget_space(set);
    numbers n = {.count = (size_t)H5Sget_simple_extent_npoints(space)};
    n.at = kept(calloc(n.count + 1, sizeof *n.at));
    cr_assert_geq(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, n.at), 0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(f);
    return n;
}

static const char *last_of(const char *folder, int steps)
{
    return scratch(path_of("%s/ckpt-%012d.h5", folder, steps));
}

/* World `world` of `worlds` of a data set over places is the data set of a run of its own. */
static void expect_world(const char *name, const char *together, int world, int worlds, const char *alone)
{
    const numbers all = read_set(together, name), own = read_set(alone, name);
    cr_assert_eq(all.count, own.count * (size_t)worlds);
    cr_assert_arr_eq(all.at + own.count * (size_t)world, own.at, own.count * sizeof(double), "%s of world %d", name,
                     world);
}

/* The same of one over agents. */
static void expect_agents(const char *name, const char *together, int world, const char *alone)
{
    const numbers all = read_set(together, path_of("/agents/ants/%s", name));
    const numbers worlds = read_set(together, "/agents/ants/world");
    const numbers own = read_set(alone, path_of("/agents/ants/%s", name));
    size_t found = 0;
    for (size_t i = 0; i < all.count; i++) {
        if (worlds.at[i] != world) continue;
        cr_assert(found < own.count && all.at[i] == own.at[found], "%s of world %d, agent %zu", name, world, found);
        found++;
    }
    cr_assert_eq(found, own.count);
}

#define WHERE "--seed", "5", "--steps", "20", "--quiet", "--checkpoint"

Test(sweep, worlds_of_life_are_runs_of_their_own)
{
    static const char *const densities[] = {"0.1", "0.35", "0.8"};
    DONE(RUN("--plugin", "life", "--size", "40x30", WHERE, scratch("all"), "--first-world", "7", "--sweep",
             csv("density\n0.1\n0.35\n0.8\n")));
    for (int w = 0; w < 3; w++) {
        const char *folder = path_of("one%d", w);
        DONE(RUN("--plugin", "life", "--size", "40x30", WHERE, scratch(folder), "--first-world", path_of("%d", 7 + w),
                 "--set", path_of("density=%s", densities[w])));
        expect_world("/places/grid/health", last_of("all", 20), w, 3, last_of(folder, 20));
    }
}

Test(sweep, worlds_of_heat_are_runs_of_their_own_on_any_device)
{
    static const char *const rows[][3] = {{"0.1", "12.5", "1"}, {"0.25", "-3", "7"}};
    DONE(RUN("--plugin", "heat", "--size", "24x18", WHERE, scratch("all"), "--device", "paranoid", "--partitions", "3",
             "--sweep", csv("alpha,heat,heat_steps\n0.1,12.5,1\n0.25,-3,7\n")));
    for (int w = 0; w < 2; w++) {
        const char *folder = path_of("one%d", w);
        DONE(RUN("--plugin", "heat", "--size", "24x18", WHERE, scratch(folder), "--first-world", path_of("%d", w),
                 "--set", path_of("alpha=%s", rows[w][0]), "--set", path_of("heat=%s", rows[w][1]), "--set",
                 path_of("heat_steps=%s", rows[w][2])));
        expect_world("/places/grid/temperature", last_of("all", 20), w, 2, last_of(folder, 20));
    }
}

#define ANTS "--plugin", "sugarscape", "--size", "24x20"

/* Among the swept are how many agents there are, and how far they look. */
static void compare_ants(const char *together, int steps)
{
    static const char *const rows[][4] = {
        {"9", "3", "4", "no"}, {"50", "8", "7", "yes"}, {"200", "2", "2", "no"}};
    for (int w = 0; w < 3; w++) {
        const char *folder = path_of("one%d-%d", w, steps);
        DONE(RUN(ANTS, "--seed", "5", "--steps", path_of("%d", steps), "--quiet", "--checkpoint", scratch(folder),
                 "--first-world", path_of("%d", w), "--set", path_of("ants=%s", rows[w][0]), "--set",
                 path_of("vision_max=%s", rows[w][1]), "--set", path_of("sugar_max=%s", rows[w][2]), "--set",
                 path_of("replace=%s", rows[w][3])));
        expect_world("/places/grid/sugar", together, w, 3, last_of(folder, steps));
        static const char *const of_ants[] = {"id", "place", "wealth", "vision"};
        for (size_t i = 0; i < 4; i++) expect_agents(of_ants[i], together, w, last_of(folder, steps));
    }
}

static const char *ants(void)
{
    return csv("ants,vision_max,sugar_max,replace\n9,3,4,no\n50,8,7,yes\n200,2,2,no\n");
}

Test(sweep, worlds_of_ants_are_runs_of_their_own)
{
    DONE(RUN(ANTS, WHERE, scratch("all"), "--sweep", ants()));
    compare_ants(last_of("all", 20), 20);
}

Test(sweep, resumed_with_the_values_of_every_world)
{
    DONE(RUN(ANTS, WHERE, scratch("all"), "--sweep", ants()));
    remove(scratch("sweep.csv"));
    const outcome o = RUN("--resume", scratch("all"), "--steps", "33", "--json", "--quiet");
    DONE(o);
    compare_ants(last_of("all", 33), 33);
    const json_t *worlds = json_object_get(outcome_json(&o), "sweep");
    cr_assert_eq(json_array_size(worlds), 3);
    cr_assert_eq(json_integer_value(json_object_get(json_array_get(worlds, 1), "sugar_max")), 7);
    cr_assert_str_eq(json_string_value(json_object_get(json_array_get(worlds, 1), "replace")), "yes");
    const numbers sugar = read_set(last_of("all", 33), "/parameters/sugar_max");
    cr_assert(sugar.count == 3 && sugar.at[0] == 4 && sugar.at[1] == 7 && sugar.at[2] == 2);
}

/* ---- what is said ---- */

Test(sweep, the_result_says_which_world_had_what)
{
    const outcome o = RUN("--plugin", "heat", "--steps", "1", "--json", "--sweep",
                          csv("heat,start,heat_steps\n1.5,sine,3\n-2,random,4\n"));
    REFUSED(o, MASS_BAD_INPUT, "sweep.csv, line 3", "it has another schedule"); /* start chooses a callback */
    const outcome p = RUN("--plugin", "heat", "--steps", "1", "--json", "--sweep",
                          csv("heat,heat_steps\n1.5,3\n-2,4\n"));
    assert_done(&p, 0);
    const json_t *result = outcome_json(&p), *worlds = json_object_get(result, "sweep");
    cr_assert_eq(json_integer_value(json_object_get(result, "worlds")), 2);
    cr_assert_eq(json_array_size(worlds), 2);
    cr_assert_eq(json_object_size(json_array_get(worlds, 0)), 2);
    cr_assert_float_eq(json_real_value(json_object_get(json_array_get(worlds, 0), "heat")), 1.5, 0);
    cr_assert_eq(json_integer_value(json_object_get(json_array_get(worlds, 1), "heat_steps")), 4);
    cr_assert_not_null(strstr(p.err, "sweep of 2 worlds over heat, heat_steps"), "%s", p.err);
    DONE(RUN("--info", "--plugin", "heat", "--sweep", csv("heat\n1\n2\n")));
    const outcome plain = RUN("--plugin", "heat", "--steps", "1", "--json", "--quiet");
    cr_assert_null(json_object_get(outcome_json(&plain), "sweep"));
}

/* Also where the plugin leaves it to the engine; a file of agents makes the number one of no matter. */
Test(sweep, a_row_that_asks_for_too_many_agents_is_named)
{
    const char *counted = bad_plugin("table-counted");
    REFUSED(RUN("--plugin", counted, "--sweep", csv("folk_count\n160\n161\n")), MASS_BAD_INPUT, "sweep.csv, line 3: ",
            "population folk: 161 agents do not fit on 80 places that hold 2 each");
    REFUSED(RUN("--plugin", counted, "--size", "60000x60000", "--sweep", csv("folk_count\n1\n1\n5000000000\n")),
            MASS_BAD_INPUT, "sweep.csv, line 4: ", "population folk: more than 2^32 - 3 agents are asked for");
    REFUSED(RUN("--plugin", bad_plugin("table-crowded"), "--sweep", csv("folk_count\n3\n2\n")), MASS_BAD_INPUT,
            "sweep.csv, line 2: ", "population folk: 3 agents do not fit on a place that holds 2");
    REFUSED(RUN("--plugin", counted, "--sweep", csv("folk_count\n160\n-1\n")), MASS_BAD_INPUT, "sweep.csv, line 3: ",
            "parameter folk_count");
    file_write_text(scratch("folk.csv"), "x,y\n1,1\n");
    DONE(RUN("--plugin", counted, "--quiet", "--set", path_of("folk_table=%s", scratch("folk.csv")), "--sweep",
             csv("folk_count\n160\n161\n")));
    file_write_text(scratch("food.csv"), "0,0,0,0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0,0,0,0\n"
                                         "0,0,0,0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0,0,0,0\n"
                                         "0,0,0,0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0,0,0,0\n"
                                         "0,0,0,0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0,0,0,0\n");
    const char *food = path_of("food=%s", scratch("food.csv"));
    DONE(RUN("--plugin", counted, "--quiet", "--load", food, "--sweep", csv("folk_count\n160\n176\n")));
    REFUSED(RUN("--plugin", counted, "--load", food, "--sweep", csv("folk_count\n176\n177\n")), MASS_BAD_INPUT,
            "sweep.csv, line 3: ", "population folk: 177 agents do not fit on 88 places that hold 2 each");
}

Test(sweep, a_row_by_which_the_plugin_does_not_open_is_named)
{
    const char *bounded = bad_plugin("table-bounded");
    DONE(RUN("--plugin", bounded, "--quiet", "--sweep", csv("folk_count\n7\n8\n")));
    REFUSED(RUN("--plugin", bounded, "--sweep", csv("folk_count\n7\n8\n6\n")), MASS_BAD_PLUGIN, "sweep.csv, line 4: ",
            "wealth");
}

Test(sweep, a_size_that_the_space_cannot_have_is_no_row_s_fault)
{
    REFUSED(RUN("life", "--size", "4x4x4", "--sweep", csv("density\n0.1\n0.2\n")), MASS_BAD_USAGE,
            "mass-engine: --size 4x4x4: life: space grid has 2 dimensions and not 3");
    REFUSED(RUN("life", "--size", "4x4x4", "--sweep", csv("density\n7\n0.2\n")), MASS_BAD_INPUT, "sweep.csv, line 2: ",
            "density");
}

/* ---- lists, ranges and repeats ---- */

/* By world, what a sweep's object has of a parameter, as "0.1 0.2 ". */
static const char *values_of(const outcome *o, const char *name)
{
    char *text = kept(calloc(1000, 1)), *at = text;
    const json_t *worlds = json_object_get(outcome_json(o), "sweep");
    for (size_t w = 0; w < json_array_size(worlds); w++)
        at += sprintf(at, "%g ", json_number_value(json_object_get(json_array_get(worlds, w), name)));
    return text;
}

#define SMALL_HEAT "--plugin", "heat", "--size", "8x6", "--steps", "2", "--seed", "5", "--quiet"

/* The last column changes first. */
Test(sweep, lists_and_ranges_are_every_combination)
{
    const outcome o = RUN(SMALL_HEAT, "--json", "--sweep",
                          csv("heat,alpha,heat_steps\n1..3,\"0.1, 0.2\",7\n-1 ; 4,0..0.2..0.1,1..2\n5..1..-2,0,1\n"));
    DONE(o);
    cr_expect_str_eq(values_of(&o, "heat"), "1 1 2 2 3 3 -1 -1 -1 -1 -1 -1 4 4 4 4 4 4 5 3 1 ");
    cr_expect_str_eq(values_of(&o, "alpha"), "0.1 0.2 0.1 0.2 0.1 0.2 0 0 0.1 0.1 0.2 0.2 0 0 0.1 0.1 0.2 0.2 0 0 0 ");
    cr_expect_str_eq(values_of(&o, "heat_steps"), "7 7 7 7 7 7 1 2 1 2 1 2 1 2 1 2 1 2 1 1 1 ");
    const outcome plain = RUN(SMALL_HEAT, "--json", "--sweep", csv("heat,alpha\n1,0.1\n1,0.2\n"));
    const outcome list = RUN(SMALL_HEAT, "--json", "--sweep", csv("heat,alpha\n1,0.1;0.2\n"));
    cr_assert_str_eq(outcome_hash(&list, 0), outcome_hash(&plain, 0));
}

#define SOUP "--plugin", "life", "--size", "20x12"

static void expect_soup(const char *together, int world, int worlds, const char *density)
{
    const char *folder = path_of("alone%d", world);
    if (!file_exists(scratch(folder)))
        DONE(RUN(SOUP, WHERE, scratch(folder), "--first-world", path_of("%d", world), "--set",
                 path_of("density=%s", density)));
    expect_world("/places/grid/health", together, world, worlds, last_of(folder, 20));
}

/* By a column of its own for each row, or by --worlds for all. */
Test(sweep, repeats_are_worlds_with_random_numbers_of_their_own)
{
    static const char *const densities[] = {"0.2", "0.2", "0.6", "0.6"};
    DONE(RUN(SOUP, WHERE, scratch("all"), "--worlds", "2", "--sweep", csv("density\n0.2\n0.6\n")));
    for (int w = 0; w < 4; w++) expect_soup(last_of("all", 20), w, 4, densities[w]);
    DONE(RUN(SOUP, WHERE, scratch("some"), "--sweep", csv("repeat,density\n2,0.2\n1,0.6\n")));
    for (int w = 0; w < 3; w++) expect_soup(last_of("some", 20), w, 3, densities[w]);
    DONE(RUN(SOUP, WHERE, scratch("none"), "--sweep", csv("repeat\n2\n")));
    DONE(RUN(SOUP, WHERE, scratch("two"), "--worlds", "2"));
    expect_world("/places/grid/health", last_of("none", 20), 0, 1, last_of("two", 20));
}

/* ---- seeds, steps and sizes ---- */

static json_t *run_of(const outcome *o, size_t run)
{
    return json_array_get(json_object_get(outcome_json(o), "runs"), run);
}

static const char *text_in(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

Test(sweep, rows_of_other_seeds_steps_and_sizes_are_runs_alone)
{
    static const char *const rows[][4] = {{"3", "8", "20x12", "0.2"}, {"3", "9", "20x12", "0.2"},
                                          {"4", "8", "20x12", "0.2"}, {"4", "9", "20x12", "0.2"},
                                          {"5", "7", "9x30", "0.5"}};
    const outcome o = RUN("life", "--quiet", "--json", "--sweep",
                          csv("seed,steps,size,density\n3..4,8..9,20x12,0.2\n5,7,9x30,0.5\n"));
    DONE(o);
    cr_assert_eq(json_array_size(json_object_get(outcome_json(&o), "runs")), 5);
    for (size_t i = 0; i < 5; i++) {
        const outcome alone = RUN("life", "--quiet", "--json", "--seed", rows[i][0], "--steps", rows[i][1], "--size",
                                  rows[i][2], "--set", path_of("density=%s", rows[i][3]));
        cr_assert_str_eq(text_in(run_of(&o, i), "state_hash"), outcome_hash(&alone, 0), "row %zu", i);
        cr_assert(json_equal(json_object_get(run_of(&o, i), "tallies"),
                             json_object_get(outcome_json(&alone), "tallies")));
    }
}

/* Without seeds of their own, rows are numbered through, and have one seed, also one that is drawn. */
Test(sweep, rows_of_other_steps_are_numbered_through)
{
    const outcome o = RUN("life", "--size", "20x12", "--json", "--worlds", "2", "--sweep",
                          csv("steps,density\n5,0.2\n5,0.3\n8,0.3\n"));
    DONE(o);
    const json_t *last = run_of(&o, 1);
    const long long seed = json_integer_value(json_object_get(last, "seed"));
    cr_assert_eq(json_integer_value(json_object_get(run_of(&o, 0), "seed")), seed);
    cr_assert_eq(json_integer_value(json_object_get(run_of(&o, 0), "worlds")), 4);
    cr_assert_not_null(strstr(o.err, "mass-engine: run 2 of 2: row 3 of the sweep, 8 steps\n"), "%s", o.err);
    const outcome alone = RUN("life", "--size", "20x12", "--json", "--quiet", "--worlds", "2", "--first-world", "4",
                              "--seed", path_of("%lld", seed), "--steps", "8", "--set", "density=0.3");
    cr_assert_str_eq(text_in(last, "state_hash"), outcome_hash(&alone, 0));
}

/* Names of files get the number of the run, and folders are in the one that is named. */
Test(sweep, several_runs_have_files_of_their_own)
{
    static const char *const made[] = {"out/run-1/series.h5", "out/run-2/ckpt-000000000002.h5",
                                       "fields/run-2/fields.xmf", "rows-1.csv", "rows-2.csv", "a.b-2.png",
                                       "movie-1.gif"};
    const outcome o = RUN("life", "--size", "9", "--quiet", "--json", "--sweep", csv("seed,steps\n1,1\n7,2\n"),
                          "--checkpoint", scratch("out"), "--log", "births", "--series", scratch("rows.csv"), "--image",
                          scratch("a.b.png"), "--movie", scratch("movie.gif"), "--fields", scratch("fields"));
    DONE(o);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        cr_assert(file_exists(scratch(made[i])), "there is no %s", made[i]);
    cr_assert(!file_exists(scratch("rows.csv")) && !file_exists(scratch("out/series.h5")));
    const outcome on = RUN("--resume", scratch("out/run-2"), "--steps", "5", "--quiet", "--json");
    const outcome alone = RUN("life", "--size", "9", "--quiet", "--json", "--seed", "7", "--steps", "5");
    cr_assert_str_eq(outcome_hash(&on, 0), outcome_hash(&alone, 0));
}

Test(sweep, what_fails_ends_several_runs)
{
    REFUSED(RUN("life", "--quiet", "--sweep", csv("seed\n1\n2\n"), "--view"), MASS_BAD_USAGE, "the rows of",
            "make 2 runs", "--view", "leave it out");
    DONE(RUN("life", "--quiet", "--steps", "2", "--sweep", csv("seed\n7\n"), "--checkpoint", scratch("out")));
    cr_assert(file_exists(scratch("out/ckpt-000000000002.h5")));
    const outcome o = RUN("life", "--steps", "2", "--sweep", csv("seed,density\n1,0.5\n2,7\n"), "--json", "--means",
                          scratch("means.csv"));
    cr_assert(o.status == MASS_BAD_INPUT && strstr(o.err, "sweep.csv, line 3: ") && strstr(o.out, "{\"runs\": [{"),
              "%s", o.err);
    cr_assert(!file_exists(scratch("means.csv")));
}

/* ---- means ---- */

static const char *means(void) { return (const char *)file_read(scratch("means.csv")).bytes; }

/* The fields of a line of the table, from 0, at a column of that name. */
static const char *mean_at(int line, const char *column)
{
    char *header = kept(strdup(means())), *end = strchr(header, '\n'), *row = end + 1;
    *end = '\0';
    for (int i = 0; i < line; i++) row = strchr(row, '\n') + 1;
    row[strcspn(row, "\n")] = '\0';
    for (char *name = strsep(&header, ","), *value = strsep(&row, ","); name;
         name = strsep(&header, ","), value = strsep(&row, ","))
        if (strcmp(name, column) == 0) return value;
    cr_assert(false, "no column %s in\n%s", column, means());
    return "";
}

#define MEANS "--means", scratch("means.csv")

Test(sweep, means_are_of_the_worlds_of_a_row)
{
    const outcome o = RUN("life", "--size", "20x12", "--steps", "4", "--seed", "1", "--quiet", "--json", MEANS,
                          "--worlds", "3", "--sweep", csv("density\n0.2;0.5\n"));
    DONE(o);
    const json_t *population = json_object_get(json_object_get(outcome_json(&o), "tallies"), "population");
    for (int row = 0; row < 2; row++) {
        double sum = 0, squares = 0, value[3];
        for (int k = 0; k < 3; k++)
            sum += value[k] = json_number_value(json_array_get(population, (size_t)(3 * row + k)));
        for (int k = 0; k < 3; k++) squares += (value[k] - sum / 3) * (value[k] - sum / 3);
        cr_expect_float_eq(strtod(mean_at(row, "population.mean"), NULL), sum / 3, 1e-9);
        cr_expect_float_eq(strtod(mean_at(row, "population.deviation"), NULL), sqrt(squares / 2), 1e-9);
        cr_expect_str_eq(mean_at(row, "row"), row ? "2" : "1");
        cr_expect_str_eq(mean_at(row, "density"), row ? "0.5" : "0.2");
        cr_expect_str_eq(mean_at(row, "worlds"), "3");
    }
    REFUSED(RUN("life", "--steps", "1", "--quiet", MEANS), MASS_BAD_USAGE, "--means", "exists", "--force");
}

Test(sweep, means_of_several_runs_are_one_table)
{
    DONE(RUN("sugarscape", "--size", "12", "--quiet", MEANS, "--sweep",
             csv("seed,steps,repeat,ants\n1..2,3,2,9\n1,0,1,8\n")));
    cr_assert_eq(line_count(means()), 4, "%s", means());
    cr_expect_str_eq(mean_at(1, "seed"), "2");
    cr_expect_str_eq(mean_at(2, "step"), "0");
    cr_expect_str_eq(mean_at(2, "ants.mean"), "8");
    cr_expect_str_eq(mean_at(2, "ants.deviation"), "");
    cr_expect_str_eq(mean_at(0, "size"), "12x12");
}

/* Also where a row is nothing but repeats. */
Test(sweep, means_of_repeats_alone)
{
    DONE(RUN("life", "--size", "12", "--steps", "1", "--quiet", MEANS, "--sweep", csv("repeat\n2\n3\n")));
    cr_assert_eq(line_count(means()), 3, "%s", means());
    cr_expect(strcmp(mean_at(0, "worlds"), "2") == 0 && strcmp(mean_at(1, "worlds"), "3") == 0, "%s", means());
}

/* What has no value at step 0 has no mean; a resumed run has the rows that it had. */
Test(sweep, means_of_no_values_and_of_a_resumed_run)
{
    DONE(RUN("life", "--size", "12", "--steps", "0", "--seed", "1", "--quiet", MEANS, "--worlds", "2", "--sweep",
             csv("density\n0.2\n0.5\n"), "--checkpoint", scratch("out")));
    cr_expect_str_eq(mean_at(0, "births.mean"), "");
    const outcome early = RUN("--resume", scratch("out"), "--quiet", "--steps", "1", MEANS);
    REFUSED(early, MASS_BAD_USAGE, "--means", "exists");
    DONE(RUN("--resume", scratch("out"), "--quiet", "--steps", "1", MEANS, "--force"));
    cr_assert_eq(line_count(means()), 3, "%s", means());
    cr_expect(mean_at(1, "births.mean")[0] != '\0' && strcmp(mean_at(1, "worlds"), "2") == 0);
    REFUSED(RUN("life", "--quiet", "--means", scratch("means.txt")), MASS_BAD_USAGE, "does not end in .csv");
    REFUSED(RUN("life", "--quiet", "--means", scratch("none/means.csv")), MASS_BAD_USAGE, "means.csv");
}

Test(sweep, the_object_has_the_parameters)
{
    const outcome o = RUN("life", "--size", "12", "--steps", "1", "--quiet", "--json", "--set", "edge=dead", "--sweep",
                          csv("density\n0.2\n0.5\n"));
    DONE(o);
    const json_t *parameters = json_object_get(outcome_json(&o), "parameters");
    cr_expect_str_eq(text_in(parameters, "edge"), "dead");
    cr_expect_str_eq(text_in(parameters, "rule"), "B3/S23");
    cr_expect(json_is_null(json_object_get(parameters, "x")) && !json_object_get(parameters, "density") &&
              !json_object_get(parameters, "birth"));
}

/* ---- what is logged ---- */

static const char *text_of(const char *path) { return (const char *)file_read(path).bytes; }

/* The parameter heat, which a series is called, too, goes by another name beside it. */
#define SWEPT_HEAT "--plugin", "heat", "--size", "8x6", "--seed", "5", "--quiet", "--log", "total", "--log", \
                   "heat=step", "--log-every", "2", "--first-world", "4"

static const char *two_worlds(void) { return csv("heat,alpha\n1.5,0.1\n-2,0.25\n"); }

Test(sweep, rows_carry_the_parameters)
{
    const char *rows = scratch("rows.csv"), *lines = scratch("rows.jsonl");
    DONE(RUN(SWEPT_HEAT, "--steps", "2", "--sweep", two_worlds(), "--series", rows, "--checkpoint", scratch("out")));
    const char *const begin = "step,world,alpha,heat-parameter,total,heat\n"
                              "0,4,0.1,1.5,0,0\n0,5,0.25,-2,0,0\n2,4,0.1,1.5,";
    cr_assert_eq(strncmp(text_of(rows), begin, strlen(begin)), 0, "%s", text_of(rows));
    DONE(RUN(SWEPT_HEAT, "--steps", "2", "--sweep", two_worlds(), "--series", lines));
    cr_assert_not_null(strstr(text_of(lines), "{\"step\": 2, \"alpha\": [0.1, 0.25], \"heat-parameter\": [1.5, -2], "
                                              "\"total\": ["), "%s", text_of(lines));
    const numbers alpha = read_set(scratch("out/series.h5"), "/series/alpha");
    const numbers heat = read_set(scratch("out/series.h5"), "/series/heat-parameter");
    const numbers worlds = read_set(scratch("out/series.h5"), "/series/world");
    cr_assert(alpha.count == 2 && alpha.at[0] == 0.1 && alpha.at[1] == 0.25);
    cr_assert(heat.count == 2 && heat.at[0] == 1.5 && heat.at[1] == -2);
    cr_assert(worlds.count == 2 && worlds.at[0] == 4 && worlds.at[1] == 5);
}

Test(sweep, the_report_shows_the_parameters)
{
    const outcome o = RUN("--plugin", "heat", "--size", "8x6", "--seed", "5", "--steps", "1", "--first-world", "4",
                          "--sweep", csv("heat,alpha\n1.5,0.1\n-2,0.25\n"));
    DONE(o);
    cr_assert_not_null(strstr(o.err, "  world  alpha  heat (K)  total (K)  minimum (K)  maximum (K)\n"
                                     "      4    0.1       1.5          9            0          1.5\n"
                                     "      5   0.25        -2        -12           -2            0\n"), "%s", o.err);
}

/* The line of standard error that begins with a text; NULL: there is none. */
static const char *line_of(const outcome *o, const char *begin)
{
    for (const char *at = o->err; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        if (strncmp(at, begin, strlen(begin)) == 0) return at;
    return NULL;
}

Test(sweep, the_report_of_many_worlds_is_short)
{
    char rows[400] = "heat\n";
    for (int i = 0; i < 20; i++) strcat(rows, path_of("%d\n", 10 * i));
    const outcome o = RUN("heat", "--size", "8x6", "--steps", "1", "--checkpoint", scratch("out"), "--sweep",
                          csv(rows));
    DONE(o);
    cr_assert_leq(line_count(o.err), 16, "%s", o.err);
    cr_assert(line_of(&o, "      0 ") && line_of(&o, "      4 ") && line_of(&o, "    ...       ... "), "%s", o.err);
    cr_assert(!line_of(&o, "      5 ") && line_of(&o, "     17 ") && line_of(&o, "     19 "), "%s", o.err);
    cr_assert_not_null(line_of(&o, path_of("  12 more worlds: --json has all, and %s", scratch("out"))), "%s", o.err);
}

/* What does not fit beside the others goes below. */
Test(sweep, the_report_is_no_wider_than_a_terminal)
{
    const outcome o = RUN("sugarscape", "--size", "16", "--steps", "9", "--seed", "1", "--worlds", "3", "--set",
                          "reproduce=15", "--tally", "richest=max(ants.wealth)", "--tally", "keenest=max(ants.vision)",
                          "--tally", "sight=mean(ants.vision)", "--tally", "hunger=mean(ants.metabolism)");
    DONE(o);
    for (const char *at = o.err, *end; (end = strchr(at, '\n')); at = end + 1)
        cr_assert(end - at <= 80 || strncmp(at, "sugarscape: ", 12) == 0, "%s", o.err);
    const char *first = line_of(&o, "  world  ants"), *second = first ? strstr(first + 1, "\n  world  ") : NULL;
    cr_assert(first && second && strstr(second, "  hunger\n"), "%s", o.err);
    cr_assert_not_null(line_of(&o, "  endowed 0 in every world\n"), "%s", o.err);
}

/* Without the columns of the parameters, as versions before wrote it. */
static void drop_parameters(const char *path)
{
    char *text = (char *)file_read(path).bytes, *to = kept(calloc(strlen(text) + 1, 1)), *at = to;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char step[32], world[32], alpha[32], heat[32];
        const char *rest = line;
        cr_assert_eq(sscanf(line, "%31[^,],%31[^,],%31[^,],%31[^,],", step, world, alpha, heat), 4);
        for (int i = 0; i < 4; i++) rest = strchr(rest, ',') + 1;
        at += sprintf(at, "%s,%s,%s\n", step, world, rest);
    }
    file_write_text(path, to);
}

Test(sweep, text_goes_on_with_and_without_parameters)
{
    const char *rows = scratch("rows.csv"), *whole = scratch("whole.csv");
    DONE(RUN(SWEPT_HEAT, "--steps", "8", "--sweep", two_worlds(), "--series", whole));
    DONE(RUN(SWEPT_HEAT, "--steps", "4", "--sweep", two_worlds(), "--series", rows, "--checkpoint", scratch("out")));
    DONE(RUN("--resume", scratch("out"), "--steps", "8", "--quiet", "--series", rows, "--checkpoint", scratch("new")));
    cr_assert_str_eq(text_of(rows), text_of(whole));
    drop_parameters(rows);
    drop_parameters(whole);
    DONE(RUN("--resume", scratch("out"), "--steps", "8", "--quiet", "--series", rows, "--force"));
    cr_assert_str_eq(text_of(rows), text_of(whole));
    file_write_text(rows, "step,world,alpha,heat-parameter,total,heat\n0,4,0.1,1.5,0,0\n0,5,0.3,-2,0,0\n");
    REFUSED(RUN("--resume", scratch("out"), "--steps", "9", "--quiet", "--series", rows, "--force"), MASS_BAD_INPUT,
            "rows.csv is not a series of this kind");
}

Test(sweep, bad_files)
{
    static const struct { const char *text, *said; } bad[] = {
        {"", "line 1: there is no header"},
        {"density\n", "line 1: no row follows the header"},
        {"density,densitty\n0,0\n", "line 1: there is no parameter 'densitty'"},
        {"density,density\n0,0\n", "line 1: there are two columns 'density'"},
        {"den sity\n0\n", "line 1: 'den sity' is not a name of a parameter"},
        {"density,\n0,0\n", "line 1: column 2 has no name"},
        {"rule\nB3/S23\n", "line 1: parameter rule is a text"},
        {"birth\n8\n", "line 1: birth is a constant of the model"},
        {"density\n0.5\n1.5\n", "line 3: life: parameter density: 1.5 is not between 0 and 1"},
        {"density\n0.5\nhalf\n", "line 3: life: parameter density: 'half' is not a number"},
        {"density,edge\n0.5,torus\n0.5,round\n", "line 3: life: parameter edge: 'round' is not one of torus, dead"},
        {"density\n0.5\n0.5,0.5\n", "line 3: it has 2 fields, and the header has 1"},
        {"density\n0.5\n\n0.5\n", "line 3: it is empty"},
        {"density\n\"0.5\n", "line 2: a quote is not closed"},
        {"density\n0.\t5\n", "line 2: a tab within a field"},
        {"edge\ntorus\ndead\n", "line 3: life: it has another space than in the rows before"},
        {"density\n0.1;;0.2\n", "line 2: parameter density: a value of its list is missing"},
        {"density\n0.1\n4..1\n", "line 3: parameter density: '4..1' is not a range of numbers such as 1..4"},
        {"density\n1..a\n", "line 2: parameter density: '1..a' is not a range"},
        {"density\n0.3..0.5\n", "line 2: parameter density: '0.3..0.5' counts by ones, which miss its end"},
        {"density\n0..0.5\n", "line 2: parameter density: '0..0.5' counts by ones"},
        {"density\n0..1..0\n", "line 2: parameter density: '0..1..0' is not a range"},
        {"density\n0..1e9\n", "line 2: parameter density: more than 1048576 values in a field"},
        {"density,x,y\n0..1..0.1,1..1000,1..1000\n", "line 2: it has more than 1048576 combinations of values"},
        {"repeat\n0\n", "line 2: repeat: '0' is not a whole number from 1 to"},
        {"seed\n-1\n", "line 2: seed: '-1' is not a whole number from 0 to"},
        {"steps\nmany\n", "line 2: steps: 'many' is not a whole number from 0 to"},
        {"size\n4x\n", "line 2: size: '4x' is not N, NXxNY or NXxNYxNZ"},
        {"density,set.density\n0,0\n", "line 1: there are two columns of parameter density"},
        {"densty\n0.5\n0.6\n", "line 1: there is no parameter 'densty'; did you mean 'density'?"},
        {"den-sity\n0\n", "line 1: 'den-sity' is not a name of a parameter; did you mean 'density'? life has pat"},
        {"speed=1\n0\n", "line 1: 'speed=1' is not a name of a parameter"},
        {"sed,density\n1,1\n", "line 1: there is no parameter 'sed'; did you mean 'seed'?"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        REFUSED(RUN("--plugin", "life", "--quiet", "--sweep", csv(bad[i].text)), MASS_BAD_INPUT, "sweep.csv",
                bad[i].said);
    REFUSED(RUN("--plugin", "life", "--sweep", scratch("none.csv")), MASS_BAD_INPUT, "none.csv", "No such file");
    REFUSED(RUN("--plugin", "sugarscape", "--sweep", csv("vision_min,vision_max\n1,2\n4,3\n")), MASS_BAD_INPUT,
            "sweep.csv, line 3: sugarscape: parameter vision_min: 4 is above vision_max, 3");
}

static void with_little_memory(void)
{
    const struct rlimit little = {(rlim_t)4 << 30, (rlim_t)4 << 30};
    setrlimit(RLIMIT_AS, &little);
}

Test(sweep, more_worlds_than_memory_holds_are_refused)
{
    if (MASS_SANITIZED) cr_skip_test("a sanitizer takes all of it");
    REFUSED(RUN_WITH(IN(.prepare = with_little_memory), "life", "--quiet", "--sweep", csv("repeat,density\n1e9,0.5\n")),
            MASS_NO_DEVICE, "a sweep needs ", " GiB, which the machine does not have free");
}

Test(sweep, options_that_do_not_go_together)
{
    static const char *const twice[][3] = {{"seed\n1\n", "--seed", "2"}, {"steps\n1\n", "--steps", "2"},
                                           {"size\n8\n", "--size", "9"}, {"repeat\n2\n", "--worlds", "2"}};
    for (size_t i = 0; i < sizeof twice / sizeof *twice; i++)
        REFUSED(RUN("life", "--quiet", "--sweep", csv(twice[i][0]), twice[i][1], twice[i][2]), MASS_BAD_INPUT,
                "line 1: ", path_of("is given by %s, too", twice[i][1]));
    const char *file = csv("density\n0.5\n0.25\n");
    REFUSED(RUN("--plugin", "life", "--sweep", file, "--set", "density=1"), MASS_BAD_INPUT,
            "sweep.csv, line 1: parameter density is given by --set, too");
    REFUSED(RUN("--resume", scratch("x.h5"), "--sweep", file), MASS_BAD_USAGE, "leave out", "--sweep");
    REFUSED(RUN("--plugin", "life", "--sweep", csv("x\n1\n2\n"), "--set",
                path_of("pattern=%s", data_file("glider.cells"))), MASS_BAD_USAGE,
            "parameter x cannot be swept: what it says is read once for all worlds");
}
