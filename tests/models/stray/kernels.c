/* SPDX-License-Identifier: Apache-2.0 */
/* Stray's rules, compiled for the CPU and for CUDA. */
#include <mass/mass.h>

#include "stray.h"

MASS_FN int64_t offset_of(uint64_t n)
{
    const int64_t offsets[OFFSETS] = STRAY_OFFSETS;
    return offsets[n % OFFSETS];
}
MASS_FN int64_t number_of(uint64_t n)
{
    const int64_t numbers[NUMBERS] = STRAY_NUMBERS;
    return numbers[n % NUMBERS];
}

#define LAY(FIELD) FIELD(ground, uint8_t, WRITE, ground)
MASS_MAP(stray_lay, LAY) { OUT(ground) = (uint8_t)((AT_X * 5 + AT_Y * 3) % 6); }

#define AIM(FIELD)                        \
    FIELD(stray, int64_t, PARAM, strays)  \
    FIELD(dx,    int64_t, WRITE, dx)      \
    FIELD(dy,    int64_t, WRITE, dy)      \
    FIELD(child, int64_t, WRITE, child)
MASS_AGENT(stray_aim, AIM, 2)
{
    OUT(dx) = offset_of(AGENT_ID * 7 + STEP * 3);
    OUT(dy) = offset_of(AGENT_ID * 5 / 3 + STEP);
    OUT(child) = PARAM(stray) & NAMES_CHILDREN ? number_of(AGENT_ID + STEP) : 0;
}

#define LOOK(FIELD)                         \
    FIELD(stray,  int64_t,  PARAM, strays)  \
    FIELD(ground, uint8_t,  PLACE, ground)  \
    FIELD(dx,     int64_t,  READ,  dx)      \
    FIELD(dy,     int64_t,  READ,  dy)      \
    FIELD(seen,   uint8_t,  WRITE, seen)    \
    FIELD(crowd,  uint32_t, WRITE, crowd)
MASS_AGENT(stray_look, LOOK, 2)
{
    const int sees = (PARAM(stray) & SEES) != 0, counts = (PARAM(stray) & COUNTS) != 0;
    OUT(seen) = (uint8_t)(10 * SEE(ground, sees ? IN(dx) : 0, sees ? IN(dy) : 0) + SEE(ground, 0, 0));
    OUT(crowd) = CROWD(counts ? IN(dx) : 0, counts ? IN(dy) : 0);
    if (EXISTS(IN(dx), IN(dy))) MIGRATE(IN(dx), IN(dy));
}

#define BREED(FIELD)                     \
    FIELD(dx,    int64_t,  READ,  dx)    \
    FIELD(dy,    int64_t,  READ,  dy)    \
    FIELD(child, int64_t,  READ,  child) \
    FIELD(born,  uint32_t, CHILD, born)
MASS_AGENT(stray_breed, BREED, 2)
{
    if ((AGENT_ID + STEP) % 4 != 0) return;
    SPAWN(CHILDREN);
    CHILD(born, 0) = 10;
    CHILD(born, 1) = 11;
    CHILD(born, IN(child)) = 12;
    if (EXISTS(IN(dy), IN(dx))) CHILD_TO(IN(child), IN(dy), IN(dx));
}

#define LISTEN(FIELD)                                   \
    FIELD(stray,  int64_t,  PARAM,           strays)    \
    FIELD(heard,  int64_t,  WRITE,           heard)     \
    FIELD(weight, uint32_t, RESIDENT_UPDATE, weight)    \
    FIELD(born,   uint32_t, RESIDENT,        born)
MASS_RESIDENTS(stray_listen, LISTEN, 2, 0)
{
    const uint64_t n = (uint64_t)(AT_X * 31 + AT_Y * 17) + STEP;
    const int64_t named = n % 3 ? (int64_t)(n * 13 % 400) : number_of(n / 3);
    int64_t sum = 0;
    EACH_RESIDENT(a) {
        OF(weight, a) += (uint32_t)(1 + RESIDENT_ID(a) % 3);
        sum += OF(weight, a) + OF(born, a);
    }
    if (PARAM(stray) & NAMES_RESIDENTS) {
        OF(weight, named) += 100;
        sum = 1000 * sum + 10 * OF(weight, named) + (RESIDENT_ID(named) == UINT64_MAX) + OF(born, named);
    }
    OUT(heard) = sum;
}

#define TURN(FIELD) FIELD(ox, int64_t, WRITE, ox) FIELD(oy, int64_t, WRITE, oy)
MASS_MAP(stray_turn, TURN)
{
    OUT(ox) = offset_of((uint64_t)(AT_X + 3 * AT_Y) + STEP);
    OUT(oy) = offset_of((uint64_t)(AT_X / 2 + AT_Y) + STEP);
}

#define NEAR_BY(FIELD)                      \
    FIELD(stray,  int64_t, PARAM, strays)   \
    FIELD(ground, uint8_t, READ,  ground)   \
    FIELD(ox,     int64_t, READ,  ox)       \
    FIELD(oy,     int64_t, READ,  oy)       \
    FIELD(read,   uint8_t, WRITE, read)
MASS_STENCIL(stray_read, NEAR_BY, 2, 1)
{
    const int reads = (PARAM(stray) & READS) != 0;
    OUT(read) = (uint8_t)(10 * NEAR(ground, reads ? IN(ox) : 0, reads ? IN(oy) : 0) + NEAR(ground, 0, 1));
}

MASS_WORLD_STEPS(stray_aim, stray_look, stray_listen, stray_turn, stray_read)
