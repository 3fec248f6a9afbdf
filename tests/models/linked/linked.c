/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of a network that read linked nodes and edges in every way. After the last step, a plain program does all of it
 * again (plain.c). */
#include "town.h"

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
