/* SPDX-License-Identifier: Apache-2.0 */
/* What is added to is not read by OF. says: of_gold */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_POPULATION(sheep, grid, .count = 8, .capacity = 1)
MASS_AGENT_ATTRIBUTE(sheep, float, energy)
MASS_AGENT_ATTRIBUTE(sheep, int32_t, gold)
MASS_POPULATION(wolves, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(wolves, int32_t, hunger)

MASS_AGENT(look, sheep, 2, ADDS_ANYBODY(gold))
{
    ADD_TO(gold, SELF, OF(gold, SELF)); /* here */
}

MASS_SCHEDULE(STEPS(look))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
