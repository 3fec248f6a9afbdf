/* SPDX-License-Identifier: Apache-2.0 */
/* A map with every kind of field. */
#ifndef MASS_TESTS_EVERYTHING_H
#define MASS_TESTS_EVERYTHING_H

#include <mass/kernel.h>

typedef struct pair { int16_t a, b; } pair;

MASS_MAP(everything, READS(TYPED(seen, uint8_t)), UPDATES(TYPED(count, int32_t), TYPED(both, pair)),
         WRITES(TYPED(made, double, made[1])), GIVEN(TYPED(gain, int64_t), TYPED(rate, double)),
         SUMS(TYPED(total, int64_t)), MINS(TYPED(least, int64_t)), MAXES(TYPED(most, int64_t)),
         MINS(TYPED(coldest, double)), MAXES(TYPED(hottest, double)))
{
    const int64_t place = AT_X + 7 * AT_Y + 11 * AT_Z;
    const double heat = PARAM(rate) * ((double)IN(seen) - 100.0);
    OUT(count) = (int32_t)((uint32_t)OUT(count) + (uint32_t)(PARAM(gain) * IN(seen)));
    OUT(both).b = (int16_t)(OUT(both).a + OUT(both).b);
    OUT(made) = heat + (double)place + (double)STEP;
    ADD(total, IN(seen));
    ADD(total, 1);
    LEAST(least, place - IN(seen));
    MOST(most, place * IN(seen));
    LEAST(coldest, heat);
    MOST(hottest, heat);
}

#endif
