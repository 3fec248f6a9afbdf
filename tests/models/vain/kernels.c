/* SPDX-License-Identifier: Apache-2.0 */
/* Vain's rules, compiled for the CPU and for CUDA. */
#include <mass/mass.h>

#include "vain.h"

#define ASK(FIELD)                        \
    FIELD(asks, int64_t,  PARAM,  asks)   \
    FIELD(when, int64_t,  PARAM,  when)   \
    FIELD(draw, int64_t,  PARAM,  draw)   \
    FIELD(luck, uint32_t, UPDATE, luck)
MASS_AGENT(vain_ask, ASK, 2)
{
    const int64_t asks = PARAM(asks);
    if ((int64_t)STEP != PARAM(when) || AGENT_ID % 7 != 3) return;
    if (asks & MOVES) MIGRATE(1, 0);
    if (asks & BREEDS) SPAWN(1);
    if (asks & AWAY) CHILD_TO(0, 0, -1000);
    if (asks & DRAWS) OUT(luck) = RANDOM(PARAM(draw)).v[0];
    if (asks & SHUFFLES) OUT(luck) = (uint32_t)SHUFFLED(PARAM(draw), AGENT_ID % 20, 20);
}

#define ROLL(FIELD)                     \
    FIELD(asks, int64_t,  PARAM, asks)  \
    FIELD(when, int64_t,  PARAM, when)  \
    FIELD(draw, int64_t,  PARAM, draw)  \
    FIELD(dice, uint32_t, WRITE, dice)
MASS_MAP(vain_roll, ROLL)
{
    const int rolls = (PARAM(asks) & DICE) && (int64_t)STEP == PARAM(when);
    OUT(dice) = rolls ? RANDOM(PARAM(draw)).v[1] : 0;
}

MASS_WORLD_STEPS(vain_ask, vain_roll)
