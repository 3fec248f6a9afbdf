/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes that act one after the other, and see and change each other over edges of two sets. After the last step, a
 * plain program does all of it again (turned_plain.c). The nodes of a second network act over edges that change. */
#include "town.h"

MASS_PARAMETER(int64_t, alike, 0, 0, 1, "1: the second set of edges is directed if the network is; 0: if it is not")

MASS_ATTRIBUTE(town, uint64_t, trail)
MASS_ATTRIBUTE(town, int32_t, heat, .least = -1000, .most = 1000)
#ifndef TURNED_LIT /* turned_bits.c makes it bits */
#define TURNED_LIT uint8_t
#endif
MASS_ATTRIBUTE(town, TURNED_LIT, lit)
MASS_EDGE_SET(town, work, .generator = MASS_RANDOM_EDGES, .edges = 2 * EXTENT(town, 0), .seed = 5,
              .directed = (uint32_t)(VALUE(alike) ? VALUE(directed) : 1 - VALUE(directed)))
MASS_EDGE_ATTRIBUTE(work, float, pay, .initial = 1.5)
MASS_EDGE_ATTRIBUTE(town, int16_t, weight, .initial = 3)
MASS_EDGE_ATTRIBUTE(town, double, length, .initial = 0.5)
MASS_TALLY(SUM, int64_t, met, "what nodes met")
MASS_TALLY(SUM, int64_t, given, "what nodes gave")

MASS_NETWORK(club, .nodes = 13, .generator = MASS_RANDOM_EDGES, .edges = 30, .links = 1)
MASS_ATTRIBUTE(club, uint64_t, word)

MASS_MAP(turned_begin, WRITES(trail, heat, lit))
{
    OUT(trail) = linked_first(AT_X);
    OUT(heat) = (int32_t)(OUT(trail) % 100) - 50;
    OUT(lit) = OUT(trail) >> 9 & 1;
}

MASS_IN_TURN_NODES(turned_look, town, LINKED(AS(theirs, trail), lit), UPDATES(trail, AS(shines, lit)), WALKS(work),
                   EDGES(weight, length, FROM(work, pay)), GIVEN(odd), SUMS(met))
{
    uint64_t seen = linked_mix(OUT(trail), DEGREE + 3 * DEGREE_OF(work));
    EACH_EDGE(e) {
        seen = linked_mix(seen, (int64_t)(OF(theirs, e) >> 3) + SOURCE(e) + OF(lit, e));
        seen = linked_mix(seen, EDGE(weight, e) + (int64_t)(EDGE(length, e) * 8));
    }
    EACH_EDGE_OF(work, e) seen = linked_mix(seen, (int64_t)(OF(theirs, e) >> 5) + (int64_t)(EDGE(pay, e) * 2));
    const mass_edge one = ONE_EDGE(3);
    if (IS_EDGE(one)) seen = linked_mix(seen, (int64_t)(OF(theirs, one) >> 7));
    if (PARAM(odd) == 1) {
        const mass_edge none = {0};
        seen += OF(theirs, none);
    }
    if (PARAM(odd) == 4 && IS_EDGE(one)) seen += *(&OF(theirs, one) - SOURCE(one)); /* that of node 0, by its address */
    OUT(shines) = seen >> 9 & 1;
    OUT(trail) = seen;
    ADD(met, (int64_t)(seen % 1000));
}

MASS_IN_TURN_NODES(turned_give, town, CHANGES(heat), UPDATES(AS(mine, heat)), READS(trail), WALKS(work), GIVEN(odd),
                   SUMS(given))
{
    int64_t given = 0;
    EACH_EDGE(e) {
        const int32_t part = (int32_t)((IN(trail) + (uint64_t)SOURCE(e)) % 7);
        OF(heat, e) = (OF(heat, e) + part) % 1000;
        given += part;
    }
    EACH_EDGE_OF(work, e) OF(heat, e) = OF(heat, e) / 2 + OUT(mine) % 10;
    if (PARAM(odd) == 2) {
        const mass_edge none = {UINT64_MAX};
        OF(heat, none) = 77;
        given += OF(heat, none);
    }
    OUT(mine) = PARAM(odd) == 6 ? 1001 : (OUT(mine) + (int32_t)given) % 100;
    ADD(given, given);
}

MASS_MAP(club_begin, WRITES(word)) { OUT(word) = linked_first(AT_X); }
MASS_IN_TURN_NODES(club_speak, club, LINKED(AS(heard, word)), UPDATES(word))
{
    EACH_EDGE(e) OUT(word) = linked_mix(OUT(word), (int64_t)(OF(heard, e) >> 9) + SOURCE(e));
}
MASS_NODES(club_change, club, READS(word), LINKS(club))
{
    EACH_EDGE(e) if (linked_ends(IN(word) + (uint64_t)SOURCE(e))) UNLINK(e);
    LINK((int64_t)(IN(word) >> 40) % SIZE_X);
}

MASS_SCHEDULE(STARTS(turned_begin), STARTS(club_begin, .space = "club"), STEPS(turned_look),
              STEPS(turned_give, .order = "heat"), STEPS(turned_look, .order = "id", .reversed = 1), STEPS(club_speak),
              STEPS(club_change), RELINKS(club))
MASS_PLUGIN(.name = "turned", .version = "1.0.0", .help = "nodes in turn", .finish = linked_compare);
