/* SPDX-License-Identifier: Apache-2.0 */
/* The body reads linked nodes, and no entry names the attribute;
   says: no member named */
#include <mass/model.h>
MASS_NETWORK(town, .nodes = 8, .generator = MASS_RING, .degree = 2)
MASS_ATTRIBUTE(town, int32_t, heat)
MASS_PARAMETER(double, growth, 0.5, 0, 1, "chance")
MASS_TALLY(SUM, int64_t, burning, "nodes on fire")

MASS_NODES(walk, town, UPDATES(heat), GIVEN(growth), SUMS(burning))
{
    EACH_EDGE(e) OUT(heat) += OF(heat, e); /* here */
    ADD(burning, PARAM(growth) > 0);
}

MASS_SCHEDULE(STEPS(walk))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
