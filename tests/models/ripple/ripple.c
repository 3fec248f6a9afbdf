/* SPDX-License-Identifier: Apache-2.0 */
/* Places in turn, and agents after them, in all orders: shuffled, by id, by attributes, and reversed. After the last
 * step, a plain program does all of it again (plain.c). */
#include <mass/model.h>

#include "../first_agents.h"
#include "ripple.h"

MASS_PARAMETER(int64_t, torus, MASS_AXES_ALL, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, radius, 1, 0, 3, "of bodies over places")
MASS_PARAMETER(int64_t, reach, 0, 0, 3, "the smaller radius of their phase; 0: that of the bodies")
MASS_PARAMETER(int64_t, order, 0, 0, 6, "0: shuffled; 1: by id; else by an attribute; 6: by one that is not there")
MASS_PARAMETER(int64_t, reversed, 0, 0, 1, "1: the other way round")
MASS_PARAMETER(int64_t, walkers, 30, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, gated, 0, 0, 2, "1: no turns in every third step; 2: none at all")
MASS_PARAMETER(int64_t, compared, 1, 0, 1, "1: the last state must be that of a plain program, which is slow")
MASS_PARAMETER(int64_t, odd, 0, 0, 3, "1, 2: a body goes beyond its radius; 3: a height is not a number")

