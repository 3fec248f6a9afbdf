/* SPDX-License-Identifier: Apache-2.0 */
#include "tables.h"
#include "minesweeper/minesweeper.h"
#include "sugarscape/sugarscape.h"

#include <criterion/criterion.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_file(const char *path, const char *content)
{
    FILE *f = fopen(path, "w");
    cr_assert(f && fputs(content, f) >= 0 && fclose(f) == 0, "%s cannot be written", path);
}

/* ---- agents ---- */

enum { ROWS = 500, NX = 40, NY = 23, STEPS = 5 };

/* Of two worlds, in no order; ids have gaps. */
typedef struct rows {
    int64_t x[ROWS], y[ROWS], id[ROWS], world[ROWS], age[ROWS];
} rows;

static const rows *make_rows(void)
{
    static rows r;
    uint64_t z = 1;
    for (int i = 0; i < ROWS; i++) {
        z = z * 6364136223846793005u + 1442695040888963407u;
        r.x[i] = (int64_t)(z >> 33) % NX;
        r.y[i] = (int64_t)(z >> 40) % NY;
        r.id[i] = (int64_t)(i * 7919 % 10007);
        r.world[i] = (int64_t)(z >> 50) % 3 > 0;
        r.age[i] = (int64_t)(z >> 35) % 1000;
    }
    return &r;
}

static const char *write_csv(const char *folder, const rows *r)
{
    const char *path = text("%s/cells.csv", folder);
    FILE *f = fopen(path, "w");
    cr_assert_not_null(f);
    fputs("age,x,id,y,world\n", f);
    for (int i = 0; i < ROWS; i++)
        fprintf(f, "%d,%d,%d,%d,%d\n", (int)r->age[i], (int)r->x[i], (int)r->id[i], (int)r->y[i], (int)r->world[i]);
    cr_assert_eq(fclose(f), 0);
    return path;
}

static const char *write_hdf5(const char *folder, const rows *r)
{
    const char *path = text("%s/cells.h5", folder);
    const struct {
        const char *name;
        const int64_t *values;
    } columns[] = {{"x", r->x}, {"y", r->y}, {"id", r->id}, {"world", r->world}, {"age", r->age}};
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &(const hsize_t){ROWS}, NULL);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const hid_t set = H5Dcreate2(file, columns[i].name, H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT,
                                     H5P_DEFAULT);
        cr_assert_geq(H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, columns[i].values), 0);
        H5Dclose(set);
    }
    H5Sclose(space);
    cr_assert_geq(H5Fclose(file), 0);
    return path;
}

static model cells_from(const char *table)
{
    return (model){text("--plugin '%s/doubling.so' --size %dx%d --seed 1 --worlds 2 --set cells_table=%s",
                        MASS_TEST_PLUGINS, NX, NY, table), "/agents/cells/age", NY, STEPS, NULL, NULL};
}

static void expect_count(const model *m, const char *where, const rows *r)
{
    outcome o = engine_run(text("%s --steps %d %s", m->options, m->steps, where));
    int rows_of[2] = {0};
    for (int i = 0; i < ROWS; i++) rows_of[r->world[i]]++;
    json_t *alive = json_object_get(json_object_get(o.report, "tallies"), "alive");
    for (size_t w = 0; w < 2; w++) cr_expect_eq(json_integer_value(json_array_get(alive, w)), rows_of[w] << STEPS);
    outcome_free(&o);
}

void expect_tables(const char *where)
{
    const char *folder = folder_make();
    const rows *r = make_rows();
    const model csv = cells_from(write_csv(folder, r)), hdf5 = cells_from(write_hdf5(folder, r));
    const char *expected = expected_result(&csv);
    expect_same_in_partitions(&csv, where, expected);
    expect_same_in_partitions(&hdf5, where, expected);
    expect_count(&csv, where, r);
    folder_empty(folder);
}

/* ---- sweeps ---- */

static void expect_sweep(const model *all, const char *csv, const char *const rows_of[], const char *where)
{
    const char *folder = folder_make(), *path = text("%s/sweep.csv", folder);
    write_file(path, csv);
    model together = *all;
    together.options = text("%s --sweep %s", all->options, path);
    expect_same_in_partitions(&together, where, expected_result(&together));
    outcome swept = engine_run(text("%s --steps %d %s", together.options, all->steps, where));
    for (int w = 0; rows_of[w]; w++) {
        outcome alone = engine_run(text("%s --steps %d %s --first-world %d --device cpu --threads 1", all->options,
                                        all->steps, rows_of[w], w));
        const char *name;
        json_t *values;
        json_object_foreach(json_object_get(swept.report, "tallies"), name, values)
            cr_expect(json_equal(json_array_get(values, (size_t)w),
                                 json_object_get(json_object_get(alone.report, "tallies"), name)),
                      "%s of world %d of %s", name, w, together.options);
        outcome_free(&alone);
    }
    outcome_free(&swept);
    folder_empty(folder);
}

void expect_sweeps(const char *where)
{
    const model ants = sugarscape_model(40, 33, 40, "--seed 3"), walkers = minesweeper_model(20, 17, 60, "--seed 4");
    static const char *const of_ants[] = {"--set ants=30 --set vision_max=4 --set replace=yes --set reproduce=0",
                                          "--set ants=900 --set vision_max=9 --set replace=no --set reproduce=15",
                                          "--set ants=200 --set vision_max=1 --set replace=yes --set reproduce=9",
                                          NULL};
    static const char *const of_walkers[] = {
        "--set agents=1 --set epsilon_step=0.5 --set start=corner --set mines=9",
        "--set agents=700 --set epsilon_step=0.1 --set start=random --set mines=60", NULL};
    expect_sweep(&ants, "ants,vision_max,replace,reproduce\n30,4,yes,0\n900,9,no,15\n200,1,yes,9\n", of_ants, where);
    expect_sweep(&walkers, "agents,epsilon_step,start,mines\n1,0.5,corner,9\n700,0.1,random,60\n", of_walkers, where);
}
