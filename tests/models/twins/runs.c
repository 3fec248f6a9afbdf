/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of bits on CPUs: the same values as their twins of bytes, however they are run. */
#include "run.h"

#include <criterion/criterion.h>
#include <string.h>

/* Widths around words and cache lines; one to three dimensions. */
static const char *const sizes[] = {"1",    "2",    "31",    "33",   "65",    "700",    "1600",  "1x1",      "2x3",
                                    "31x7", "32x5", "33x32", "63x2", "65x33", "129x17", "1000x7", "5x3x4", "66x5x9"};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const char *run_twins(const char *size, int torus, const char *where)
{
    return engine_result(text("--plugin '%s/twins.so' --size %s --steps 7 --seed 5 --set torus=%d --set walkers=%d %s",
                              MASS_TEST_PLUGINS, size, torus, strchr(size, 'x') ? 3 : 1, where));
}

static void expect_equal_twins(const char *size, int torus, const char *where)
{
    outcome o = engine_run(text("--plugin '%s/twins.so' --size %s --steps 7 --seed 5 --set torus=%d "
                                "--set walkers=%d %s", MASS_TEST_PLUGINS, size, torus,
                                strchr(size, 'x') ? 3 : 1, where));
    cr_assert_eq(tally_of(&o, "differ"), 0, "%s %s", size, where);
    cr_assert_eq(tally_of(&o, "alive"), tally_of(&o, "alive_too"), "%s %s", size, where);
    outcome_free(&o);
}

Test(twins, bits_and_bytes_stay_the_same)
{
    for (int i = 0; i < SIZES; i++) expect_equal_twins(sizes[i], i % 8, "--threads 1");
    expect_equal_twins("1000x777", 3, "--threads 2");
}

Test(twins, every_place_to_run_is_the_same)
{
    for (int i = 0; i < SIZES; i += 3) {
        const char *expected = run_twins(sizes[i], (i + 5) % 8, "--threads 1");
        cr_assert_str_eq(run_twins(sizes[i], (i + 5) % 8, "--threads 3"), expected, "%s", sizes[i]);
        cr_assert_str_eq(run_twins(sizes[i], (i + 5) % 8, "--device paranoid"), expected, "%s", sizes[i]);
    }
}

Test(twins, partitions_are_the_same)
{
    static const char *const cut[] = {"700", "1600", "31x7", "63x2", "65x33", "5x3x4"};
    for (int i = 0; i < (int)(sizeof cut / sizeof *cut); i++) {
        const char *expected = run_twins(cut[i], i + 1, "--threads 1");
        cr_assert_str_eq(run_twins(cut[i], i + 1, "--threads 2 --partitions 2"), expected, "%s", cut[i]);
    }
    engine_refuse(text("--plugin '%s/twins.so' --size 700 --partitions 3", MASS_TEST_PLUGINS), 2,
                  "it can be cut every 512 places, into 2");
}

Test(twins, worlds_are_apart)
{
    outcome o = engine_run(text("--plugin '%s/twins.so' --size 70x9 --steps 9 --worlds 5 --threads 2",
                                MASS_TEST_PLUGINS));
    const json_t *differ = json_object_get(json_object_get(o.report, "tallies"), "differ");
    cr_assert_eq(json_array_size(differ), 5);
    for (size_t i = 0; i < 5; i++) cr_assert_eq(json_integer_value(json_array_get(differ, i)), 0, "world %zu", i);
    outcome_free(&o);
}
