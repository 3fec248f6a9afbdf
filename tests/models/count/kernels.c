/* SPDX-License-Identifier: Apache-2.0 */
/* A model whose tallies a test can work out by itself. */
#include <mass/mass.h>

#define COUNT(FIELD)                       \
    FIELD(sum,     int64_t, UPDATE, sum)   \
    FIELD(total,   int64_t, SUM,    total) \
    FIELD(lowest,  int64_t, MIN,    lowest) \
    FIELD(highest, int64_t, MAX,    highest) \
    FIELD(step,    int64_t, SUM,    step)

/* Another number at each place and step. */
#define NUMBER ((AT_X * 7 + AT_Y * 13 + (int64_t)STEP * 31) % 101 - (int64_t)STEP)

MASS_MAP(count_add, COUNT)
{
    const int64_t number = NUMBER;
    OUT(sum) += number;
    ADD(total, number);
    LEAST(lowest, number);
    MOST(highest, number);
    ADD(step, number);
}

#define LOOK(FIELD)                        \
    FIELD(sum,     int64_t, READ, sum)     \
    FIELD(largest, int64_t, MAX,  largest) \
    FIELD(smallest, int64_t, MIN, smallest)

/* In a phase of its own, without cumulative tallies. */
MASS_MAP(count_look, LOOK)
{
    MOST(largest, IN(sum));
    LEAST(smallest, IN(sum));
}
