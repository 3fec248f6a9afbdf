/* SPDX-License-Identifier: Apache-2.0 */
/* Tallies of a step and cumulative ones, however the run goes and wherever it stops. */
#include "same.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { NX = 37, NY = 23 };

typedef struct counts {
    int64_t total, lowest, highest, step, largest, smallest;
} counts;

static int64_t number(int x, int y, int step) { return (x * 7 + y * 13 + step * 31) % 101 - step; }

static counts counts_after(int steps)
{
    counts c = {.lowest = INT64_MAX, .highest = INT64_MIN, .largest = INT64_MIN, .smallest = INT64_MAX};
    for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) {
            int64_t sum = 0;
            for (int step = 1; step <= steps; step++) {
                const int64_t n = number(x, y, step);
                sum += n;
                if (n < c.lowest) c.lowest = n;
                if (n > c.highest) c.highest = n;
            }
            c.total += sum;
            c.step += number(x, y, steps);
            if (sum > c.largest) c.largest = sum;
            if (sum < c.smallest) c.smallest = sum;
        }
    return c;
}

static void expect_counts(const char *options, int steps)
{
    const counts c = counts_after(steps);
    outcome o = engine_run(options);
    cr_expect_eq(tally_of(&o, "total"), c.total, "total: %s", options);
    cr_expect_eq(tally_of(&o, "lowest"), c.lowest, "lowest: %s", options);
    cr_expect_eq(tally_of(&o, "highest"), c.highest, "highest: %s", options);
    cr_expect_eq(tally_of(&o, "step"), c.step, "step: %s", options);
    cr_expect_eq(tally_of(&o, "largest"), c.largest, "largest: %s", options);
    cr_expect_eq(tally_of(&o, "smallest"), c.smallest, "smallest: %s", options);
    outcome_free(&o);
}

static const char *const places[] = {
    "--device cpu --threads 1", "--device cpu --threads 2 --partitions 7", "--device paranoid --partitions 3"};
enum { PLACES = sizeof places / sizeof *places };

static const char *count_model(void) { return text("--plugin '%s/count.so' --seed 1", MASS_TEST_PLUGINS); }

Test(tallies, are_those_of_a_plain_count)
{
    for (int i = 0; i < PLACES; i++)
        for (int steps = 1; steps <= 101; steps += 25)
            expect_counts(text("%s --steps %d %s", count_model(), steps, places[i]), steps);
}

Test(tallies, of_every_kind_are_the_same_in_every_way)
{
    for (int width = 1; width <= 40; width += 13) {
        const model m = {text("--plugin '%s/sums.so' --seed 1 --size %dx23", MASS_TEST_PLUGINS, width),
                         "/places/grid/byte", 23, 5, NULL, NULL};
        for (int i = 0; i < PLACES; i++) expect_same(&m, places[i], expected_result(&m));
    }
}

Test(tallies, survive_a_resume)
{
    const char *folder = folder_make();
    expect_counts(text("%s --steps 10 --checkpoint %s %s", count_model(), folder, places[0]), 10);
    for (int i = 0; i < 2 * PLACES; i++) {
        const int steps = 10 + (i + 1) / 2 * 20; /* every other resume is of a run at its end */
        expect_counts(text("--resume %s --plugin '%s/count.so' --steps %d %s", folder, MASS_TEST_PLUGINS, steps,
                           places[i % PLACES]), steps);
    }
}

Test(tallies, do_not_depend_on_checkpoints_between)
{
    for (int every = 1; every <= 10; every += 3)
        expect_counts(text("%s --steps 50 --checkpoint %s --checkpoint-every %d %s", count_model(), folder_make(),
                           every, places[0]), 50);
}
