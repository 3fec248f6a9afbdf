/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes are to act in turn, by the statement for agents; says: town_is_a_network_for_MASS_IN_TURN_NODES */
#include <mass/model.h>
MASS_NETWORK(town, .nodes = 8, .generator = MASS_RING, .degree = 2)
MASS_ATTRIBUTE(town, int32_t, coins)

MASS_IN_TURN(pay, town, 1, 1, UPDATES(coins)) /* here */
{
    OUT(coins)++;
}

MASS_SCHEDULE(STEPS(pay))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
