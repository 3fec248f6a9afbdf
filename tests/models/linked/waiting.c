/* SPDX-License-Identifier: Apache-2.0 */
/* All edges end, and are asked for again, in two bodies. Between these, RELINKS has a condition that never holds, so
 * that all requests wait. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, joins, 1, 0, 2, "edges are asked for again: 0 not; 1 after their end is; 2 before")
MASS_PARAMETER(int64_t, lone, 0, 0, 2, "1: edges end with agents, who die; 2: with agents, who leave and return")

MASS_NETWORK(town, .nodes = 12, .generator = MASS_RANDOM_EDGES, .edges = 20, .directed = 1, .simple = 1, .links = 12,
             .dies = VALUE(lone) ? "folk" : NULL)
MASS_POPULATION(folk, town, .count = 1, .initial = MASS_EVERY_PLACE)
MASS_ATTRIBUTE(town, uint32_t, seen)
MASS_TALLY(SUM, int64_t, degrees, "edges that come into nodes")
MASS_TALLY(SUM, int64_t, left, "edges that come into nodes after the phase that waits", .cumulative = 1)

MASS_NODES(waiting_first, town, UPDATES(seen), LINKS(town), GIVEN(joins), SUMS(degrees))
{
    EACH_EDGE(e) {
        if (PARAM(joins) == 2) LINK(SOURCE(e));
        else UNLINK(e);
    }
    OUT(seen) += (uint32_t)DEGREE;
    ADD(degrees, DEGREE);
}
MASS_NODES(waiting_second, town, UPDATES(seen), LINKS(town), GIVEN(joins), SUMS(left))
{
    EACH_EDGE(e) {
        if (PARAM(joins) == 2) UNLINK(e);
        else if (PARAM(joins) == 1) LINK(SOURCE(e));
    }
    OUT(seen) += (uint32_t)DEGREE;
    ADD(left, DEGREE);
}

/* All but one leave their nodes before the phase that waits, and return after it. */
MASS_AGENT(waiting_leave, folk, 1, GIVEN(lone))
{
    if (PARAM(lone) == 1) KILL();
    else MIGRATE_TO(0);
}
MASS_AGENT(waiting_return, folk, 1) { MIGRATE_TO((mass_gidx)AGENT_ID); }

#define NEVER .condition = &(const mass_condition){.tally = "degrees", .relation = MASS_AT_LEAST, .value = 1000}
MASS_SCHEDULE(STEPS(waiting_first), STEPS(waiting_leave), MANAGES(folk), RELINKS(town, NEVER), STEPS(waiting_second),
              STEPS(waiting_return), MANAGES(folk), RELINKS(town))
MASS_DEFAULT_STEPS(3)
MASS_PLUGIN(.name = "waiting", .version = "1.0.0", .help = "edges that end and come again");
