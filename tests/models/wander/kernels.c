/* SPDX-License-Identifier: Apache-2.0 */
#include "wander.h"

#include <mass/mass.h>

#define SCENT(FIELD)                          \
    FIELD(scent,   uint16_t, READ,  scent)    \
    FIELD(next,    uint16_t, WRITE, scent)    \
    FIELD(trodden, uint32_t, READ,  trodden)

/* Over the bounded axis, the default: nothing. */
MASS_STENCIL(wander_scent, SCENT, 3, 1)
{
    uint32_t sum = IN(trodden);
    MASS_VON_NEUMANN_3D(dx, dy, dz, 1) { sum += NEAR(scent, dx, dy, dz) + 3 * NEAR(trodden, dx, dy, dz); }
    OUT(next) = (uint16_t)(sum / 2);
}

#define WALK(FIELD)                                \
    FIELD(scent,      uint16_t, PLACE,  scent)     \
    FIELD(heading,    int8_t,   UPDATE, heading)   \
    FIELD(lost_moves, uint16_t, UPDATE, lost_moves) \
    FIELD(leave,      int64_t,  PARAM,  leave)     \
    FIELD(odd,        int64_t,  SUM,    odd)       \
    FIELD(walked,     int64_t,  SUM,    walked)

/* Along the scent, far away at times, and over the edge at others. */
MASS_AGENT(wander_walk, WALK, 3)
{
    const mass_random4 r = RANDOM(0);
    const int stays = !PARAM(leave) && !EXISTS(0, 1, 0), goes = !PARAM(leave) && !EXISTS(0, -1, 0);
    const int up = (SEE(scent, 0, 1, 0) > SEE(scent, 0, -1, 0) && !stays) || goes;
    const int right = SEE(scent, 1, 0, 0) >= SEE(scent, -1, 0, 0);
    OUT(lost_moves) = (uint16_t)(OUT(lost_moves) + WAS_LOST + (uint32_t)CROWD(0, 0, 1));
    OUT(heading) = (int8_t)(up - right);
    if (r.v[0] % 5 == 0) MIGRATE_TO(r.v[1] % SIZE_X, r.v[2] % SIZE_Y, r.v[3] % SIZE_Z);
    else if (r.v[0] % 5 == 1) MIGRATE(9, up ? 1 : -1, -12);
    else if (r.v[0] % 5 == 2) KILL();
    else MIGRATE(right ? 1 : -1, up ? 1 : -1, (int)(r.v[1] % 3) - 1);
    ADD(odd, r.v[3] & 1);
    ADD(walked, 1000000000000 + AT_X);
}

#define MEET(FIELD)                                     \
    FIELD(trodden, uint32_t,   UPDATE,          trodden) \
    FIELD(heading, int8_t,     RESIDENT,        heading) \
    FIELD(met,     uint64_t,   RESIDENT_UPDATE, met)     \
    FIELD(bag,     wander_bag, RESIDENT_UPDATE, bag)     \
    FIELD(least,   int64_t,    MIN,             least)   \
    FIELD(most,    double,     MAX,             most)

MASS_RESIDENTS(wander_meet, MEET, 3, 0)
{
    uint64_t before = 0;
    EACH_RESIDENT(a)
    {
        OF(met, a) = OF(met, a) * 3 + before;
        OF(bag, a).of[(uint32_t)STEP % 3] += (uint32_t)(OF(heading, a) + 2);
        before = RESIDENT_ID(a) + 1;
    }
    OUT(trodden) = OUT(trodden) * 2 / 3 + RESIDENT_COUNT;
    LEAST(least, -(int64_t)OUT(trodden));
    MOST(most, 0.1 * OUT(trodden));
}

#define DIG(FIELD)                                  \
    FIELD(trodden, uint32_t, READ,            trodden) \
    FIELD(dug,     uint8_t,  UPDATE,          dug)     \
    FIELD(seen,    double,   RESIDENT_UPDATE, seen)

MASS_OCCUPIED(wander_dig, DIG, 3, 1)
{
    OUT(dug)++;
    EACH_RESIDENT(a) OF(seen, a) += 0.1 * (NEAR(trodden, 1, 0, 0) + NEAR(trodden, 0, 0, -1));
}

#define JUMP(FIELD)                       \
    FIELD(seen,  double,  UPDATE, seen)   \
    FIELD(leave, int64_t, PARAM,  leave)

MASS_AGENT(wander_jump, JUMP, 3)
{
    OUT(seen) -= 1;
    if (PARAM(leave) || EXISTS(1, 1, 1)) MIGRATE(1, 1, 1);
}

MASS_WORLD_STEPS(wander_scent, wander_walk, wander_meet, wander_dig, wander_jump)
