/* SPDX-License-Identifier: Apache-2.0 */
/* Reduced: numbers of every type, in places and agents, to be reduced: integers of all bits, floats of many exponents,
 * some of them NaN. */
#include <mass/model.h>

#include "reduced.h"

MASS_SPACE(grid, 2, .size = {61, 43}, .torus = MASS_AXES_ALL)
#define OF_PLACES(NAME, TYPE, LOW, HIGH) MASS_ATTRIBUTE(grid, TYPE, a_##NAME, .help = "any")
REDUCED_TYPES(OF_PLACES)
MASS_ATTRIBUTE(grid, double, pair, .length = 2, .help = "two")
MASS_ATTRIBUTE(grid, float, gap, .help = "some are NaN")
MASS_ATTRIBUTE(grid, uint8_t, woven, .length = 2, .layout = MASS_INTERLEAVED, .help = "any")

MASS_POPULATION(walker, grid, .count = 700, .children = 1)
#define OF_AGENTS(NAME, TYPE, LOW, HIGH) MASS_AGENT_ATTRIBUTE(walker, TYPE, a_##NAME, .help = "any")
REDUCED_TYPES(OF_AGENTS)
MASS_AGENT_ATTRIBUTE(walker, double, pair, .length = 2, .help = "two")
MASS_AGENT_ATTRIBUTE(walker, float, gap, .help = "some are NaN")

MASS_REDUCTION(declared, .operation = MASS_HISTOGRAM, .population = "walker", .attribute = "gap", .bins = 10, .low = 5,
               .high = 95, .unit = "walkers")
MASS_REDUCTION(second, .operation = MASS_SUM, .attribute = "pair", .component = 1)
MASS_SERIES("declared")

MASS_FN int64_t number_of(mass_random4 r) { return (int64_t)((uint64_t)r.v[0] << 32 | r.v[1]); }

/* 53 bits, in the middle of the exponents. */
MASS_FN double real_of(mass_random4 r)
{
    const int64_t mantissa = number_of(r) / 2048;
    return (double)mantissa * mass_f64_bits((uint64_t)(1023 - 46 - r.v[2] % 32) << 52);
}

#define INTEGERS WRITES(a_i8, a_u8, a_i16, a_u16, a_i32, a_u32, a_i64, a_u64)
#define INTEGERS_BODY                            \
    const int64_t number = number_of(RANDOM(0)); \
    OUT(a_i8) = (int8_t)(uint8_t)number;         \
    OUT(a_u8) = (uint8_t)(number >> 3);          \
    OUT(a_i16) = (int16_t)(uint16_t)number;      \
    OUT(a_u16) = (uint16_t)(number >> 5);        \
    OUT(a_i32) = (int32_t)(uint32_t)number;      \
    OUT(a_u32) = (uint32_t)(number >> 7);        \
    OUT(a_i64) = number;                         \
    OUT(a_u64) = (uint64_t)number * 3;

#define FLOATS WRITES(a_f32, a_f64, AS(two, pair, 1), gap)
#define FLOATS_BODY                        \
    const mass_random4 r = RANDOM(1);      \
    OUT(a_f32) = (float)real_of(r);        \
    OUT(a_f64) = real_of(r);               \
    OUT(two) = (double)(r.v[3] % 9);       \
    OUT(gap) = r.v[3] % 5 == 0 ? (float)mass_f64_bits(0x7ff8000000000000u) : (float)(r.v[3] % 100);

MASS_MAP(reduced_places, INTEGERS)
{
    INTEGERS_BODY
}

MASS_MAP(reduced_floats, FLOATS)
{
    FLOATS_BODY
}

MASS_AGENT(reduced_agents, walker, 2, INTEGERS, FLOATS, CHILDREN(a_u8))
{
    INTEGERS_BODY
    FLOATS_BODY
    if (r.v[3] % 16 == 1) KILL();
    if (r.v[3] % 16 == 2) {
        SPAWN(1);
        CHILD(a_u8, 0) = 77;
    }
    MIGRATE((int)(r.v[0] % 5) - 2, (int)(r.v[1] % 3) - 1);
}

MASS_SCHEDULE(STEPS(reduced_places), STEPS(reduced_floats), STEPS(reduced_agents), MANAGES(walker))

MASS_PLUGIN(.name = "reduced", .version = "1.0.0", .help = "numbers of all types");
