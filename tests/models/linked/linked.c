/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of a network that read linked nodes and edges in every way. After the last step, a plain program does all of it
 * again (plain.c). */
#include <mass/model.h>

#include "linked.h"

MASS_PARAMETER(text, file, "", "a file of edges; unset: they are drawn")
MASS_PARAMETER(int64_t, nodes, 20, 0, 1000000000, "of the network; 0: those of the file")
MASS_PARAMETER(int64_t, generator, MASS_RANDOM_EDGES, 1, 6, "of edges")
MASS_PARAMETER(int64_t, edges, 30, 0, 1000000000, "to be drawn")
MASS_PARAMETER(int64_t, inside, 0, 0, 1000000000, "to be drawn in blocks")
MASS_PARAMETER(int64_t, blocks, 1, 1, 1000000000, "of nodes")
MASS_PARAMETER(int64_t, degree, 4, 0, 1000000000, "of nodes")
MASS_PARAMETER(double, rewired, 0.2, 0, 1, "part of the edges that is drawn again")
MASS_PARAMETER(int64_t, draws, 1, 0, INT64_MAX, "seed of the generator")
MASS_PARAMETER(int64_t, directed, 0, 0, 1, "1: edges come into their targets alone")
MASS_PARAMETER(int64_t, simple, 0, 0, 1, "1: no edge is there twice")
MASS_PARAMETER(int64_t, odd, 0, 0, 2, "1: a body follows an edge that is not its own; 2: one that is none")
MASS_PARAMETER(int64_t, compared, 1, 0, 1, "1: the last state must be that of a plain program, which is slow")

MASS_NETWORK(town, .file = VALUE(file), .nodes = VALUE(nodes), .generator = (uint32_t)VALUE(generator),
             .edges = VALUE(edges), .inside = VALUE(inside), .blocks = VALUE(blocks), .degree = VALUE(degree),
             .rewired = VALUE(rewired), .seed = (uint64_t)VALUE(draws), .directed = (uint32_t)VALUE(directed),
             .simple = (uint32_t)VALUE(simple))
MASS_ATTRIBUTE(town, uint64_t, trail)
MASS_ATTRIBUTE(town, int32_t, heat, .initial = &(const int32_t){-5})
#ifndef LINKED_LIT /* bits.c makes it bits */
#define LINKED_LIT uint8_t
#endif
MASS_ATTRIBUTE(town, LINKED_LIT, lit)
MASS_EDGE_ATTRIBUTE(town, int16_t, weight, .initial = 3)
MASS_EDGE_ATTRIBUTE(town, double, length, .initial = 0.5)
MASS_TALLY(SUM, int64_t, met, "what all bodies met")

MASS_MAP(linked_begin, WRITES(trail, heat, lit))
{
    OUT(trail) = linked_first(AT_X);
    OUT(heat) = (int32_t)(OUT(trail) % 100);
    OUT(lit) = OUT(trail) >> 9 & 1;
}

MASS_NODES(linked_look, town, LINKED(trail, heat, lit), EDGES(weight, length), UPDATES(trail), WRITES(heat),
           GIVEN(odd), SUMS(met))
{
    uint64_t seen = OUT(trail) + (uint64_t)DEGREE;
    EACH_EDGE(e) {
        seen = linked_mix(seen, OF(heat, e) + SOURCE(e));
        seen = linked_mix(seen, (int64_t)(OF(trail, e) >> 3) + OF(lit, e));
        seen = linked_mix(seen, EDGE(weight, e) + (int64_t)(EDGE(length, e) * 8));
    }
    const mass_edge one = ONE_EDGE(3);
    if (IS_EDGE(one)) seen = linked_mix(seen, OF(heat, one));
    if (PARAM(odd)) {
        const mass_edge none = {PARAM(odd) == 1 ? 0 : UINT64_MAX};
        seen += (uint64_t)(OF(heat, none) + EDGE(weight, none) + SOURCE(none));
    }
    OUT(heat) = (int32_t)(seen % 100);
    OUT(trail) = seen;
    ADD(met, (int64_t)(seen % 1000));
}

MASS_NODES(linked_light, town, LINKED(AS(was_lit, lit)), UPDATES(lit), READS(heat))
{
    int count = 0;
    EACH_EDGE(e) {
        if (SOURCE(e) == AT_X) break;
        count += OF(was_lit, e);
    }
    OUT(lit) = (count + IN(heat)) & 1;
}

MASS_SCHEDULE(STARTS(linked_begin), STEPS(linked_look), STEPS(linked_light))
MASS_PLUGIN(.name = "linked", .version = "1.0.0", .help = "nodes that read linked nodes", .finish = linked_compare);
