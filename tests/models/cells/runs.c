/* SPDX-License-Identifier: Apache-2.0 */
/* Random rules over bits on CPUs, by words, several steps in one pass too, beside a plain loop. */
#include "../../extended.h"
#include "run.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTED_SAMPLE = 10, COUNTED_ALL = 200, TABLES_SAMPLE = 4, TABLES_ALL = 50, STEPS = 19 };
enum { AXIS_X = 1, AXIS_Y = 2, AXIS_Z = 4 };

static const int sizes[][2] = {{1, 1},   {2, 31},  {31, 2},  {32, 63}, {63, 1},   {65, 33}, {33, 65},
                               {1, 63},  {63, 32}, {2, 2},   {65, 65}, {1000, 777}, {31, 32}, {32, 1}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Places that a table goes by, in the order of an entry's bits. */
typedef struct looks {
    const char *rule;
    int count, at[9][3];
} looks;
static const looks square = {"table", 9, {{-1, -1}, {0, -1}, {1, -1}, {-1}, {0}, {1}, {-1, 1}, {0, 1}, {1, 1}}};
static const looks star = {"star", 9, {{0, -2}, {0, -1}, {-2}, {-1}, {0}, {1}, {2}, {0, 1}, {0, 2}}};
static const looks star_in_space = {"star", 7, {{0, 0, -1}, {0, -1}, {-1}, {0}, {1}, {0, 1}, {0, 0, 1}}};

typedef struct cells {
    int nx, ny, nz; /* nz 1: a plane */
    unsigned torus, beyond; /* axes that wrap; what is beyond the others */
    unsigned birth, survive;
    const looks *looks;
    unsigned table; /* number of a table of their combinations; 0: by counts */
} cells;

/* What comes of the places whose bits lie in `index`; by counts, the place's own is bit 4. */
static int becomes(const cells *c, unsigned index)
{
    if (c->table == 0) {
        const int n = __builtin_popcount(index & ~16u);
        return (index & 16 ? c->survive : c->birth) >> n & 1;
    }
    unsigned v = (index + 1) * 2654435761u ^ c->table * 40503u; /* as in cells.c */
    v ^= v >> 15, v *= 2246822519u, v ^= v >> 13, v *= 3266489917u;
    return v >> 16 & 1;
}

static bool wrap(int *at, int size, bool wraps)
{
    if (wraps) *at = (*at % size + size) % size;
    return *at >= 0 && *at < size;
}

static unsigned at(const cells *c, const unsigned char *now, int x, int y, int z)
{
    const bool inside = wrap(&x, c->nx, c->torus & AXIS_X) & wrap(&y, c->ny, c->torus & AXIS_Y) &
                        wrap(&z, c->nz, c->torus & AXIS_Z);
    return inside ? now[(z * c->ny + y) * c->nx + x] : c->beyond;
}

static void advance(const cells *c, const unsigned char *now, unsigned char *next)
{
    for (int z = 0; z < c->nz; z++)
        for (int y = 0; y < c->ny; y++)
            for (int x = 0; x < c->nx; x++) {
                unsigned index = 0;
                for (int k = 0; k < c->looks->count; k++) {
                    const int *by = c->looks->at[k];
                    index |= at(c, now, x + by[0], y + by[1], z + by[2]) << k;
                }
                *next++ = (unsigned char)becomes(c, index);
            }
}

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
    *alive = tally_of(&o, "alive");
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
    unsigned char *next = malloc(before.size);
    for (int step = 0; step < STEPS; step++) {
        unsigned char *now = before.bytes;
        advance(c, now, next);
        before.bytes = next;
        next = now;
    }
    const int slowest = c->nz > 1 ? c->nz : c->ny;
    const char *where = text("--fuse %d --threads %d --partitions %d", fuse[number % 5], 1 + number % 3,
                             slowest >= 32 ? 1 + number / 2 % 2 : 1);
    dataset found = run(c, STEPS, where, &alive);
    for (size_t i = 0; i < found.size; i++) count += before.bytes[i];
    cr_expect_arr_eq(found.bytes, before.bytes, found.size, "%dx%dx%d, torus %u, beyond %u, birth %u, survive "
                     "%u, table %u, %s", c->nx, c->ny, c->nz, c->torus, c->beyond, c->birth, c->survive,
                     c->table, where);
    cr_expect_eq(alive, count);
    free(next);
    free(before.bytes);
    free(found.bytes);
}

