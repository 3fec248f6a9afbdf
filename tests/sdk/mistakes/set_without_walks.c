/* SPDX-License-Identifier: Apache-2.0 */
/* The body follows a further set of edges, and the list lacks WALKS; says: sees_work */
#include <mass/model.h>
MASS_NETWORK(town, .nodes = 8, .generator = MASS_RING, .degree = 2)
MASS_EDGE_SET(town, work, .generator = MASS_RING, .degree = 4)
MASS_ATTRIBUTE(town, int32_t, heat)

MASS_NODES(walk, town, LINKED(AS(theirs, heat)), UPDATES(heat))
{
    OUT(heat) += DEGREE_OF(work); /* here */
}

MASS_SCHEDULE(STEPS(walk))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
