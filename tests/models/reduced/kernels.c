/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of every type, in places and agents: integers of all bits, floats of many exponents, some of them NaN. */
#include "reduced_kernels.h"

#include <mass/mass.h>

MASS_FN int64_t number_of(mass_random4 r) { return (int64_t)((uint64_t)r.v[0] << 32 | r.v[1]); }

/* 53 bits, in the middle of the exponents. */
MASS_FN double real_of(mass_random4 r)
{
    const int64_t mantissa = number_of(r) / 2048;
    return (double)mantissa * mass_f64_bits((uint64_t)(1023 - 46 - r.v[2] % 32) << 52);
}

#define INTEGERS(FIELD)                     \
    FIELD(i8,  int8_t,   WRITE, a_i8)       \
    FIELD(u8,  uint8_t,  WRITE, a_u8)       \
    FIELD(i16, int16_t,  WRITE, a_i16)      \
    FIELD(u16, uint16_t, WRITE, a_u16)      \
    FIELD(i32, int32_t,  WRITE, a_i32)      \
    FIELD(u32, uint32_t, WRITE, a_u32)      \
    FIELD(i64, int64_t,  WRITE, a_i64)      \
    FIELD(u64, uint64_t, WRITE, a_u64)

#define FLOATS(FIELD)                       \
    FIELD(f32, float,    WRITE, a_f32)      \
    FIELD(f64, double,   WRITE, a_f64)      \
    FIELD(two, double,   WRITE, pair[1])    \
    FIELD(gap, float,    WRITE, gap)

#define INTEGERS_BODY                                 \
    const int64_t number = number_of(RANDOM(0));      \
    OUT(i8) = (int8_t)(uint8_t)number;                \
    OUT(u8) = (uint8_t)(number >> 3);                 \
    OUT(i16) = (int16_t)(uint16_t)number;             \
    OUT(u16) = (uint16_t)(number >> 5);               \
    OUT(i32) = (int32_t)(uint32_t)number;             \
    OUT(u32) = (uint32_t)(number >> 7);               \
    OUT(i64) = number;                                \
    OUT(u64) = (uint64_t)number * 3;
#define FLOATS_BODY                                   \
    const mass_random4 r = RANDOM(1);                 \
    OUT(f32) = (float)real_of(r);                     \
    OUT(f64) = real_of(r);                            \
    OUT(two) = (double)(r.v[3] % 9);                  \
    OUT(gap) = r.v[3] % 5 == 0 ? (float)mass_f64_bits(0x7ff8000000000000u) : (float)(r.v[3] % 100);

MASS_MAP(reduced_places, INTEGERS)
{
    INTEGERS_BODY
}

MASS_MAP(reduced_floats, FLOATS)
{
    FLOATS_BODY
}

#define AGENTS(FIELD) INTEGERS(FIELD) FLOATS(FIELD) FIELD(given, uint8_t, CHILD, a_u8)
MASS_AGENT(reduced_agents, AGENTS, 2)
{
    INTEGERS_BODY
    FLOATS_BODY
    if (r.v[3] % 16 == 1) KILL();
    if (r.v[3] % 16 == 2) {
        SPAWN(1);
        CHILD(given, 0) = 77;
    }
    MIGRATE((int)(r.v[0] % 5) - 2, (int)(r.v[1] % 3) - 1);
}
