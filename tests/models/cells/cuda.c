/* SPDX-License-Identifier: Apache-2.0 */
/* Rules over bits on a GPU, by words of places, some steps at once too: the bits of the CPU's loops. */
#include "run.h"
#include "sweeps.h"

#include <criterion/criterion.h>
#include <stdio.h>

static const char *const sizes[] = {"1x1",   "2x3",    "31x7",     "32x32",   "33x65",    "63x2",  "65x33",
                                    "129x6", "777x30", "1000x777", "2100x64", "300x3000", "5x3x4", "66x5x9"};
/* The first COUNTED go by counts of neighbours. */
static const char *const rules[] = {"--set birth=8 --set survive=12", "--set birth=73 --set survive=330",
                                    "--set rule=neumann --set birth=5 --set survive=22",
                                    "--set rule=table --set table=7", "--set rule=two", "--set rule=dated",
                                    "--set rule=star --set table=9", "--set rule=all"};
enum { SIZES = sizeof sizes / sizeof *sizes, PLANES = SIZES - 2, RULES = sizeof rules / sizeof *rules, COUNTED = 3 };

/* What is beyond bounded edges, and which are, differ from number to number; three worlds now and then. */
static void expect_same(int size, int rule, int number, const char *where)
{
    const char *o = text("--plugin '%s/cells.so' --size %s --seed 5 --steps 77 %s --set torus=%d --set beyond=%d "
                         "--worlds %d", MASS_TEST_PLUGINS, sizes[size], rules[rule], number * 5 % 8, number & 1,
                         number % 3 == 0 ? 3 : 1);
    const char *expected = engine_known_result(text("%s --device cpu --threads 1 --no-bits", o));
    cr_expect_str_eq(engine_result(text("%s %s", o, where)), expected, "%s %s", o, where);
}

static void each(const char *where)
{
    for (int size = 0; size < SIZES; size++)
        for (int k = 0; k < 2; k++) expect_same(size, (size + 3 * k) % RULES, size + k, where);
}

Test(cells_cuda, follow_rules_to_the_same_bits) { each("--device cuda"); }
Test(cells_cuda, are_the_same_without_rules) { each("--device cuda --no-bits"); }
Test(cells_cuda, count_in_every_step) { each("--device cuda --until 'alive < 0'"); }
Test(cells_cuda, are_the_same_in_partitions)
{
    for (int size = 3; size < SIZES; size++)
        for (int rule = 0; rule < RULES; rule++) expect_same(size, rule, size + 1, "--device cuda --partitions 2");
}
Test(cells_cuda, go_some_steps_at_once)
{
    static const int fuse[] = {2, 4, 8, 16};
    for (int size = 0; size < PLANES; size++)
        for (int rule = 0; rule < COUNTED; rule++)
            expect_same(size, rule, size + rule, text("--device cuda --fuse %d", fuse[(size + rule) % 4]));
}

/* ---- worlds with rules of their own ---- */

Test(cells_cuda, sweeps_of_rules_are_those_of_a_plain_loop)
{
    for (int i = 0; i < SWEEPS; i++)
        expect_plain_sweep(i, i % 2 ? "--device cuda" : "--device cuda --until 'alive < 0'");
}

static const char *write_sweep(void)
{
    const char *path = text("%s/sweep.csv", folder_make());
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs("birth,survive\n8,12\n72,12\n72,12\n8,12\n73,330\n", file) >= 0);
    cr_assert_eq(fclose(file), 0);
    return path;
}

/* Of so many places that runs of worlds are launches of their own. */
static void expect_same_sweep(const char *options, const char *where)
{
    const char *o = text("--plugin '%s/cells.so' --seed 5 --steps 45 --sweep %s %s", MASS_TEST_PLUGINS, write_sweep(),
                         options);
    const char *expected = engine_result(text("%s --device cpu --no-bits", o));
    for (int fuse = 1; fuse <= 16; fuse *= 4)
        cr_expect_str_eq(engine_result(text("%s --device cuda --fuse %d %s", o, fuse, where)), expected, "%s %s", o,
                         where);
}

Test(cells_cuda, large_worlds_of_sweeps_follow_each_its_own)
{
    expect_same_sweep("--size 1537x1400", "");
    expect_same_sweep("--size 1600x1400 --set torus=0 --set beyond=1", "");
    expect_same_sweep("--size 1537x1400 --set rule=neumann --set torus=1", "");
    expect_same_sweep("--size 1537x1400 --set torus=2", "--partitions 2");
    expect_same_sweep("--size 1600x1400", "--until 'alive < 0'");
    expect_same_sweep("--size 1537x1400 --set torus=0", "--until 'alive < 0'");
}

Test(cells_cuda, large_worlds_of_sweeps_are_explained)
{
    process p = engine_start(text("--explain --plugin '%s/cells.so' --device cuda --size 1600x1400 --sweep %s",
                                  MASS_TEST_PLUGINS, write_sweep()));
    outcome o = engine_finish(&p);
    size_t i, lists = 0;
    const json_t *operation, *step = json_object_get(o.report, "step");
    json_array_foreach(step, i, operation) lists += json_array_size(json_object_get(operation, "rules")) == 3;
    cr_expect_eq(lists, 1, "%s", o.errors);
    outcome_free(&o);
}
