/* SPDX-License-Identifier: Apache-2.0 */
/* FREE_PLACE needs FREE_PLACES. says: needs the entry FREE_PLACES */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_POPULATION(sheep, grid, .count = 8, .capacity = 1)
MASS_AGENT_ATTRIBUTE(sheep, float, energy)
MASS_AGENT_ATTRIBUTE(sheep, int32_t, gold)
MASS_POPULATION(wolves, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(wolves, int32_t, hunger)

MASS_AGENT(look, sheep, 2, UPDATES(gold))
{
    MIGRATE_TO_PLACE(FREE_PLACE(OUT(gold)++)); /* here */
}

MASS_SCHEDULE(STEPS(look))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
