/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies over the nodes of a network, on CPUs and GPUs: what the words of network.h need. They are bodies over places
 * of a space of one dimension, with a walk over the edges that come in. */
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_KERNEL_EDGES_H
#define MASS_KERNEL_EDGES_H

#include <mass/impl/edges.h>

#define MASS_NO_EDGE UINT64_MAX

/* Returns an edge drawn from those that come into a node, or MASS_NO_EDGE. */
MASS_FN mass_edge mass_one_edge(const mass_site *s, mass_random4 r)
{
    const uint64_t first = mass_edges_begin(s), count = mass_edges_end(s) - first;
    const uint32_t most = count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
    const mass_edge e = {count ? first + mass_below_u32(most, r.v[0], r.v[1]) : MASS_NO_EDGE};
    return e;
}

/* Returns an edge of set `set` drawn from those that come into a node, or one with the number MASS_NO_EDGE. */
MASS_FN mass_set_edge mass_one_set_edge(const mass_site *s, uint32_t set, mass_random4 r)
{
    const uint64_t first = mass_set_begin(s, set), count = mass_set_end(s, set) - first;
    const uint32_t most = count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
    const mass_set_edge e = {count ? first + mass_below_u32(most, r.v[0], r.v[1]) : MASS_NO_EDGE, set};
    return e;
}

/* The site of a body over nodes. Other bodies have no such member: its name is what the compiler says of them. */
#define MASS_NODES_MEMBER_ nodes_of_MASS_NODES_MASS_IN_TURN_NODES_or_MASS_AGENT_ON_NODES
#define MASS_NODE_SITE_ ((void)sizeof mass_w->sight.MASS_NODES_MEMBER_, &mass_w->site)
#define MASS_EDGES_FROM_(edge) MASS_ASKED_(MASS_NOTED_POSITION, edge(MASS_NODE_SITE_))