static unsigned random_bits(unsigned number)
{
    number = (number + 1) * 2654435761u;
    return (number ^ number >> 15) * 2246822519u >> 7;
}

static cells cells_of(int number)
{
    const int *size = sizes[number % SIZES];
    return (cells){.nx = size[0], .ny = size[1], .nz = 1, .torus = random_bits((unsigned)number) % 8,
                   .beyond = number / 4 % 2, .looks = &square};
}

Test(cells, by_counts_are_those_of_a_plain_loop)
{
    for (int i = 0; i < extended(COUNTED_SAMPLE, COUNTED_ALL); i++) {
        cells c = cells_of(i + SIZES - COUNTED_SAMPLE + 1);
        c.birth = random_bits(1000u + (unsigned)i) % 512;
        c.survive = random_bits(2000u + (unsigned)i) % 512;
        expect_plain(&c, i);
    }
}

Test(cells, by_tables_are_those_of_a_plain_loop)
{
    for (int i = 0; i < extended(TABLES_SAMPLE, TABLES_ALL); i++) {
        cells c = cells_of(3 * i);
        c.table = 1 + random_bits(3000u + (unsigned)i) % 1000;
        expect_plain(&c, i + 1);
    }
}

Test(cells, by_tables_of_stars_are_those_of_a_plain_loop)
{
    for (int i = 0; i < extended(2 * TABLES_SAMPLE, TABLES_ALL); i++) {
        cells c = cells_of(3 * i + 1);
        c.table = 1 + random_bits(4000u + (unsigned)i) % 1000;
        c.looks = i % 2 ? &star_in_space : &star;
        if (i % 2) c.nz = 2 + i % 9, c.ny = c.ny % 90 + 1;
        expect_plain(&c, c.nz > 1 ? 0 : i + 1); /* a space is stepped once at a time */
    }
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
    const char *table = text("%s/births.csv", folder_make());
    FILE *file = fopen(table, "w");
    cr_assert(file && fputs("birth\n8\n9\n", file) >= 0 && fclose(file) == 0);
    expect_no_rule("--set rule=table", NULL);
    expect_no_rule("--set rule=dated", "its body asks for the step");
    expect_no_rule("--size 8x8x8", NULL);
    expect_no_rule("--size 8x8x8 --set rule=star", NULL);
    expect_no_rule("--size 8x8x8 --set rule=all", "it looks at more than 18 bits");
    expect_no_rule("--set rule=star", NULL);
    expect_no_rule("--set rule=all", "it looks at more than 18 bits");
    expect_no_rule(text("--sweep %s", table), "worlds differ in its parameters");
}

/* In space, wherever they run. */
Test(cells, of_space_are_the_same_everywhere)
{
    static const char *const rules[] = {"moore", "two", "star", "all"};
    for (int i = 0; i < 8; i++) {
        const char *o = text("--plugin '%s/cells.so' --seed 5 --size %dx%dx%d --steps 21 --worlds %d --set rule=%s "
                             "--set torus=%d --set beyond=%d --set table=%d", MASS_TEST_PLUGINS, 30 + 37 * i, 5 + i,
                             7 - i / 2, 1 + i / 3, rules[i % 4], i, i % 3 == 0, i);
        const char *expected = engine_known_result(text("%s --device cpu --no-bits --threads 1", o));
        cr_expect_str_eq(engine_result(text("%s --device cpu --threads 3 --partitions %d", o, 1 + i % 3)), expected,
                         "%s", o);
        cr_expect_str_eq(engine_result(text("%s --device paranoid", o)), expected, "%s", o);
    }
}

/* Also where two attributes see each other, in three worlds: what a body says, run as it is written. */
Test(cells, of_other_rules_are_those_of_their_bodies)
{
    static const char *const rules[] = {"two", "neumann --set birth=5 --set survive=22"};
    for (int i = 0; i < 8; i++) {
        const char *o = text("--plugin '%s/cells.so' --seed 5 --size %dx%d --steps 41 --worlds 3 --set rule=%s "
                             "--set torus=%d --set beyond=%d --device cpu", MASS_TEST_PLUGINS, 30 + 37 * i, 64 + i,
                             rules[i % 2], i / 2, i % 3 == 0);
        cr_expect_str_eq(engine_result(text("%s --fuse %d --threads 3 --partitions %d", o, 2 << i % 4, 1 + i % 2)),
                         engine_result(text("%s --no-bits --threads 1", o)), "%s", o);
    }
}
