/* SPDX-License-Identifier: Apache-2.0 */
#include "sweeps.h"
#include "plain.h"
#include "run.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORLDS = 7, STEPS = 21, TABLES = 4 /* every so many sweeps, one of tables */ };

static const int sizes[][2] = {{65, 33}, {31, 40}, {63, 65}, {128, 34}, {33, 33}, {1, 35}, {700, 37}, {64, 32}};

static bool is_of_tables(int number) { return number % TABLES == TABLES - 1; }

/* Neighbours may have the same rule, and so may worlds further apart; of counts, one has none of births and survivals
 * in some sweeps, and one all. */
static void make_worlds(int number, cells worlds[WORLDS])
{
    const int *size = sizes[number % (int)(sizeof sizes / sizeof *sizes)];
    for (unsigned w = 0; w < WORLDS; w++) {
        const unsigned any = (unsigned)number * WORLDS + w;
        worlds[w] = (cells){.nx = size[0], .ny = size[1], .nz = 1, .looks = &cells_square,
                            .torus = (unsigned)(number + number / 4) % 4,
                            .beyond = (unsigned)number / 2 % 2, .birth = cells_random(any) % 512,
                            .survive = cells_random(any + 5000) % 512,
                            .table = is_of_tables(number) ? 1 + cells_random(any) % 1000 : 0};
    }
    worlds[3] = worlds[2];
    worlds[5] = worlds[0];
    if (number % 3 == 1) worlds[1].birth = worlds[1].survive = 0;
    if (number % 3 == 1) worlds[4].birth = worlds[4].survive = 511;
}

static const char *row_of(const cells *c)
{
    return c->table ? text("%u", c->table) : text("%u,%u", c->birth, c->survive);
}

static const char *write_table(const char *folder, const cells *worlds)
{
    const char *path = text("%s/sweep.csv", folder);
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(worlds->table ? "table\n" : "birth,survive\n", file) >= 0);
    for (int w = 0; w < WORLDS; w++) fprintf(file, "%s\n", row_of(&worlds[w]));
    cr_assert_eq(fclose(file), 0);
    return path;
}

static const char *options_of(const cells *c)
{
    return text("--plugin '%s/cells.so' --seed 9 --size %dx%d --set torus=%u --set beyond=%u --set rule=%s",
                MASS_TEST_PLUGINS, c->nx, c->ny, c->torus, c->beyond, c->table ? "table" : "moore");
}

typedef struct found {
    outcome outcome;
    dataset cells; /* [worlds][ny][nx] */
} found;

static found run(const char *options, int steps)
{
    const char *folder = folder_make();
    found f = {.outcome = engine_run(text("%s --steps %d --checkpoint %s", options, steps, folder))};
    f.cells = dataset_read(checkpoint_path(folder, (uint64_t)steps), "/places/grid/cell");
    folder_empty(folder);
    return f;
}

static void done(found *f)
{
    outcome_free(&f->outcome);
    free(f->cells.bytes);
}

static json_t *tallies_of(const found *f) { return json_object_get(f->outcome.report, "tallies"); }

void expect_plain_sweep(int number, const char *where)
{
    cells worlds[WORLDS];
    const char *folder = folder_make();
    make_worlds(number, worlds);
    const char *options = text("%s --sweep %s", options_of(worlds), write_table(folder, worlds));
    const size_t size = (size_t)worlds->nx * (size_t)worlds->ny;
    found begun = run(text("%s --device cpu --threads 1", options), 0);
    found ended = run(text("%s %s", options, where), STEPS);
    cr_assert_eq(begun.cells.size, WORLDS * size);
    cr_assert_eq(ended.cells.size, WORLDS * size);
    for (size_t w = 0; w < WORLDS; w++) {
        int64_t alive = 0;
        unsigned char *expected = begun.cells.bytes + w * size;
        cells_advance(&worlds[w], expected, STEPS);
        for (size_t i = 0; i < size; i++) alive += expected[i];
        cr_expect_arr_eq(ended.cells.bytes + w * size, expected, size, "world %zu of %s, %s", w, options, where);
        const json_t *counted = json_array_get(json_object_get(tallies_of(&ended), "alive"), w);
        cr_expect_eq(json_integer_value(counted), alive, "alive in world %zu of %s, %s", w, options, where);
    }
    outcome plain = engine_run(text("%s --steps %d --device cpu --threads 1 --no-bits", options, STEPS));
    cr_expect_str_eq(ended.outcome.hash, plain.hash, "%s, %s", options, where);
    cr_expect_str_eq(ended.outcome.tallies, plain.tallies, "%s, %s", options, where);
    outcome_free(&plain);
    done(&begun);
    done(&ended);
    folder_empty(folder);
}

static const char *set_of(const cells *c)
{
    return c->table ? text("--set table=%u", c->table)
                    : text("--set birth=%u --set survive=%u", c->birth, c->survive);
}

void expect_sweep_of_runs(int number, const char *where)
{
    cells worlds[WORLDS];
    const char *folder = folder_make(), *name;
    make_worlds(number, worlds);
    found all = run(text("%s --sweep %s %s", options_of(worlds), write_table(folder, worlds), where), STEPS);
    const size_t size = (size_t)worlds->nx * (size_t)worlds->ny;
    for (int w = 0; w < WORLDS; w++) {
        json_t *values;
        const char *options = text("%s %s --first-world %d --device cpu --threads 1", options_of(worlds),
                                   set_of(&worlds[w]), w);
        found alone = run(options, STEPS);
        cr_expect_arr_eq(all.cells.bytes + (size_t)w * size, alone.cells.bytes, size, "%s, %s", options, where);
        json_object_foreach(tallies_of(&all), name, values)
            cr_expect(json_equal(json_array_get(values, (size_t)w),
                                 json_object_get(tallies_of(&alone), name)),
                      "%s of %s, %s", name, options, where);
        done(&alone);
    }
    done(&all);
    folder_empty(folder);
}
