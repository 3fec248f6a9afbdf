/* SPDX-License-Identifier: Apache-2.0 */
/* The models with which mass-bench measures the cost of tallies: Life of bits and of bytes, and a weighted mean of
 * f32. */
#include <mass/model.h>

MASS_PARAMETER(choice, of, "bytes", "what places are", "bits", "bytes", "f32")

MASS_SPACE_OF(grid, 2, 2, .size = {512, 512}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(grid, bool, bit)
MASS_ATTRIBUTE(grid, uint8_t, byte)
MASS_ATTRIBUTE(grid, float, value)

MASS_TALLY(SUM, int64_t, population, "cells that live")
MASS_TALLY(SUM, int64_t, births, "cells that came to live")
MASS_TALLY(SUM, int64_t, deaths, "cells that lived")
MASS_TALLY(SUM, int64_t, warm, "places above a half")

/* Sets each bit at random. */
MASS_MAP(tallies_start_bits, WRITES(bit))
{
    OUT(bit) = RANDOM(0).v[0] & 1;
}
/* Sets each byte to 0 or 1 at random. */
MASS_MAP(tallies_start_bytes, WRITES(byte))
{
    OUT(byte) = RANDOM(0).v[0] & 1;
}
/* Sets each place to a random number from 0 to 1. */
MASS_MAP(tallies_start_f32, WRITES(value))
{
    OUT(value) = mass_unit_f32(RANDOM(0).v[0]);
}

/* The number of living neighbours of the eight. */
#define NEIGHBOURS(f)                                                                            \
    (uint8_t)(NEAR(f, -1, -1) + NEAR(f, 0, -1) + NEAR(f, 1, -1) + NEAR(f, -1, 0) + NEAR(f, 1, 0) + \
              NEAR(f, -1, 1) + NEAR(f, 0, 1) + NEAR(f, 1, 1))
/* A step of Life at a place, with the tallies: the living, births and deaths. */
#define LIFE(f)                                                  \
    const uint8_t now = IN(f), n = NEIGHBOURS(f);                \
    const uint8_t next = (uint8_t)((n == 3) | ((n == 2) & now)); \
    OUT(f) = next;                                               \
    ADD(population, next);                                       \
    ADD_UNLESS(births, next, now);                               \
    ADD_UNLESS(deaths, now, next)

MASS_STENCIL(tallies_bits, 2, 1, READS(bit), WRITES(bit), SUMS(population, births, deaths))
{
    LIFE(bit);
}
MASS_STENCIL(tallies_bytes, 2, 1, READS(byte), WRITES(byte), SUMS(population, births, deaths))
{
    LIFE(byte);
}
MASS_STENCIL(tallies_f32, 2, 1, READS(value), WRITES(value), SUMS(warm))
{
    OUT(value) = 0.5f * IN(value) + 0.125f * ((NEAR(value, -1, 0) + NEAR(value, 1, 0)) +
                                              (NEAR(value, 0, -1) + NEAR(value, 0, 1)));
    ADD(warm, (uint8_t)(OUT(value) > 0.5f));
}

MASS_SCHEDULE(IF(VALUE(of) == 0, STARTS(tallies_start_bits)), IF(VALUE(of) == 0, STEPS(tallies_bits)),
              IF(VALUE(of) == 1, STARTS(tallies_start_bytes)), IF(VALUE(of) == 1, STEPS(tallies_bytes)),
              IF(VALUE(of) == 2, STARTS(tallies_start_f32)), IF(VALUE(of) == 2, STEPS(tallies_f32)))
MASS_DEFAULT_STEPS(100)

MASS_PLUGIN(.name = "tallies", .version = "1.0.0", .help = "models whose tallies cost little or much");
