/* SPDX-License-Identifier: Apache-2.0 */
/* Gather: tallies of many accumulators, bins, exact sums and means, over places, agents and residents. */
#include <mass/model.h>

#include "gather.h"

MASS_PARAMETER(choice, method, "auto", "how bins are counted", "auto", "sequential", "global", "stride", "shared")
#define METHOD .method = (uint32_t)VALUE(method)

MASS_SPACE(grid, 2, .size = {61, 43}, .torus = MASS_AXIS_X)
MASS_ATTRIBUTE(grid, int32_t, seen, .help = "steps")
MASS_ATTRIBUTE(grid, uint8_t, byte, .help = "any")

MASS_TALLY(SUM, int64_t, few, "for a test", .bins = FEW, METHOD)
MASS_TALLY(SUM, int64_t, ever, "for a test", .bins = FEW, METHOD, .cumulative = 1)
MASS_TALLY(SUM, int64_t, bytes, "for a test", .bins = 256, METHOD)
MASS_TALLY(SUM, int64_t, many, "for a test", .bins = MANY, METHOD)
MASS_TALLY(SUM, int64_t, met, "for a test", .bins = FEW, METHOD, .cumulative = 1)
MASS_TALLY(SUM, int64_t, most, "for a test", .bins = MOST, METHOD)
MASS_TALLY(SUM, int64_t, crowds, "for a test", .bins = FEW, METHOD)
MASS_TALLY(SUM, int64_t, ones, "for a test")
MASS_TALLY(SUM, double, sum, "for a test")
MASS_TALLY(MEAN, double, mean, "for a test")
MASS_TALLY(SUM, double, paid, "for a test", .cumulative = 1)
MASS_TALLY(SUM, double, there, "for a test")

MASS_POPULATION(walker, grid, .count = 500, .constant = 1)
MASS_AGENT_ATTRIBUTE(walker, int32_t, steps, .help = "taken")

/* 2^exponent times a small integer. */
MASS_FN double number_as_real(int64_t number)
{
    const uint64_t power = (uint64_t)(EXPONENT_OF(number) + 1023) << 52;
    return (double)MANTISSA_OF(number) * mass_f64_bits(power);
}

MASS_MAP(gather_places, UPDATES(seen), BINS(few, ever), SUMS(ones, sum, mean))
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
MASS_STENCIL(gather_bytes, 2, 1, READS(byte), BINS(bytes))
{
    COUNT_IN(bytes, (uint8_t)(IN(byte) + NEAR(byte, 1, 0) + NEAR(byte, 0, -1)));
}

/* More bins than a block of a GPU has room for. */
MASS_MAP(gather_many, READS(byte), BINS(many))
{
    const int64_t number = NUMBER_OF(AT_X, AT_Y, (int64_t)STEP);
    COUNT_IN(many, MANY_OF(number) + IN(byte));
}

MASS_AGENT(gather_walk, walker, 2, UPDATES(steps), BINS(met, most), SUMS(paid))
{
    const int64_t number = NUMBER_OF((int64_t)AGENT_ID, 5, (int64_t)STEP);
    OUT(steps) += 1;
    COUNT_IN(met, FEW_OF(number));
    COUNT_IN(most, MOST_OF(number));
    ADD(paid, number_as_real(number));
    MIGRATE((int)(number % 5) - 2, 0);
}

MASS_RESIDENTS(gather_crowds, walker, 2, 0, MEETS(steps), BINS(crowds), SUMS(there))
{
    COUNT_IN(crowds, RESIDENT_COUNT);
    EACH_RESIDENT(a) { ADD(there, OF(steps, a) * 0.1); }
}

MASS_SCHEDULE(STEPS(gather_places), STEPS(gather_bytes), STEPS(gather_many), STEPS(gather_walk), MANAGES(walker),
              STEPS(gather_crowds))

#if MASS_HOST

/* Bytes of all values, the same in any world. */
static mass_status gather_load(mass_host *host)
{
    mass_gidx size[3];
    mass_values_of(host)->size(host, "grid", size, &(uint32_t){0});
    for (mass_gidx y = 0; y < size[1]; y++)
        for (mass_gidx x = 0; x < size[0]; x++) {
            const uint8_t byte = (uint8_t)(x * y);
            for (int32_t w = 0; w < mass_run_of(host)->worlds(host); w++) {
                const mass_gidx at[3] = {x, y, 0}, one[3] = {1, 1, 1};
                const mass_status status = mass_run_of(host)->write(host, "grid", "byte", w, at, one, &byte);
                if (status != MASS_OK) return status;
            }
        }
    return MASS_OK;
}

#endif

MASS_PLUGIN(.name = "gather", .version = "1.0.0", .help = "tallies of many accumulators", .load = gather_load);
