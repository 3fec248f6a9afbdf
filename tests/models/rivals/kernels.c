/* SPDX-License-Identifier: Apache-2.0 */
#include "rivals.h"

#define SEAT(FIELD)                             \
    FIELD(chairs,   int32_t, WRITE, chairs)     \
    FIELD(capacity, int64_t, PARAM, capacity)
MASS_MAP(rivals_seat, SEAT)
{
    const mass_random4 r = RANDOM(0);
    const int32_t two = r.v[1] % 2 && PARAM(capacity) != 1;
    OUT(chairs) = r.v[0] % 3 == 0 ? 1 + two : 0;
}

/* Many are equally strong. */
#define ARM(FIELD)                          \
    FIELD(strength, float, WRITE, strength) \
    FIELD(ahead,  int16_t, WRITE, hops[0])  \
    FIELD(aside,  int16_t, WRITE, hops[1])
MASS_AGENT(rivals_arm, ARM, 0)
{
    OUT(strength) = 0.25f * (float)(RANDOM(1).v[2] % 12);
    OUT(ahead) = OUT(aside) = 0;
}

#define PUSH(FIELD)                           \
    FIELD(chairs,   int32_t, PLACE,  chairs)  \
    FIELD(worn,     double,  PLACE,  worn)    \
    FIELD(strength, float,   UPDATE, strength) \
    FIELD(ahead,    int16_t, UPDATE, hops[0]) \
    FIELD(aside,    int16_t, UPDATE, hops[1]) \
    FIELD(given,    float,   CHILD,  strength) \
    FIELD(moved,    int64_t, SUM,    moved)   \
    FIELD(spent,    int64_t, SUM,    spent)   \
    FIELD(weakest,  double,  MIN,    weakest)

/* Everybody wants to where there are chairs, two places away at most along x and one along y and z. */
MASS_AGENT(rivals_push, PUSH, 0)
{
    const mass_random4 r = RANDOM(0);
    const int y = SIZE_Y > 1 ? (int)(r.v[1] % 3) - 1 : 0, z = SIZE_Z > 1 ? (int)(r.v[2] % 3) - 1 : 0;
    const int x = SEE(chairs, 2, 0, 0) + (SEE(worn, 1, 0, 0) < 9) > SEE(chairs, -2, 0, 0) ? 1 : -2;
    OUT(strength) += WAS_LOST ? 1.5f : -0.25f;
    ADD(spent, mass_fixed(OUT(strength), 8));
    LEAST(weakest, (double)OUT(strength));
    if (r.v[0] % 11 == 0 || CROWD(0, 0, 0) + CROWD(1, 0, 0) > 9) KILL();
    if (r.v[3] % 7 == 0) {
        SPAWN(1 + r.v[3] / 7 % 2);
        CHILD(given, 0) = OUT(strength) / 2;
        CHILD(given, 1) = 3;
        if (EXISTS(1, y, z)) CHILD_TO(1, 1, y, z);
    }
    if (!EXISTS(x, y, z)) return;
    OUT(ahead) = (int16_t)(OUT(ahead) + x);
    OUT(aside) = (int16_t)(OUT(aside) + y + z);
    ADD(moved, 1);
    MIGRATE(x, y, z);
}

#define SIT(FIELD)                                \
    FIELD(worn,     double,  UPDATE,   worn)      \
    FIELD(strength, float,   RESIDENT, strength)  \
    FIELD(ahead,    int16_t, RESIDENT, hops[0])   \
    FIELD(shared,   int64_t, BINS,     shared)
MASS_RESIDENTS(rivals_sit, SIT, 0, 0)
{
    COUNT_IN(shared, RESIDENT_COUNT);
    EACH_RESIDENT(a) OUT(worn) = OUT(worn) * 0.75 + 0.1 * OF(strength, a) + OF(ahead, a);
}

#define COUNT(FIELD)                             \
    FIELD(strength,  float,   READ, strength)    \
    FIELD(mean,      double,  SUM,  mean)        \
    FIELD(strongest, double,  MAX,  strongest)
MASS_AGENT(rivals_count, COUNT, 0)
{
    ADD(mean, (double)IN(strength));
    MOST(strongest, (double)IN(strength));
}

#define TELL(FIELD)                              \
    FIELD(strength,  float,   READ, strength)    \
    FIELD(strengths, int64_t, KEYS, strengths)
MASS_AGENT(rivals_tell, TELL, 0) { COUNT_KEY(strengths, (uint64_t)mass_fixed(IN(strength), 2)); }

#define FLY(FIELD) FIELD(age, uint32_t, UPDATE, age)
MASS_AGENT(rivals_fly, FLY, 2)
{
    const mass_random4 r = RANDOM(0);
    OUT(age) = OUT(age) * 3 + (uint32_t)STEP;
    MIGRATE_TO(r.v[0] % SIZE_X, r.v[1] % SIZE_Y);
}

#define SING(FIELD)                           \
    FIELD(noise, uint16_t, UPDATE,   noise)   \
    FIELD(age,   uint32_t, RESIDENT, age)
MASS_OCCUPIED(rivals_sing, SING, 2, 0)
{
    EACH_RESIDENT(a) OUT(noise) = (uint16_t)(OUT(noise) * 5 + OF(age, a) + RESIDENT_ID(a));
}
