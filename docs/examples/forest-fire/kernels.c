/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of the forest, compiled for the CPU and for CUDA. */
#include "kernels.h"

#include <mass/mass.h>

#define PLANT(FIELD)                         \
    FIELD(state,   uint8_t, UPDATE, state)   \
    FIELD(density, double,  PARAM,  density) \
    FIELD(trees,   int64_t, SUM,    trees)   \
    FIELD(burning, int64_t, SUM,    burning)

/* A tree with probability `density`, except where something burns already. */
MASS_MAP(forest_plant, PLANT)
{
    const mass_random4 r = RANDOM(0);
    const int planted = mass_unit_f64(r.v[0], r.v[1]) < PARAM(density);
    const int burns = OUT(state) == FIRE;
    OUT(state) = (uint8_t)(burns ? FIRE : planted ? TREE : EMPTY);
    ADD(trees, planted & !burns);
    ADD(burning, burns);
}

#define STEP_FIELDS(FIELD)                       \
    FIELD(state,     uint8_t, READ,  state)      \
    FIELD(next,      uint8_t, WRITE, state)      \
    FIELD(growth,    double,  PARAM, growth)     \
    FIELD(lightning, double,  PARAM, lightning)  \
    FIELD(trees,     int64_t, SUM,   trees)      \
    FIELD(burning,   int64_t, SUM,   burning)    \
    FIELD(burnt,     int64_t, SUM,   burnt)

/* Fire burns out in a step. A tree next to one, or struck by lightning, catches fire; on empty ground a
 * tree grows. */
MASS_STENCIL(forest_step, STEP_FIELDS, 2, 1)
{
    const uint8_t now = IN(state);
    const int near_fire = (NEAR(state, 0, -1) == FIRE) | (NEAR(state, -1, 0) == FIRE) |
                          (NEAR(state, 1, 0) == FIRE) | (NEAR(state, 0, 1) == FIRE);
    const mass_random4 r = RANDOM(0);
    const double chance = mass_unit_f64(r.v[0], r.v[1]);
    const int grows = (now == EMPTY) & (chance < PARAM(growth));
    const int ignites = (now == TREE) & (near_fire | (chance < PARAM(lightning)));
    const int stands = (now == TREE) & !ignites;

    OUT(next) = (uint8_t)(ignites ? FIRE : grows | stands ? TREE : EMPTY);
    ADD(trees, grows | stands);
    ADD(burning, ignites);
    ADD(burnt, now == FIRE);
}
