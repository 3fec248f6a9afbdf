/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of a random network, which end some of their edges, and ask for as many new ones. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, degree, 10, 1, 1000000, "of nodes, in the mean at the start")
MASS_PARAMETER(double, part, 0.01, 0, 1, "of the edges that ends in a step")
MASS_NETWORK(net, .nodes = 1000000, .generator = MASS_RANDOM_EDGES, .degree = VALUE(degree), .seed = 1, .links = 8)
MASS_ATTRIBUTE(net, uint8_t, state)
MASS_TALLY(SUM, int64_t, ended, "edges that end")

/* The node with the larger number decides about an edge. */
MASS_NODES(rewiring_step, net, READS(state), LINKS(net), GIVEN(part), SUMS(ended))
{
    int64_t ends = 0;
    EACH_EDGE(e) {
        const mass_random4 r = RANDOM(1 + (uint32_t)(SOURCE(e) & 0x7fff));
        if (SOURCE(e) >= AT_X || ends == 8 || mass_unit_f64(r.v[0], r.v[1]) >= PARAM(part)) continue;
        UNLINK(e);
        LINK(mass_below_u32((uint32_t)SIZE_X, r.v[2], r.v[3]));
        ends++;
    }
    ADD(ended, ends + IN(state));
}

MASS_SCHEDULE(STEPS(rewiring_step), RELINKS(net))
MASS_PLUGIN(.name = "bench-rewiring", .version = "1.0.0", .help = "nodes whose edges change");
