/* SPDX-License-Identifier: Apache-2.0 */
/* Wolves have no such attribute. says: mass_attribute_of_wolves_energy */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_ATTRIBUTE(grid, uint8_t, grass)
MASS_POPULATION(sheep, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(sheep, int32_t, energy)
MASS_POPULATION(wolves, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(wolves, int32_t, age)

MASS_AGENT(hunt, wolves, 2, UPDATES(energy), SEES(grass)) /* here */
{
    OUT(energy) += SEE(grass, 0, 0);
}

MASS_SCHEDULE(STEPS(hunt))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
