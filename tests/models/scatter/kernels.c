/* SPDX-License-Identifier: Apache-2.0 */
#include "scatter.h"

#define SOW(FIELD) FIELD(value, int64_t, WRITE, value)
MASS_MAP(scatter_sow, SOW)
{
    const mass_random4 r = RANDOM(0);
    OUT(value) = (int64_t)(((uint64_t)r.v[0] << 32) | r.v[1]);
}

/* Of every type one: to somewhere around, a neighbour's value too, and to a corner. */
#define THROW(FIELD)                          \
    FIELD(value,  int64_t,  READ,        value)  \
    FIELD(radius, int64_t,  PARAM,       radius) \
    FIELD(i32,    int32_t,  SCATTER_ADD, i32)    \
    FIELD(u32,    uint32_t, SCATTER_ADD, u32)    \
    FIELD(i64,    int64_t,  SCATTER_ADD, i64)    \
    FIELD(u64,    uint64_t, SCATTER_ADD, u64)    \
    FIELD(thrown, int64_t,  SUM,         thrown)

#define PLACE_NUMBER ((uint64_t)((AT_Z * SIZE_Y + AT_Y) * SIZE_X + AT_X))
#define OFFSET(which) scatter_offset(draw, which, PARAM(radius))
MASS_SCATTER(scatter_throw_1d, THROW, 1, 3)
{
    const uint64_t draw = scatter_draw(PLACE_NUMBER, STEP);
    const int corner = (int)PARAM(radius);
    SCATTER(i32, IN(value), OFFSET(0));
    SCATTER(u32, draw, OFFSET(3));
    SCATTER(i64, NEAR(value, 1), OFFSET(6));
    SCATTER(u64, IN(value), OFFSET(9));
    if (draw & 1) SCATTER(i64, -7, -corner);
    else SCATTER(i64, 5, corner);
    ADD(thrown, NEAR(value, 1) % 1000);
}

MASS_SCATTER(scatter_throw_2d, THROW, 2, 2)
{
    const uint64_t draw = scatter_draw(PLACE_NUMBER, STEP);
    const int corner = (int)PARAM(radius);
    SCATTER(i32, IN(value), OFFSET(0), OFFSET(1));
    SCATTER(u32, draw, OFFSET(3), OFFSET(4));
    SCATTER(i64, NEAR(value, 1, 0), OFFSET(6), OFFSET(7));
    SCATTER(u64, IN(value), OFFSET(9), OFFSET(10));
    if (draw & 1) SCATTER(i64, -7, -corner, -corner);
    else SCATTER(i64, 5, corner, -corner);
    ADD(thrown, NEAR(value, 1, 0) % 1000);
}

MASS_SCATTER(scatter_throw_3d, THROW, 3, 1)
{
    const uint64_t draw = scatter_draw(PLACE_NUMBER, STEP);
    const int corner = (int)PARAM(radius);
    SCATTER(i32, IN(value), OFFSET(0), OFFSET(1), OFFSET(2));
    SCATTER(u32, draw, OFFSET(3), OFFSET(4), OFFSET(5));
    SCATTER(i64, NEAR(value, 1, 0, 0), OFFSET(6), OFFSET(7), OFFSET(8));
    SCATTER(u64, IN(value), OFFSET(9), OFFSET(10), OFFSET(11));
    if (draw & 1) SCATTER(i64, -7, -corner, -corner, -corner);
    else SCATTER(i64, 5, corner, -corner, corner);
    ADD(thrown, NEAR(value, 1, 0, 0) % 1000);
}

/* What was thrown is seen over every edge and seam. */
#define GATHER(FIELD)                   \
    FIELD(i32,   int32_t,  READ,  i32)  \
    FIELD(u32,   uint32_t, READ,  u32)  \
    FIELD(i64,   int64_t,  READ,  i64)  \
    FIELD(u64,   uint64_t, READ,  u64)  \
    FIELD(value, int64_t,  WRITE, value)
MASS_STENCIL(scatter_gather_1d, GATHER, 1, 1)
{
    OUT(value) = (int64_t)((uint64_t)NEAR(i32, -1) * 3 + NEAR(u32, 1) * (uint64_t)5 + (uint64_t)NEAR(i64, -1) * 7 +
                           NEAR(u64, 1) * 9 + (uint64_t)IN(i64));
}

MASS_STENCIL(scatter_gather_2d, GATHER, 2, 1)
{
    OUT(value) = (int64_t)((uint64_t)NEAR(i32, -1, 1) * 3 + NEAR(u32, 1, 1) * (uint64_t)5 +
                           (uint64_t)NEAR(i64, -1, -1) * 7 + NEAR(u64, 1, -1) * 9 + (uint64_t)IN(i64));
}

MASS_STENCIL(scatter_gather_3d, GATHER, 3, 1)
{
    OUT(value) = (int64_t)((uint64_t)NEAR(i32, -1, 1, 1) * 3 + NEAR(u32, 1, 1, -1) * (uint64_t)5 +
                           (uint64_t)NEAR(i64, -1, -1, 1) * 7 + NEAR(u64, 1, -1, -1) * 9 + (uint64_t)IN(i64));
}

/* An agent throws as far as it may; it may have a child at times, die at others, and walk on. */
#define TOSS(FIELD)                              \
    FIELD(tossed, int64_t, UPDATE,      tossed)  \
    FIELD(radius, int64_t, PARAM,       radius)  \
    FIELD(life,   int64_t, PARAM,       life)    \
    FIELD(i64,    int64_t, PLACE,       i64)     \
    FIELD(i32,    int32_t, SCATTER_ADD, i32)     \
    FIELD(given,  int64_t, CHILD,       tossed)  \
    FIELD(all,    int64_t, SUM,         tosses)
MASS_AGENT(scatter_toss, TOSS, 0)
{
    const uint64_t draw = scatter_draw(AGENT_ID, STEP);
    const uint64_t amount = (uint64_t)SEE(i64, 0) + AGENT_ID;
    SCATTER(i32, amount, OFFSET(0), SIZE_Y > 1 ? OFFSET(1) : 0, SIZE_Z > 1 ? OFFSET(2) : 0);
    OUT(tossed)++;
    ADD(all, 1);
    if (PARAM(life) == 0) return;
    if (PARAM(life) == 2 && draw >> 60 == 0) {
        SPAWN(1);
        CHILD(given, 0) = 1;
    }
    if (draw % 24 == 0) KILL();
    if (EXISTS(OFFSET(3), 0, 0)) MIGRATE(OFFSET(3), 0, 0);
}

/* The agents of a place throw together. */
#define MEET(FIELD)                                 \
    FIELD(tossed, int64_t,  RESIDENT,    tossed)    \
    FIELD(u64,    uint64_t, SCATTER_ADD, u64)
MASS_OCCUPIED(scatter_meet, MEET, 0, 1)
{
    EACH_RESIDENT(a) SCATTER(u64, OF(tossed, a) + 3, 1);
}

/* In some worlds and steps: to the own place only. */
#define SPILL(FIELD)                           \
    FIELD(value, int64_t,  UPDATE,      value) \
    FIELD(u32,   uint32_t, SCATTER_ADD, u32)
MASS_MAP(scatter_spill, SPILL)
{
    SCATTER(u32, OUT(value), 0);
    OUT(value)++;
}

/* Which the engine does not take, since ghosts would be missing. */
MASS_WORLD_STEPS(scatter_throw_1d, scatter_throw_2d, scatter_throw_3d, scatter_spill, scatter_gather_1d,
                 scatter_gather_2d, scatter_gather_3d, scatter_toss, scatter_meet)
