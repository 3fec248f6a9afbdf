/* SPDX-License-Identifier: Apache-2.0 */
/* A map with every kind of field. */
#ifndef MASS_TESTS_EVERYTHING_H
#define MASS_TESTS_EVERYTHING_H

#include <mass/mass.h>

typedef struct pair { int16_t a, b; } pair;

#define EVERYTHING(FIELD)                \
    FIELD(seen, uint8_t, READ, seen)     \
    FIELD(count, int32_t, UPDATE, count) \
    FIELD(both, pair, UPDATE, both)      \
    FIELD(made, double, WRITE, made[1])  \
    FIELD(gain, int64_t, PARAM, gain)    \
    FIELD(rate, double, PARAM, rate)     \
    FIELD(total, int64_t, SUM, total)    \
    FIELD(least, int64_t, MIN, least)    \
    FIELD(most, int64_t, MAX, most)      \
    FIELD(coldest, double, MIN, coldest) \
    FIELD(hottest, double, MAX, hottest)
MASS_MAP(everything, EVERYTHING)
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
