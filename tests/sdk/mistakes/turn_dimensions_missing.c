/* SPDX-License-Identifier: Apache-2.0 */
/* As turn_numbers_missing.c, with two entries; says: pay lacks its dimensions and its radius before UPDATES(coins) */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_POPULATION(town, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(town, int32_t, coins)

MASS_IN_TURN(pay, town, UPDATES(coins), CHANGES(AS(theirs, coins))) /* here */
{
    OUT(coins)++;
}

MASS_SCHEDULE(STEPS(pay))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
