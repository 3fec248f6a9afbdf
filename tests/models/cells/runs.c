/* SPDX-License-Identifier: Apache-2.0 */
/* Random rules over bits on CPUs, by words, several steps in one pass too, beside a plain loop. */
#include "../../extended.h"
#include "plain.h"
#include "run.h"
#include "sweeps.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTED_SAMPLE = 10, COUNTED_ALL = 200, TABLES_SAMPLE = 4, TABLES_ALL = 50, STEPS = 19 };

static const int sizes[][2] = {{1, 1},   {2, 31},  {31, 2},  {32, 63}, {63, 1},   {65, 33}, {33, 65},
                               {1, 63},  {63, 32}, {2, 2},   {65, 65}, {1000, 777}, {31, 32}, {32, 1}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* The cells after so many steps, and how many of them the report says. */
static dataset run(const cells *c, int steps, const char *where, int64_t *alive)
{
    const char *folder = folder_make();
    const char *rule = c->table ? text("--set rule=%s --set table=%u", c->looks->rule, c->table)
                                : text("--set birth=%u --set survive=%u", c->birth, c->survive);
    outcome o = engine_run(text("--plugin '%s/cells.so' --seed 9 --size %dx%d%s --set torus=%u --set beyond=%u %s "
                                "--steps %d --checkpoint %s --device cpu %s", MASS_TEST_PLUGINS, c->nx, c->ny,
                                c->nz > 1 ? text("x%d", c->nz) : "", c->torus, c->beyond, rule, steps, folder,
                                where));
    *alive = steps > 0 ? tally_of(&o, "alive") : 0; /* steps count it */
    outcome_free(&o);
    const dataset d = dataset_read(checkpoint_path(folder, (uint64_t)steps), "/places/grid/cell");
    cr_assert_eq(d.size, (size_t)c->nx * (size_t)c->ny * (size_t)c->nz);
    folder_empty(folder);
    return d;
}

static void expect_plain(const cells *c, int number)
{
    static const int fuse[] = {1, 2, 4, 8, 16};
    int64_t alive, count = 0;
    dataset before = run(c, 0, "--threads 1", &alive);
    cells_advance(c, before.bytes, STEPS);
    const int slowest = c->nz > 1 ? c->nz : c->ny;
    const char *where = text("--fuse %d --threads %d --partitions %d", fuse[number % 5], 1 + number % 3,
                             slowest >= 32 ? 1 + number / 2 % 2 : 1);
    dataset found = run(c, STEPS, where, &alive);
    for (size_t i = 0; i < found.size; i++) count += before.bytes[i];
    cr_expect_arr_eq(found.bytes, before.bytes, found.size, "%dx%dx%d, torus %u, beyond %u, birth %u, survive "
                     "%u, table %u, %s", c->nx, c->ny, c->nz, c->torus, c->beyond, c->birth, c->survive,
                     c->table, where);
    cr_expect_eq(alive, count);
    free(before.bytes);
    free(found.bytes);
}

static cells cells_of(int number)
{
    const int *size = sizes[number % SIZES];
    return (cells){.nx = size[0], .ny = size[1], .nz = 1, .torus = cells_random((unsigned)number) % 8,
                   .beyond = number / 4 % 2, .looks = &cells_square};
}

Test(cells, by_counts_are_those_of_a_plain_loop)
{
    for (int i = 0; i < extended(COUNTED_SAMPLE, COUNTED_ALL); i += unsanitized(2, 1)) {
        cells c = cells_of(i + SIZES - COUNTED_SAMPLE + 1);
        c.birth = cells_random(1000u + (unsigned)i) % 512;
        c.survive = cells_random(2000u + (unsigned)i) % 512;
        expect_plain(&c, i);
    }
}

Test(cells, by_tables_are_those_of_a_plain_loop)
{
    for (int i = 0; i < extended(TABLES_SAMPLE, TABLES_ALL); i++) {
        cells c = cells_of(3 * i);
        c.table = 1 + cells_random(3000u + (unsigned)i) % 1000;
        expect_plain(&c, i + 1);
    }
}

Test(cells, by_tables_of_stars_are_those_of_a_plain_loop)
{
    for (int i = 0; i < extended(2 * TABLES_SAMPLE, TABLES_ALL); i += unsanitized(3, 1)) {
        cells c = cells_of(3 * i + 1);
        c.table = 1 + cells_random(4000u + (unsigned)i) % 1000;
        c.looks = i % 2 ? &cells_star_in_space : &cells_star;
        if (i % 2) c.nz = 2 + i % 9, c.ny = c.ny % 90 + 1;
        expect_plain(&c, c.nz > 1 ? 0 : i + 1); /* a space is stepped once at a time */
    }
}

/* A sweep of so many different births. */
static const char *write_births(int worlds)
{
    const char *path = text("%s/births.csv", folder_make());
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs("birth\n", file) >= 0);
    for (int i = 0; i < worlds; i++) fprintf(file, "%d\n", i);
    cr_assert_eq(fclose(file), 0);
    return path;
}

