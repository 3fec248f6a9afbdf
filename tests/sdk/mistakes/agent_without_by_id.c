/* SPDX-License-Identifier: Apache-2.0 */
/* AGENT needs BY_ID. says: by_id_sheep */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_POPULATION(sheep, grid, .count = 8, .capacity = 1)
MASS_AGENT_ATTRIBUTE(sheep, float, energy)
MASS_AGENT_ATTRIBUTE(sheep, int32_t, gold)
MASS_POPULATION(wolves, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(wolves, int32_t, hunger)

MASS_AGENT(look, sheep, 2, UPDATES(gold), ANYBODY(energy))
{
    OUT(gold) += OF(energy, AGENT(sheep, 3)) > 4; /* here */
}

MASS_SCHEDULE(STEPS(look))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
