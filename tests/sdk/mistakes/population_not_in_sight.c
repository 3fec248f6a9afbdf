/* SPDX-License-Identifier: Apache-2.0 */
/* The callback sees sheep alone. says: meet_sees_wolves */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_ATTRIBUTE(grid, int32_t, food)
MASS_POPULATION(sheep, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(sheep, float, energy)
MASS_POPULATION(wolves, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(wolves, float, hunger)

MASS_RESIDENTS(meet, sheep, 2, 0, UPDATES(food), MEETS(energy, FROM(wolves, hunger))) /* here */
{
    EACH_RESIDENT(a) OUT(food) += OF(energy, a) > 0;
}

MASS_SCHEDULE(STEPS(meet))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
