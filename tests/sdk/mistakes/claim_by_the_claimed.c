/* SPDX-License-Identifier: Apache-2.0 */
/* Sheep claim nobody in the hunt. says: mass_attribute_of_sheep_hunt_claims */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_POPULATION(sheep, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(sheep, float, energy)
MASS_POPULATION(wolves, grid, .count = 8)
MASS_CLAIMS(hunt, (wolves, sheep), 2, 1)

MASS_AGENT(chase, (sheep, wolves), 2, UPDATES(energy), CLAIMS(hunt)) /* here */
{
    OUT(energy) = 1;
}

MASS_SCHEDULE(STEPS(chase, .reach = 1), DECIDES(hunt))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
