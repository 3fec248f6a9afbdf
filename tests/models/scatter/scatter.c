/* SPDX-License-Identifier: Apache-2.0 */
/* Places and agents that throw numbers around themselves, in spaces of one to three dimensions: by callbacks of every
 * kind, under conditions, with births. */
#define MASS_SHARED_CALLBACKS /* scatter.h */
#include <mass/model.h>

#include "scatter.h"

enum { STILL, WALKING, BREEDING };
MASS_PARAMETER(int64_t, torus, MASS_AXES_ALL, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, walkers, 60, 0, 100000, "how many there are at first")
MASS_PARAMETER(choice, lives, "still", "what walkers do besides", "still", "walking", "breeding")

MASS_SPACE_OF(grid, 1, 3, .size = {24, 18}, .torus = (uint32_t)VALUE(torus))

#if MASS_HOST

static uint32_t dimensions; /* found out when the plugin is opened */

MASS_OPEN(scatter_find_dimensions)
{
    mass_gidx size[3];
    return mass_values_of(host)->size(host, "grid", size, &dimensions);
}

#endif

MASS_CONSTANT(int64_t, radius, 4 - (int64_t)dimensions)
MASS_CONSTANT(int64_t, life, VALUE(lives))
MASS_TALLY(SUM, int64_t, thrown, "for a test")
MASS_TALLY(SUM, int64_t, tosses, "for a test", .cumulative = 1)

MASS_POPULATION(walkers, grid, .constant = VALUE(life) != BREEDING, .children = VALUE(life) == BREEDING,
                .count = VALUE(walkers))
#define WIDE(TYPE) .initial = &(const TYPE){(TYPE)-13}
#define NARROW(TYPE) .initial = &(const TYPE){11}
MASS_ATTRIBUTE(grid, int64_t, value, WIDE(int64_t))
MASS_ATTRIBUTE(grid, int32_t, i32, NARROW(int32_t))
MASS_ATTRIBUTE(grid, uint32_t, u32, NARROW(uint32_t))
MASS_ATTRIBUTE(grid, int64_t, i64, WIDE(int64_t))
MASS_ATTRIBUTE(grid, uint64_t, u64, WIDE(uint64_t))
MASS_AGENT_ATTRIBUTE(walkers, int64_t, tossed)

MASS_MAP(scatter_sow, WRITES(value))
{
    const mass_random4 r = RANDOM(0);
    OUT(value) = (int64_t)(((uint64_t)r.v[0] << 32) | r.v[1]);
}

#define PLACE_NUMBER ((uint64_t)((AT_Z * SIZE_Y + AT_Y) * SIZE_X + AT_X))
#define OFFSET(which) scatter_offset(draw, which, PARAM(radius))

/* Of every type one: to somewhere around, a neighbour's value too, and to a corner. */
#define THROW READS(value), GIVEN(radius), SCATTERS(i32, u32, i64, u64), SUMS(thrown)
MASS_SCATTER(scatter_throw_1d, 1, 3, THROW)
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

MASS_SCATTER(scatter_throw_2d, 2, 2, THROW)
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

MASS_SCATTER(scatter_throw_3d, 3, 1, THROW)
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
#define GATHER READS(i32, u32, i64, u64), WRITES(value)
MASS_STENCIL(scatter_gather_1d, 1, 1, GATHER)
{
    OUT(value) = (int64_t)((uint64_t)NEAR(i32, -1) * 3 + NEAR(u32, 1) * (uint64_t)5 + (uint64_t)NEAR(i64, -1) * 7 +
                           NEAR(u64, 1) * 9 + (uint64_t)IN(i64));
}

MASS_STENCIL(scatter_gather_2d, 2, 1, GATHER)
{
    OUT(value) = (int64_t)((uint64_t)NEAR(i32, -1, 1) * 3 + NEAR(u32, 1, 1) * (uint64_t)5 +
                           (uint64_t)NEAR(i64, -1, -1) * 7 + NEAR(u64, 1, -1) * 9 + (uint64_t)IN(i64));
}

MASS_STENCIL(scatter_gather_3d, 3, 1, GATHER)
{
    OUT(value) = (int64_t)((uint64_t)NEAR(i32, -1, 1, 1) * 3 + NEAR(u32, 1, 1, -1) * (uint64_t)5 +
                           (uint64_t)NEAR(i64, -1, -1, 1) * 7 + NEAR(u64, 1, -1, -1) * 9 + (uint64_t)IN(i64));
}

/* An agent throws as far as it may; it may have a child at times, die at others, and walk on. */
MASS_AGENT(scatter_toss, walkers, 0, UPDATES(tossed), GIVEN(radius, life), SEES(i64), SCATTERS(i32), CHILDREN(tossed),
           SUMS(tosses))
{
    const uint64_t draw = scatter_draw(AGENT_ID, STEP);
    const uint64_t amount = (uint64_t)SEE(i64, 0) + AGENT_ID;
    SCATTER(i32, amount, OFFSET(0), SIZE_Y > 1 ? OFFSET(1) : 0, SIZE_Z > 1 ? OFFSET(2) : 0);
    OUT(tossed)++;
    ADD(tosses, 1);
    if (PARAM(life) == STILL) return;
    if (PARAM(life) == BREEDING && draw >> 60 == 0) {
        SPAWN(1);
        CHILD(tossed, 0) = 1;
    }
    if (draw % 24 == 0) KILL();
    if (EXISTS(OFFSET(3), 0, 0)) MIGRATE(OFFSET(3), 0, 0);
}

/* The agents of a place throw together. */
MASS_OCCUPIED(scatter_meet, walkers, 0, 1, MEETS(tossed), SCATTERS(u64))
{
    EACH_RESIDENT(a) SCATTER(u64, OF(tossed, a) + 3, 1);
}

/* In some worlds and steps: to the own place only. */
MASS_MAP(scatter_spill, UPDATES(value), SCATTERS(u32))
{
    SCATTER(u32, OUT(value), 0);
    OUT(value)++;
}

#define ABOVE .condition = &(const mass_condition){.tally = "thrown", .relation = MASS_GREATER, .value = 0}
#define REACH .reach = (int32_t)VALUE(radius)
MASS_SCHEDULE(STARTS(scatter_sow), IF(dimensions == 1, STEPS(scatter_throw_1d)),
              IF(dimensions == 2, STEPS(scatter_throw_2d)), IF(dimensions == 3, STEPS(scatter_throw_3d)),
              STEPS(scatter_spill, .space = "grid", ABOVE), IF(dimensions == 1, STEPS(scatter_gather_1d)),
              IF(dimensions == 2, STEPS(scatter_gather_2d)), IF(dimensions == 3, STEPS(scatter_gather_3d)),
              STEPS(scatter_toss, REACH), MANAGES(walkers), STEPS(scatter_meet))

/* Which the engine does not take, since ghosts would be missing. */
MASS_WORLD_STEPS(scatter_throw_1d, scatter_throw_2d, scatter_throw_3d, scatter_spill, scatter_gather_1d,
                 scatter_gather_2d, scatter_gather_3d, scatter_toss, scatter_meet)
MASS_PLUGIN(.name = "scatter", .version = "1.0.0", .help = "places and agents that throw numbers around themselves");
