/* SPDX-License-Identifier: Apache-2.0 */
/* A model whose tallies a test can work out by itself: cumulative ones beside those of a step. */
#include <mass/model.h>

MASS_SPACE(grid, 2, .size = {37, 23})
MASS_ATTRIBUTE(grid, int64_t, sum, .help = "of the place's numbers")

MASS_TALLY(SUM, int64_t, total, "for a test", .cumulative = 1)
MASS_TALLY(MIN, int64_t, lowest, "for a test", .cumulative = 1)
MASS_TALLY(MAX, int64_t, highest, "for a test", .cumulative = 1)
MASS_TALLY(SUM, int64_t, step, "for a test")
MASS_TALLY(MAX, int64_t, largest, "for a test")
MASS_TALLY(MIN, int64_t, smallest, "for a test")

/* Another number at each place and step. */
#define NUMBER ((AT_X * 7 + AT_Y * 13 + (int64_t)STEP * 31) % 101 - (int64_t)STEP)

MASS_MAP(count_add, UPDATES(sum), SUMS(total), MINS(lowest), MAXES(highest), SUMS(step))
{
    const int64_t number = NUMBER;
    OUT(sum) += number;
    ADD(total, number);
    LEAST(lowest, number);
    MOST(highest, number);
    ADD(step, number);
}

/* In a phase of its own, without cumulative tallies. */
MASS_MAP(count_look, READS(sum), MAXES(largest), MINS(smallest))
{
    MOST(largest, IN(sum));
    LEAST(smallest, IN(sum));
}

MASS_SCHEDULE(STEPS(count_add), STEPS(count_look))

MASS_PLUGIN(.name = "count", .version = "1.0.0", .help = "counts what a test can count too");
