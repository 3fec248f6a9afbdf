/* SPDX-License-Identifier: Apache-2.0 */
/* A map follows edges, which only bodies of MASS_NODES do;
   says: nodes_of_MASS_NODES_MASS_IN_TURN_NODES_or_MASS_AGENT_ON_NODES */
#include <mass/model.h>
MASS_NETWORK(town, .nodes = 8, .generator = MASS_RING, .degree = 2)
MASS_ATTRIBUTE(town, int32_t, heat)
MASS_PARAMETER(double, growth, 0.5, 0, 1, "chance")
MASS_TALLY(SUM, int64_t, burning, "nodes on fire")

MASS_MAP(walk, UPDATES(heat), GIVEN(growth), SUMS(burning))
{
    EACH_EDGE(e) OUT(heat) += 1; /* here */
    ADD(burning, PARAM(growth) > 0);
}

MASS_SCHEDULE(STEPS(walk))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