MASS_SPACE_OF(pond, 1, 3, .size = {11, 8}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(pond, int32_t, value, .initial = &(const int32_t){7})
MASS_ATTRIBUTE(pond, double, height)
MASS_ATTRIBUTE(pond, bool, wet)
MASS_ATTRIBUTE(pond, int8_t, kind)
MASS_WORLD_ATTRIBUTE(int64_t, open, .initial = 1)
MASS_WORLD_ARRAY(int64_t, words, 1, .help = "drawn in this step: they tell the number of the world")

MASS_TALLY(SUM, int64_t, met, "what all bodies met")
MASS_TALLY(SUM, double, real, "a real number")
MASS_TALLY(MAX, int64_t, most, "of what bodies met")
MASS_TALLY(SUM, int64_t, spread, "bodies by what they met", .bins = 8)

MASS_POPULATION(walkers, pond, .initial = MASS_BY_LOAD)
MASS_AGENT_ATTRIBUTE(walkers, int32_t, rank)
MASS_AGENT_ATTRIBUTE(walkers, float, weight)

MASS_MAP(ripple_fill, WRITES(value, height, wet, kind), GIVEN(odd))
{
    const mass_random4 r = RANDOM(0);
    OUT(value) = (int32_t)(r.v[0] % 9) - 4;
    OUT(height) = PARAM(odd) == 3 && AT_X == 1 ? (double)__builtin_nan("") : ripple_height(r.v[1]);
    OUT(wet) = r.v[2] & 1;
    OUT(kind) = (int8_t)(r.v[3] % 5) - 2;
}
MASS_AGENT(ripple_place, walkers, 0, WRITES(rank, weight))
{
    const mass_random4 r = RANDOM(0);
    OUT(rank) = (int32_t)(r.v[0] % 5) - 2;
    OUT(weight) = (float)ripple_height(r.v[1]);
}

/* Bodies of several radii are the same. */
#define RIPPLE_BODY(NAME, RADIUS)                                                                                 \
    MASS_IN_TURN_PLACES(NAME, 0, RADIUS, SEES(height, kind), ALTERS(value, wet), GIVEN(odd, reach),               \
                        SUMS(met, real), MAXES(most), BINS(spread))                                               \
    {                                                                                                             \
        const mass_random4 r = RANDOM(0);                                                                         \
        const int far = PARAM(reach) ? (int)PARAM(reach) : RADIUS;                                                \
        const int x = ripple_offset(r.v[0], far), y = ripple_offset(r.v[1], far), z = ripple_offset(r.v[2], far); \
        uint64_t trail = ripple_mix(r.v[3], THERE(value, 0, 0));                                                  \
        trail = ripple_mix(trail, mass_i64_f64(SEE(height, x, y, z) * 4) + SEE(kind, z, y, x));                   \
        trail = ripple_mix(trail, THERE(value, y, z, x) + (int64_t)EXISTS(y, z, x));                              \
        trail = ripple_mix(trail, THERE(wet, z, z, z) + (AT_X + 3 * AT_Y + 5 * AT_Z) % 7);                        \
        THERE(value, x, y, z) = (int32_t)(trail >> 40);                                                           \
        THERE(wet, y, y, y) = (trail >> 7 & 1) != 0;                                                              \
        if (trail >> 60 == 3) THERE(value, 0, 0, 0) += 5;                                                         \
        if (PARAM(odd) == 1) trail += (uint64_t)SEE(kind, 1 + RADIUS, 0, 0);                                      \
        if (PARAM(odd) == 2) THERE(value, 0, -1 - RADIUS, 0) = 1000;                                              \
        ADD(met, (int64_t)(trail % 1000));                                                                        \
        ADD(real, (double)(trail % 1000) / 3);                                                                    \
        MOST(most, (int64_t)(trail % 1000));                                                                      \
        COUNT_IN(spread, trail % 8);                                                                              \
    }
RIPPLE_BODY(ripple_0, 0)
RIPPLE_BODY(ripple_1, 1)
RIPPLE_BODY(ripple_2, 2)
RIPPLE_BODY(ripple_3, 3)

/* Walkers leave a trail on the place next to them, which tells the order. */
MASS_IN_TURN(ripple_stroll, walkers, 0, 1, UPDATES(rank), ALTERS(value))
{
    const int x = (int)(AGENT_ID % 3) - 1;
    const uint64_t trail = ripple_mix((uint64_t)OUT(rank), THERE(value, x, 0, 0) + THERE(value, 0, x, 0));
    OUT(rank) = (int32_t)(trail >> 40) % 5;
    THERE(value, x, 0, 0) = (int32_t)(trail >> 32) % 1000;
    MOVE(0, x, 0);
}

MASS_ONCE(ripple_gate, WRITES(open, words), GIVEN(gated))
{
    const mass_random4 r = RANDOM(7);
    OUT(open) = PARAM(gated) == 0 || (PARAM(gated) == 1 && STEP % 3 != 0);
    OUT_AT(words, 0) = (int64_t)((uint64_t)r.v[0] << 32 | r.v[1]);
}

/* Every ghost shows what the phase in turn left: a stencil reads them. */
MASS_STENCIL(ripple_lift, 0, 1, READS(value), UPDATES(height))
{
    OUT(height) = ripple_height((uint64_t)(int64_t)(NEAR(value, -1, 0, 0) * 3 + NEAR(value, 1, 0, 0) + IN(value)));
}

#if MASS_HOST

static mass_status ripple_load(mass_host *host)
{
    return add_first_agents(host, "pond", "walkers", VALUE(walkers), 0, ripple_place_of);
}

static const char *const orders[] = {NULL, "id", "height", "value", "wet", "kind", "tide"};
static const char *const orders_of_walkers[] = {NULL, "id", "weight", "rank", "rank", "weight", "rank"};
#endif

#define OPEN .condition = &(const mass_condition){.tally = "open", .relation = MASS_AT_LEAST, .value = 1}
#define ORDERED \
    OPEN, .order = orders[VALUE(order)], .reversed = (uint32_t)VALUE(reversed), .reach = (int32_t)VALUE(reach)
MASS_SCHEDULE(STARTS(ripple_fill), STARTS(ripple_place), STEPS(ripple_gate),
              IF(VALUE(radius) == 0, STEPS(ripple_0, ORDERED)), IF(VALUE(radius) == 1, STEPS(ripple_1, ORDERED)),
              IF(VALUE(radius) == 2, STEPS(ripple_2, ORDERED)), IF(VALUE(radius) == 3, STEPS(ripple_3, ORDERED)),
              STEPS(ripple_stroll, .order = orders_of_walkers[VALUE(order)], .reversed = (uint32_t)VALUE(reversed)),
              STEPS(ripple_lift))

MASS_PLUGIN(.name = "ripple", .version = "1.0.0", .help = "places in turn", .load = ripple_load,
            .finish = ripple_compare);
