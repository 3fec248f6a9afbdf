/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in turn without dimensions and radius. says: pay lacks its dimensions and its radius before UPDATES(coins) */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_POPULATION(town, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(town, int32_t, coins)

MASS_IN_TURN(pay, town, UPDATES(coins)) /* here */
{
    OUT(coins)++;
}

MASS_SCHEDULE(STEPS(pay))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
