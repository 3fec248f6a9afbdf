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

/* The site of a body over nodes. Other bodies have no member `nodes`. */
#define MASS_NODE_SITE_ ((void)sizeof mass_w->sight.nodes, &mass_w->site)
#define MASS_EDGES_FROM_(edge) MASS_ASKED_(MASS_NOTED_POSITION, edge(MASS_NODE_SITE_))

#define DEGREE ((int64_t)(MASS_EDGES_FROM_(mass_edges_end) - mass_edges_begin(&mass_w->site)))
#define EACH_EDGE(e)                                                                                               \
    for (mass_edge e = {MASS_EDGES_FROM_(mass_edges_begin)}, mass_end_##e = {mass_edges_end(&mass_w->site)};       \
         e.number < mass_end_##e.number; e.number++)
#define ONE_EDGE(draw) mass_one_edge(MASS_NODE_SITE_, RANDOM(draw))
#define IS_EDGE(e) ((e).number != MASS_NO_EDGE)
#define SOURCE(e) mass_source_of(MASS_NODE_SITE_, &mass_w->reach_, (e))
#define EDGE(f, e)                                                                                      \
    (*(__typeof__(MASS_HELD_BY_(POINTER, &mass_w->anybody_, edge_##f)))mass_at_edge(                    \
        &mass_w->site, &mass_w->reach_, (e), MASS_HELD_BY_(POINTER, &mass_w->anybody_, edge_##f),       \
        sizeof *MASS_HELD_BY_(POINTER, &mass_w->anybody_, edge_##f)))

#define MASS_NODES(NAME, NETWORK, ...) MASS_NODES_(, NAME, NETWORK, ##__VA_ARGS__)
#define MASS_NODES_(E, NAME, NETWORK, ...) \
    MASS_JOIN(MASS_NODES_OF_, MASS_IS_EXPANDED_(E, __VA_ARGS__##E))(E, NAME, NETWORK, __VA_ARGS__##E)
#define MASS_NODES_OF_2(E, NAME, NETWORK, ...) MASS_NODES_OF_1(E, NAME, NETWORK, __VA_ARGS__)
#define MASS_NODES_OF_1(E, NAME, NETWORK, ...)                                                             \
    MASS_UNPOPULATED_BUT_(NAME, char (*nodes)[1];, #NETWORK)                                               \
    MASS_CHECKED_(E, NAME, NODES_, NETWORK, __VA_ARGS__##E)                                                \
    MASS_KERNEL_(NAME, (MASS_LISTED_(E, NODES_, NETWORK, NAME, __VA_ARGS__##E)), 1, 0, MASS_OVER_PLACES)

#endif
