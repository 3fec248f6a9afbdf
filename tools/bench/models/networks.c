/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of a byte, which add up the bytes of the nodes from which edges come. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, generator, MASS_RANDOM_EDGES, 1, 6, "of edges")
MASS_PARAMETER(int64_t, degree, 10, 1, 1000000, "of nodes")
MASS_PARAMETER(double, rewired, 0.05, 0, 1, "part of the edges of a small world that is drawn again")
MASS_NETWORK(net, .nodes = 1000000, .generator = (uint32_t)VALUE(generator), .degree = VALUE(degree),
             .rewired = VALUE(rewired), .seed = 1)
MASS_ATTRIBUTE(net, uint8_t, state)

MASS_MAP(networks_begin, WRITES(state)) { OUT(state) = (uint8_t)RANDOM(0).v[0]; }

MASS_NODES(networks_step, net, LINKED(AS(theirs, state)), UPDATES(state))
{
    uint32_t sum = OUT(state);
    EACH_EDGE(e) sum += OF(theirs, e);
    OUT(state) = (uint8_t)(sum * 5 + 1);
}

MASS_SCHEDULE(STARTS(networks_begin), STEPS(networks_step))
MASS_PLUGIN(.name = "bench-networks", .version = "1.0.0", .help = "nodes that add up the bytes of linked ones");
