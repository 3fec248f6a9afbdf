/* SPDX-License-Identifier: Apache-2.0 */
/* Vain: agents and places that ask for what no manage applies, each when it is told to. */
#include <mass/model.h>

#include "vain.h"

MASS_PARAMETER(int64_t, asks, 0, 0, 511, "what is asked for, added up")
MASS_PARAMETER(int64_t, when, 1, 0, 1000, "the step in which it is")
MASS_PARAMETER(int64_t, draw, 0, 0, 1 << 20, "of random numbers")
MASS_PARAMETER(int64_t, manage, BEHIND, NOWHERE, BEFORE, "where the manage is")
MASS_PARAMETER(int64_t, children, 0, 0, 1, "that an agent may have")

MASS_SPACE(grid, 2, .size = {13, 11}, .torus = MASS_AXIS_X)
MASS_ATTRIBUTE(grid, uint32_t, dice)
MASS_TALLY(SUM, int64_t, none, "that nobody adds to")
MASS_POPULATION(ants, grid, .count = 40, .children = (uint32_t)VALUE(children), .constant = !VALUE(children))
MASS_AGENT_ATTRIBUTE(ants, uint32_t, luck)

MASS_AGENT(vain_ask, ants, 2, GIVEN(asks, when, draw), UPDATES(luck), SUMS(none))
{
    const int64_t asks = PARAM(asks);
    if ((int64_t)STEP != PARAM(when) || AGENT_ID % 7 != 3) return;
    if (asks & MOVES) MIGRATE(1, 0);
    if (asks & BREEDS) SPAWN(1);
    if (asks & TEEMS) SPAWN(2);
    if (asks & AWAY) CHILD_TO(0, 0, -1000);
    if (asks & DRAWS) OUT(luck) = RANDOM(PARAM(draw)).v[0];
    if (asks & SHUFFLES) OUT(luck) = (uint32_t)SHUFFLED(PARAM(draw), AGENT_ID % 20, 20);
}

MASS_MAP(vain_roll, GIVEN(asks, when, draw), WRITES(dice))
{
    const int rolls = (PARAM(asks) & DICE) && (int64_t)STEP == PARAM(when);
    OUT(dice) = rolls ? RANDOM(PARAM(draw)).v[1] : 0;
}

MASS_OCCUPIED(vain_urge, ants, 2, 0, GIVEN(asks, when), ASKS(ants))
{
    if ((int64_t)STEP != PARAM(when)) return;
    EACH_RESIDENT(a) {
        if (PARAM(asks) & FELLS) KILL_RESIDENT(a);
        if (PARAM(asks) & SWARMS) SPAWN_OF_RESIDENT(a, 2);
    }
}

/* What is asked for twice is said once. */
#define NEVER_HOLDS .condition = &(const mass_condition){.tally = "none", .relation = MASS_GREATER}
MASS_SCHEDULE(IF(VALUE(manage) == BEFORE, MANAGES(ants)), STEPS(vain_ask), STEPS(vain_ask), STEPS(vain_roll),
              STEPS(vain_urge),
              IF(VALUE(manage) == BEHIND, MANAGES(ants)), IF(VALUE(manage) == NEVER, MANAGES(ants, NEVER_HOLDS)))
MASS_DEFAULT_STEPS(9)

MASS_WORLD_STEPS(vain_ask, vain_roll, vain_urge)
MASS_PLUGIN(.name = "vain", .version = "1.0.0", .help = "requests that nobody carries out");
