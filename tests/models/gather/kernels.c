/* SPDX-License-Identifier: Apache-2.0 */
/* Tallies of many accumulators, over places, agents and residents. */
#include "gather.h"

#include <mass/mass.h>

/* 2^exponent times a small integer. */
MASS_FN double number_as_real(int64_t number)
{
    const uint64_t power = (uint64_t)(EXPONENT_OF(number) + 1023) << 52;
    return (double)MANTISSA_OF(number) * mass_f64_bits(power);
}

#define PLACES(FIELD)                      \
    FIELD(seen,  int32_t, UPDATE, seen)    \
    FIELD(few,   int64_t, BINS, few)       \
    FIELD(ever,  int64_t, BINS, ever)      \
    FIELD(ones,  int64_t, SUM,  ones)      \
    FIELD(sum,   double,  SUM,  sum)       \
    FIELD(mean,  double,  SUM,  mean)

MASS_MAP(gather_places, PLACES)
{
    const int64_t number = NUMBER_OF(AT_X, AT_Y, (int64_t)STEP);
    OUT(seen) += 1;
    COUNT_IN(few, FEW_OF(number));
    ADD_IN(ever, FEW_OF(number), number);
    ADD(ones, 1);
    ADD(sum, number_as_real(number));
    if (number % 3 == 0) ADD(mean, number_as_real(number));
}

/* Bytes alone, and nothing but counts: wide strips, copies side by side. */
#define BYTES(FIELD)                       \
    FIELD(byte,  uint8_t, READ, byte)      \
    FIELD(bytes, int64_t, BINS, bytes)

MASS_STENCIL(gather_bytes, BYTES, 2, 1)
{
    COUNT_IN(bytes, (uint8_t)(IN(byte) + NEAR(byte, 1, 0) + NEAR(byte, 0, -1)));
}

/* More bins than a block of a GPU has room for. */
#define MANIES(FIELD)                      \
    FIELD(byte, uint8_t, READ, byte)       \
    FIELD(many, int64_t, BINS, many)

MASS_MAP(gather_many, MANIES)
{
    const int64_t number = NUMBER_OF(AT_X, AT_Y, (int64_t)STEP);
    COUNT_IN(many, MANY_OF(number) + IN(byte));
}

#define WALK(FIELD)                        \
    FIELD(steps, int32_t, UPDATE, steps)   \
    FIELD(met,   int64_t, BINS, met)       \
    FIELD(most,  int64_t, BINS, most)      \
    FIELD(paid,  double,  SUM,  paid)

MASS_AGENT(gather_walk, WALK, 2)
{
    const int64_t number = NUMBER_OF((int64_t)AGENT_ID, 5, (int64_t)STEP);
    OUT(steps) += 1;
    COUNT_IN(met, FEW_OF(number));
    COUNT_IN(most, MOST_OF(number));
    ADD(paid, number_as_real(number));
    MIGRATE((int)(number % 5) - 2, 0);
}

#define CROWDS(FIELD)                         \
    FIELD(steps,  int32_t, RESIDENT, steps)   \
    FIELD(crowds, int64_t, BINS, crowds)      \
    FIELD(there,  double,  SUM,  there)

MASS_RESIDENTS(gather_crowds, CROWDS, 2, 0)
{
    COUNT_IN(crowds, RESIDENT_COUNT);
    EACH_RESIDENT(a) { ADD(there, OF(steps, a) * 0.1); }
}