#define DEGREE ((int64_t)(MASS_EDGES_FROM_(mass_edges_end) - mass_edges_begin(&mass_w->site)))
#define EACH_EDGE(e)                                                                                               \
    for (mass_edge e = {MASS_EDGES_FROM_(mass_edges_begin)}, mass_end_##e = {mass_edges_end(&mass_w->site)};       \
         mass_walks(&mass_w->site, 0, e.number, mass_end_##e.number); e.number++)
#define ONE_EDGE(draw) mass_one_edge(MASS_NODE_SITE_, RANDOM(draw))
#define IS_EDGE(e) ((e).number != MASS_NO_EDGE)
#define SOURCE(e) MASS_BY_SET_(e, mass_source_of_set, mass_source_of)(MASS_NODE_SITE_, &mass_w->reach_, (e))
#define EDGE(f, e)                                                                                         \
    (*(__typeof__(MASS_HELD_BY_(POINTER, &mass_w->anybody_, edge_##f)))                                    \
         MASS_BY_SET_(e, mass_at_set_edge, mass_at_edge)(                                                  \
             &mass_w->site, &mass_w->reach_, (e), MASS_HELD_BY_(POINTER, &mass_w->anybody_, edge_##f),     \
             sizeof *MASS_HELD_BY_(POINTER, &mass_w->anybody_, edge_##f)))

/* The number of a set, and the words with its name. */
#define MASS_SET_NUMBER_(set) ((uint32_t)MASS_NUMBER_IN_(sight.sets.sees_##set))
#define DEGREE_OF(set)                                                                                         \
    ((int64_t)(mass_set_end(MASS_NODE_SITE_, MASS_SET_NUMBER_(set)) -                                          \
               MASS_ASKED_(MASS_NOTED_POSITION, mass_set_begin(MASS_NODE_SITE_, MASS_SET_NUMBER_(set)))))
#define EACH_EDGE_OF(set, e)                                                                                       \
    for (mass_set_edge e = {MASS_ASKED_(MASS_NOTED_POSITION,                                                       \
                                        mass_set_begin(MASS_NODE_SITE_, MASS_SET_NUMBER_(set))),                   \
                            MASS_SET_NUMBER_(set)},                                                                \
                       mass_end_##e = {mass_set_end(MASS_NODE_SITE_, MASS_SET_NUMBER_(set)), 0};                   \
         mass_walks(&mass_w->site, MASS_SET_NUMBER_(set), e.number, mass_end_##e.number); e.number++)
#define ONE_EDGE_OF(set, draw) mass_one_set_edge(MASS_NODE_SITE_, MASS_SET_NUMBER_(set), RANDOM(draw))

#define MASS_NODES(NAME, NETWORK, ...) MASS_NODES_(, NAME, NETWORK, ##__VA_ARGS__)
#define MASS_NODES_(E, NAME, NETWORK, ...) \
    MASS_JOIN(MASS_NODES_OF_, MASS_IS_EXPANDED_(E, __VA_ARGS__##E))(E, NAME, NETWORK, __VA_ARGS__##E)
#define MASS_NODES_OF_2(E, NAME, NETWORK, ...) MASS_NODES_OF_1(E, NAME, NETWORK, __VA_ARGS__)
#define MASS_NODES_OF_1(E, NAME, NETWORK, ...)                                                             \
    MASS_SETS_OF_(NAME, MASS_WALKED_SETS_(E, __VA_ARGS__##E))                                              \
    MASS_NODES_SEE_(NAME, NETWORK, MASS_SEEN_BY_PLACES_(E, __VA_ARGS__##E))                                \
    MASS_CHECKED_(E, NAME, NODES_, NETWORK, __VA_ARGS__##E)                                                \
    MASS_KERNEL_(NAME, (MASS_LISTED_(E, NODES_, NETWORK, NAME, __VA_ARGS__##E)), 1, 0, MASS_OVER_PLACES)
/* Bodies that ask for edges see the population of the network's edges. The array has one element more then. */
#define MASS_NODES_SEE_(NAME, NETWORK, ...)                                                            \
    MASS_JOIN(MASS_NODES_SEE_, MASS_SECOND_(MASS_JOIN(MASS_ALONE_, MASS_COUNT_(__VA_ARGS__)), 2))(     \
        NAME, NETWORK, __VA_ARGS__)
#define MASS_NODES_SEE_1(NAME, NETWORK, none) \
    MASS_UNPOPULATED_BUT_(NAME, char (*MASS_NODES_MEMBER_)[1]; MASS_JOIN(NAME, _walked_sets) sets;, #NETWORK)
#define MASS_NODES_SEE_2(NAME, NETWORK, none, ...)  \
    MASS_SIGHT_(NAME, char (*MASS_NODES_MEMBER_)[2]; MASS_JOIN(NAME, _walked_sets) sets;, __VA_ARGS__) \
    MASS_UNPOPULATED_PLACES_(NAME, #NETWORK)

/* Edges that come and go. Requests for new edges are sprouts of a population whose agents are the edges: the agent
 * stands on the node that asked for it, and its attribute `source` is the node at the other end. */

/* Asks for an edge from a node. Returns the number of the request among those of the body's node, or -1. */
MASS_FN int64_t mass_ask_for_edge(const mass_site *s, const mass_reach *reach, mass_gidx node, uint32_t *source)
{
    const mass_sprouts *const g = &s->launch->sprouts[0];
    if ((uint64_t)node >= (uint64_t)s->launch->size[0]) {
        mass_report_out_of_reach(s, reach->checked, MASS_OUT_OF_REACH_LINK, node, 0, 0);
        return -1;
    }
    if (!g->asked) return -1;
    uint32_t *const at = g->asked + mass_sprout_cell(s, 0);
    const uint32_t number = *at & 0xffffu, most = *at >> 16;
    if (number >= g->most) {
        mass_effects_ignored(s->launch, MASS_IGNORED_SPROUTS);
        return -1;
    }
    *at = (number + 1 > most ? number + 1 : most) << 16 | (number + 1);
    source[mass_sprout_at(s, 0, number)] = (uint32_t)node;
    return number;
}
/* Asks for the end of an edge. Nothing happens to an edge that does not come into the node. */
MASS_FN void mass_end_edge(const mass_site *s, const mass_reach *reach, mass_edge e)
{
    if (mass_is_of_node(s, reach, e) && s->launch->edges.cut) s->launch->edges.cut[e.number] = 1;
}
/* Returns the address of a value of a request; `none` for one that LINK did not give. */
MASS_FN const void *mass_new_edge(const mass_site *s, const mass_reach *reach, int64_t k, const void *array,
                                  size_t size, const void *none)
{
    return k < 0 ? none : mass_sprout_value(s, reach, 0, k, array, size, none);
}

#define MASS_CHECK_LINKS_(call) \
    MASS_CHECK_WORD_HAS_(sizeof *mass_w->sight.MASS_NODES_MEMBER_ > 1, call " needs the entry LINKS(network)")
#define LINK(node)                         \
    (MASS_CHECK_LINKS_("LINK(" #node ")")  \
     mass_ask_for_edge(MASS_NODE_SITE_, &mass_w->reach_, (node), MASS_MEMBER_OF_(POINTER, links_source)))
#define UNLINK(e) (MASS_CHECK_LINKS_("UNLINK(" #e ")") mass_end_edge(MASS_NODE_SITE_, &mass_w->reach_, (e)))
#define NEW_EDGE(f, k)                                                                                     \
    (*(__typeof__(MASS_MEMBER_OF_(POINTER, new_##f)))mass_new_edge(                                        \
        MASS_NODE_SITE_, &mass_w->reach_, (k), MASS_MEMBER_OF_(POINTER, new_##f),                          \
        sizeof *MASS_MEMBER_OF_(POINTER, new_##f), MASS_MEMBER_OF_(POINTER, new_##f##_nobody)))

/* Agents that stand on nodes. A move along an edge that does not come into their node is none. */
#define MIGRATE_ALONG(e)                                                                                \
    ((void)(mass_w->move = mass_move_to_place(MASS_NODE_SITE_, mass_w->agent,                           \
                                              MASS_BY_SET_(e, mass_source_of_set, mass_source_of)(      \
                                                  &mass_w->site, &mass_w->reach_, (e)))))
#define MASS_AGENT_ON_NODES(NAME, POPULATION, NETWORK, ...) \
    MASS_AGENT_ON_NODES_(, NAME, POPULATION, NETWORK, ##__VA_ARGS__)
#define MASS_AGENT_ON_NODES_(E, NAME, POPULATION, NETWORK, ...) \
    MASS_JOIN(MASS_ON_NODES_OF_, MASS_IS_EXPANDED_(E, __VA_ARGS__##E))(E, NAME, POPULATION, NETWORK, __VA_ARGS__##E)
#define MASS_ON_NODES_OF_2(E, NAME, POPULATION, NETWORK, ...) \
    MASS_ON_NODES_OF_1(E, NAME, POPULATION, NETWORK, __VA_ARGS__)
#define MASS_ON_NODES_OF_1(E, NAME, POPULATION, NETWORK, ...)                                                    \
    MASS_SETS_OF_(NAME, MASS_WALKED_SETS_(E, __VA_ARGS__##E))                                                    \
    MASS_POPULATED_ON_(NAME, char (*MASS_NODES_MEMBER_)[1]; MASS_JOIN(NAME, _walked_sets) sets;, #NETWORK,       \
                       MASS_POPULATIONS_(POPULATION))                                                            \
    MASS_CHECKED_(E, NAME, ON_NODES_, MASS_OWN_POPULATION_(POPULATION), __VA_ARGS__##E)                          \
    MASS_AGENT_(NAME, (MASS_LISTED_(E, ON_NODES_, MASS_OWN_POPULATION_(POPULATION), NAME, __VA_ARGS__##E)), 1, 0)

#endif
