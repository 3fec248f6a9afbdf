/* SPDX-License-Identifier: Apache-2.0 */
/* Agents that act all at once ask for a move by MIGRATE. says: agent_ */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_POPULATION(sheep, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(sheep, int32_t, energy)

MASS_AGENT(graze, sheep, 2, UPDATES(energy))
{
    if (--OUT(energy) < 0) MOVE(1, 0); /* here */
}

MASS_SCHEDULE(STEPS(graze), MANAGES(sheep))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
