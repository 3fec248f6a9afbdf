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

/* Worlds with the same parameters share a rule; where they differ, bodies are run. */
Test(ruled, worlds_and_sweeps_are_the_same)
{
    const char *table = text("%s/weights.csv", folder_make());
    FILE *f = fopen(table, "w");
    cr_assert_not_null(f);
    fputs("weight\n1\n-7\n30\n", f);
    cr_assert_eq(fclose(f), 0);
    for (int i = 4; i < SIZES; i += 4) {
        cr_assert_str_eq(run(i, "--worlds 3 --threads 2"), run(i, "--worlds 3 --no-bits"), "%s", sizes[i]);
        cr_assert_str_eq(run(i, text("--sweep '%s' --threads 2", table)),
                         run(i, text("--sweep '%s' --no-bits", table)), "%s", sizes[i]);
    }
}
