/* SPDX-License-Identifier: Apache-2.0 */
/* Another agent cannot be read as a place can: the values of agents are their own. says: near_energy */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_ATTRIBUTE(grid, uint8_t, grass)
MASS_POPULATION(sheep, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(sheep, int32_t, energy)

MASS_AGENT(live, sheep, 2, READS(energy), SEES(grass))
{
    if (NEAR(energy, 1, 0) > SEE(grass, 0, 0)) KILL(); /* here */
}

MASS_SCHEDULE(STEPS(live))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
