/* SPDX-License-Identifier: Apache-2.0 */
/* Careless's rules, compiled for the CPU and for CUDA. What is not written has no value, and compilers take the one
 * that comes handy: the other path's. What is looked at changes nothing. */
#include <mass/mass.h>

#include "careless.h"

#define LAY(FIELD)                        \
    FIELD(who,    int64_t, PARAM, who)    \
    FIELD(ground, uint8_t, WRITE, ground)
MASS_MAP(careless_lay, LAY)
{
    if (!(PARAM(who) & LAYS) || AT_X != 5) OUT(ground) = 3;
}

#define MEET(FIELD)                     \
    FIELD(who,   int64_t, PARAM, who)   \
    FIELD(heard, uint8_t, WRITE, heard)
MASS_RESIDENTS(careless_meet, MEET, 2, 0)
{
    if (!(PARAM(who) & MEETS) || RESIDENT_COUNT != 0) OUT(heard) = 3;
}

#define ACT(FIELD)                      \
    FIELD(who,  int64_t, PARAM, who)    \
    FIELD(done, uint8_t, WRITE, done)
MASS_AGENT(careless_act, ACT, 2)
{
    if (!(PARAM(who) & ACTS) || AGENT_ID != 7) OUT(done) = 3;
}

#define LOOK(FIELD)                        \
    FIELD(who,    int64_t, PARAM,  who)    \
    FIELD(dx,     int64_t, PARAM,  dx)     \
    FIELD(dy,     int64_t, PARAM,  dy)     \
    FIELD(ground, uint8_t, PLACE,  ground) \
    FIELD(seen,   uint8_t, UPDATE, seen)
MASS_AGENT(careless_look, LOOK, 2)
{
    if (PARAM(who) & SEES) OUT(seen) |= SEE(ground, PARAM(dx), PARAM(dy)) & 0;
    if (PARAM(who) & COUNTS) (void)CROWD(PARAM(dx), PARAM(dy));
}

#define NEAR_BY(FIELD)                     \
    FIELD(who,    int64_t, PARAM,  who)    \
    FIELD(dx,     int64_t, PARAM,  dx)     \
    FIELD(dy,     int64_t, PARAM,  dy)     \
    FIELD(ground, uint8_t, READ,   ground) \
    FIELD(read,   uint8_t, UPDATE, read)
MASS_STENCIL(careless_read, NEAR_BY, 2, 1)
{
    if (PARAM(who) & READS) OUT(read) |= NEAR(ground, PARAM(dx), PARAM(dy)) & 0;
}
