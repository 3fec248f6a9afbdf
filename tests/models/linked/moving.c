/* SPDX-License-Identifier: Apache-2.0 */
/* Walkers that move along the edges of a network, nodes whose edges change, and a second set of edges. After the last
 * step, a plain program does all of it again (moving_plain.c). */
#define TOWN_LINKS 3
#define TOWN_DIES (VALUE(dies) ? "walkers" : NULL)
#include "town.h"

MASS_ATTRIBUTE(town, uint64_t, trail)
MASS_ATTRIBUTE(town, uint64_t, visits)
MASS_EDGE_SET(town, work, .generator = MASS_RANDOM_EDGES, .edges = 2 * EXTENT(town, 0), .seed = 5,
              .directed = 1 - (uint32_t)VALUE(directed))
MASS_EDGE_ATTRIBUTE(work, float, pay, .initial = 1.5)
MASS_EDGE_ATTRIBUTE(town, int16_t, weight, .initial = 3)
MASS_EDGE_ATTRIBUTE(town, double, length, .initial = 0.5)
MASS_POPULATION(walkers, town, .count = 1, .initial = MASS_EVERY_PLACE)
MASS_AGENT_ATTRIBUTE(walkers, uint64_t, seen)
MASS_TALLY(SUM, int64_t, asked, "edges that nodes asked for")

MASS_MAP(moving_begin, WRITES(trail)) { OUT(trail) = linked_first(AT_X); }

MASS_AGENT_ON_NODES(moving_walk, walkers, town, LINKED(trail), EDGES(weight), WALKS(work), UPDATES(seen),
                    SCATTERS(visits), GIVEN(dies))
{
    uint64_t seen = OUT(seen) + (uint64_t)DEGREE;
    EACH_EDGE(e) seen = linked_mix(seen, (int64_t)(OF(trail, e) >> 5) + EDGE(weight, e) + SOURCE(e));
    const mass_edge one = ONE_EDGE(2);
    if (IS_EDGE(one) && seen >> 7 & 3) MIGRATE_ALONG(one);
    const mass_set_edge other = ONE_EDGE_OF(work, 4);
    if (IS_EDGE(other) && seen >> 9 & 1) MIGRATE_ALONG(other);
    if (PARAM(dies) && linked_dies(seen)) KILL();
    OUT(seen) = seen;
    SCATTER(visits, seen, 0);
}

MASS_NODES(moving_look, town, LINKED(trail), EDGES(weight, length, FROM(work, pay)), UPDATES(trail), SUMS(asked),
           LINKS(town), NEW_EDGES(weight), WALKS(work), GIVEN(odd))
{
    uint64_t seen = linked_mix(OUT(trail), DEGREE + (RANDOM(5).v[0] & 0xff));
    EACH_EDGE(e) {
        seen = linked_mix(seen, (int64_t)(OF(trail, e) >> 3) + SOURCE(e));
        seen = linked_mix(seen, EDGE(weight, e) + (int64_t)(EDGE(length, e) * 8));
        if (linked_ends(seen)) UNLINK(e);
    }
    seen += (uint64_t)DEGREE_OF(work);
    EACH_EDGE_OF(work, e) {
        seen = linked_mix(seen, (int64_t)(OF(trail, e) >> 3) + SOURCE(e) + (int64_t)(EDGE(pay, e) * 2));
    }
    const int links = linked_links(seen);
    for (int i = 0; i < links; i++) {
        const int64_t k = LINK(linked_other(seen, i, AT_X, SIZE_X));
        if (seen >> 20 & 1) NEW_EDGE(weight, k) = (int16_t)(seen % 1000);
    }
    if (PARAM(odd) == 3) LINK(SIZE_X);
    for (int i = 0; PARAM(odd) == 4 && i < TOWN_LINKS + 1; i++) NEW_EDGE(weight, LINK(0)) = 1;
    if (PARAM(odd) == 5) NEW_EDGE(weight, 7) = 1;
    ADD(asked, links);
    OUT(trail) = seen;
}

MASS_SCHEDULE(STARTS(moving_begin), STEPS(moving_walk), MANAGES(walkers), STEPS(moving_look), RELINKS(town))
MASS_PLUGIN(.name = "moving", .version = "1.0.0", .help = "walkers, and edges that change", .finish = linked_compare);
