/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of the pasture, compiled for the CPU and for CUDA. */
#include <mass/mass.h>

#define GROW(FIELD)                       \
    FIELD(grass,  uint8_t, UPDATE, grass) \
    FIELD(growth, double,  PARAM,  growth)

MASS_MAP(pasture_grow, GROW)
{
    const mass_random4 r = RANDOM(0);
    OUT(grass) = (uint8_t)(OUT(grass) | (mass_unit_f64(r.v[0], r.v[1]) < PARAM(growth)));
}

#define LIVE(FIELD)                        \
    FIELD(energy, int32_t, UPDATE, energy) \
    FIELD(grass,  uint8_t, PLACE,  grass)  \
    FIELD(breed,  int64_t, PARAM,  breed)  \
    FIELD(given,  int32_t, CHILD,  energy)

/* A sheep tires, and dies when it has nothing left. A strong one halves what it has with a lamb, which stays
 * where it is born. Then it goes to a place around it at random, unless it would leave grass for bare ground. */
MASS_AGENT(pasture_live, LIVE, 2)
{
    if (--OUT(energy) <= 0) KILL();
    else if (OUT(energy) >= PARAM(breed)) {
        SPAWN(1);
        CHILD(given, 0) = OUT(energy) / 2;
        OUT(energy) -= OUT(energy) / 2;
    }
    const mass_random4 r = RANDOM(0);
    const int dx = (int)(r.v[0] % 3) - 1, dy = (int)(r.v[1] % 3) - 1;
    if (SEE(grass, dx, dy) || !SEE(grass, 0, 0)) MIGRATE(dx, dy);
}

#define GRAZE(FIELD)                                \
    FIELD(grass,  uint8_t, UPDATE,          grass)  \
    FIELD(energy, int32_t, RESIDENT_UPDATE, energy)

/* Where there is grass, the sheep with the lowest id has it. */
MASS_RESIDENTS(pasture_graze, GRAZE, 2, 0)
{
    EACH_RESIDENT(sheep) {
        OF(energy, sheep) += 4 * OUT(grass);
        OUT(grass) = 0;
    }
}
