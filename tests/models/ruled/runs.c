/* SPDX-License-Identifier: Apache-2.0 */
/* Rules over bits that are run by words come to what their bodies come to, however they are run. */
#include "run.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const char *const sizes[] = {"1x1", "2x3", "31x7", "32x5", "33x32", "63x2", "65x33", "64x9", "129x17",
                                    "1000x77"};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* With the birth and survival of any rule. */
static const char *run(int i, const char *how)
{
    return engine_result(text("--plugin '%s/ruled.so' --size %s --steps 9 --seed 5 --set torus=%d --set birth=%d "
                              "--set survive=%d %s", MASS_TEST_PLUGINS, sizes[i], i % 4, (8 + i * 37) & 511,
                              (12 + i * 91) & 511, how));
}

Test(ruled, words_and_bytes_are_the_same)
{
    for (int i = 0; i < SIZES; i++) {
        const char *expected = run(i, "--no-bits --threads 1");
        cr_assert_str_eq(run(i, "--threads 1"), expected, "%s", sizes[i]);
        cr_assert_str_eq(run(i, text("--threads %d", 2 + i % 4)), expected, "%s", sizes[i]);
    }
}

Test(ruled, every_place_to_run_is_the_same)
{
    for (int i = 4; i < SIZES; i += 2) {
        const char *expected = run(i, "--no-bits --threads 1");
        cr_assert_str_eq(run(i, "--device paranoid"), expected, "%s", sizes[i]);
        cr_assert_str_eq(run(i, "--partitions 2 --threads 2"), expected, "%s", sizes[i]);
        cr_assert_str_eq(run(i, text("--partitions %d", strstr(sizes[i], "x77") ? 5 : 3)), expected, "%s", sizes[i]);
    }
}

static const char *write_table(const char *rows)
{
    const char *table = text("%s/sweep.csv", folder_make());
    FILE *f = fopen(table, "w");
    cr_assert_not_null(f);
    fputs(rows, f);
    cr_assert_eq(fclose(f), 0);
    return table;
}

/* Worlds with the same parameters share a rule; where they differ in what a callback is given, it has one for each. */
Test(ruled, worlds_and_sweeps_are_the_same)
{
    const char *weights = write_table("weight\n1\n-7\n30\n"), *births = write_table("birth\n8\n9\n9\n8\n500\n");
    const char *both = write_table("survive,weight\n12,1\n12,-2\n7,1\n7,-2\n");
    for (int i = 4; i < SIZES; i += 4) {
        cr_assert_str_eq(run(i, "--worlds 3 --threads 2"), run(i, "--worlds 3 --no-bits"), "%s", sizes[i]);
        const char *const tables[] = {weights, births, both};
        for (int k = 0; k < 3; k++) {
            /* What a row says is not set. */
            const char *o = text("--plugin '%s/ruled.so' --size %s --steps 9 --seed 5 --set torus=%d --sweep '%s'",
                                 MASS_TEST_PLUGINS, sizes[i], i / 4, tables[k]);
            const char *expected = engine_result(text("%s --no-bits --threads 1", o));
            cr_assert_str_eq(engine_result(text("%s --threads 3", o)), expected, "%s", o);
            cr_assert_str_eq(engine_result(text("%s --threads 2 --partitions 2", o)), expected, "%s", o);
        }
    }
}