static void expect_no_rule(const char *options, const char *why)
{
    process p = engine_start(text("--explain --plugin '%s/cells.so' --device cpu %s", MASS_TEST_PLUGINS, options));
    outcome o = engine_finish(&p);
    const json_t *launch = json_array_get(json_object_get(o.report, "step"), 0);
    for (size_t i = 1; launch && !json_object_get(launch, "form"); i++)
        launch = json_array_get(json_object_get(o.report, "step"), i);
    const char *said = json_string_value(json_object_get(launch, "rule_not"));
    cr_expect(why ? said && strcmp(said, why) == 0 : !said, "%s: %s", options, said ? said : "nothing");
    outcome_free(&o);
}

Test(cells, without_a_rule_are_explained)
{
    const char *table = write_births(64);
    expect_no_rule("--set rule=table", NULL);
    expect_no_rule("--set rule=dated", "its body asks for the step");
    expect_no_rule("--size 8x8x8", NULL);
    expect_no_rule("--size 8x8x8 --set rule=star", NULL);
    expect_no_rule("--size 8x8x8 --set rule=all", "it looks at more than 18 bits");
    expect_no_rule("--set rule=star", NULL);
    expect_no_rule("--set rule=all", "it looks at more than 18 bits");
    expect_no_rule(text("--sweep %s", table), NULL);
    expect_no_rule(text("--sweep %s", write_births(65)), "its parameters have too many values in different worlds");
}

/* In space, wherever they run. */
Test(cells, of_space_are_the_same_everywhere)
{
    static const char *const rules[] = {"moore", "two", "star", "all"};
    for (int i = 0; i < 8; i += unsanitized(3, 1)) {
        const char *o = text("--plugin '%s/cells.so' --seed 5 --size %dx%dx%d --steps 21 --worlds %d --set rule=%s "
                             "--set torus=%d --set beyond=%d --set table=%d", MASS_TEST_PLUGINS, 30 + 37 * i, 5 + i,
                             7 - i / 2, 1 + i / 3, rules[i % 4], i, i % 3 == 0, i);
        const char *expected = engine_known_result(text("%s --device cpu --no-bits --threads 1", o));
        cr_expect_str_eq(engine_result(text("%s --device cpu --threads 3 --partitions %d", o, 1 + i % 3)), expected,
                         "%s", o);
        cr_expect_str_eq(engine_result(text("%s --device paranoid", o)), expected, "%s", o);
    }
}

/* In a sweep, each table is asked what its worlds look at. */
Test(cells, of_space_are_swept)
{
    const char *path = text("%s/tables.csv", folder_make());
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs("table\n5\n7\n5\n900\n", file) >= 0 && fclose(file) == 0);
    const char *o = text("--plugin '%s/cells.so' --seed 5 --size 70x9x5 --steps 21 --set rule=two --sweep %s",
                         MASS_TEST_PLUGINS, path);
    cr_expect_str_eq(engine_result(text("%s --device cpu --threads 3 --partitions 2", o)),
                     engine_result(text("%s --device cpu --threads 1 --no-bits", o)));
    expect_no_rule(text("--size 70x9x5 --set rule=two --sweep %s", path), NULL);
}

