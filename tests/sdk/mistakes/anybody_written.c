/* SPDX-License-Identifier: Apache-2.0 */
/* Any agents are only read. says: read-only */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_POPULATION(sheep, grid, .count = 8, .capacity = 1)
MASS_AGENT_ATTRIBUTE(sheep, float, energy)
MASS_AGENT_ATTRIBUTE(sheep, int32_t, gold)
MASS_POPULATION(wolves, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(wolves, int32_t, hunger)

MASS_AGENT(look, sheep, 2, ANYBODY(gold))
{
    OF(gold, ONE_OF(sheep, 0)) = 4; /* here */
}

MASS_SCHEDULE(STEPS(look))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
