/* SPDX-License-Identifier: Apache-2.0 */
/* The body reads an attribute of edges, and no entry names it; says: edge_weight */
#include <mass/model.h>
MASS_NETWORK(town, .nodes = 8, .generator = MASS_RING, .degree = 2)
MASS_ATTRIBUTE(town, int32_t, heat)
MASS_EDGE_ATTRIBUTE(town, float, weight, .initial = 1)

MASS_NODES(walk, town, UPDATES(heat))
{
    EACH_EDGE(e) if (EDGE(weight, e) > 1) OUT(heat)++; /* here */
}

MASS_SCHEDULE(STEPS(walk))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
