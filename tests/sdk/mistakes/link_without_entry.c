/* SPDX-License-Identifier: Apache-2.0 */
/* A body asks for an edge, and its list does not name the network;
   says: LINK(0) needs the entry LINKS(network) */
#include <mass/model.h>
MASS_NETWORK(town, .nodes = 8, .generator = MASS_RING, .degree = 2, .links = 1)
MASS_ATTRIBUTE(town, int32_t, heat)
MASS_PARAMETER(double, growth, 0.5, 0, 1, "chance")
MASS_TALLY(SUM, int64_t, burning, "nodes on fire")

MASS_NODES(ask, town, UPDATES(heat), GIVEN(growth), SUMS(burning))
{
    LINK(0); /* here */
    OUT(heat) += 1;
    ADD(burning, PARAM(growth) > 0);
}

MASS_SCHEDULE(STEPS(ask), RELINKS(town))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