/* Also where two attributes see each other, in three worlds: what a body says, run as it is written. */
Test(cells, of_other_rules_are_those_of_their_bodies)
{
    static const char *const rules[] = {"two", "neumann --set birth=5 --set survive=22"};
    for (int i = 0; i < 8; i += unsanitized(3, 1)) {
        const char *o = text("--plugin '%s/cells.so' --seed 5 --size %dx%d --steps 41 --worlds 3 --set rule=%s "
                             "--set torus=%d --set beyond=%d --device cpu", MASS_TEST_PLUGINS, 30 + 37 * i, 64 + i,
                             rules[i % 2], i / 2, i % 3 == 0);
        cr_expect_str_eq(engine_result(text("%s --fuse %d --threads 3 --partitions %d", o, 2 << i % 4, 1 + i % 2)),
                         engine_result(text("%s --no-bits --threads 1", o)), "%s", o);
    }
}

/* ---- worlds with rules of their own ---- */

static const char *where_of(int number)
{
    static const int fuse[] = {1, 4, 16, 2};
    return text("--device cpu --fuse %d --threads %d --partitions %d%s", fuse[number % 4], 1 + number % 3,
                1 + number / 4 % 2, number % 2 ? " --until 'alive < 0'" : ""); /* so that all steps are tallied */
}

Test(cells, sweeps_of_rules_are_those_of_a_plain_loop)
{
    for (int i = 0; i < SWEEPS; i += unsanitized(3, 1)) expect_plain_sweep(i, where_of(i / 3 + i));
}

Test(cells, worlds_of_sweeps_of_rules_are_runs_of_their_own)
{
    for (int i = 0; i < SWEEPS; i += unsanitized(7, 3)) expect_sweep_of_runs(i, where_of(i + 1));
}

Test(cells, conditions_end_sweeps_of_rules_at_the_same_step)
{
    const char *o = text("--plugin '%s/cells.so' --size 64x64 --seed 1 --steps 40 --sweep %s --until 'alive > 1500' "
                         "--device cpu", MASS_TEST_PLUGINS, write_births(40));
    const char *expected = engine_result(text("%s --no-bits --threads 1", o));
    for (int i = 0; i < 2; i++)
        cr_expect_str_eq(engine_result(text("%s --fuse %d --threads 2", o, i ? 4 : 1)), expected);
}

Test(cells, sweeps_of_too_many_rules_are_run_as_they_are_written)
{
    const char *o = text("--plugin '%s/cells.so' --size 65x9 --seed 1 --steps 12 --sweep %s --device cpu",
                         MASS_TEST_PLUGINS, write_births(70));
    cr_expect_str_eq(engine_result(text("%s --threads 2", o)), engine_result(text("%s --no-bits --threads 1", o)));
}

/* What people are told, without --json. */
Test(cells, rules_of_worlds_are_explained)
{
    char said[8192];
    FILE *out = popen(text("'%s' --explain --plugin '%s/cells.so' --device cpu --size 64x64 --sweep %s",
                           getenv("MASS_ENGINE"), MASS_TEST_PLUGINS, write_births(6)), "r");
    cr_assert_not_null(out);
    said[fread(said, 1, sizeof said - 1, out)] = '\0';
    cr_assert_eq(pclose(out), 0);
    cr_expect_not_null(strstr(said, ", 6 rules by world]\n      world 0: B/S23, "), "%s", said);
    cr_expect_not_null(strstr(said, "\n      world 3: B01/S23, "), "%s", said);
    cr_expect_not_null(strstr(said, " a word\n      and 2 more rules\n"), "%s", said);
}

static json_t *rules_of(const outcome *o)
{
    const json_t *launch, *step = json_object_get(o->report, "step");
    size_t i;
    json_array_foreach(step, i, launch)
        if (json_object_get(launch, "rules")) return json_object_get(launch, "rules");
    return NULL;
}

Test(cells, rules_of_worlds_are_listed)
{
    process p = engine_start(text("--explain --plugin '%s/cells.so' --device cpu --first-world 3 --sweep %s",
                                  MASS_TEST_PLUGINS, write_births(6)));
    outcome o = engine_finish(&p);
    cr_assert_eq(json_array_size(rules_of(&o)), 6);
    const json_t *last = json_array_get(rules_of(&o), 5);
    cr_expect(strncmp(json_string_value(json_object_get(last, "rule")), "B02/S23, ", 9) == 0);
    cr_expect_eq(json_integer_value(json_array_get(json_object_get(last, "worlds"), 0)), 8);
    outcome_free(&o);
}
