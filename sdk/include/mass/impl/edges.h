/* SPDX-License-Identifier: Apache-2.0 */
/* The edges that come into a body's node, and what they lead to. An edge that does not come into the node gives the
 * default, on all devices alike. */
#ifndef MASS_EDGES_H
#define MASS_EDGES_H

#include <mass/impl/reach.h>

/* Return the first edge that comes into a body's node, and the one after the last. */
MASS_FN uint64_t mass_edges_begin(const mass_site *s) { return s->launch->edges.first[s->x]; }
MASS_FN uint64_t mass_edges_end(const mass_site *s) { return s->launch->edges.first[s->x + 1]; }

/* Is true for an edge that comes into the body's node. */
MASS_FN int mass_is_of_node(const mass_site *s, const mass_reach *reach, mass_edge e)
{
    const uint64_t first = mass_edges_begin(s);
    const int is = e.number - first < mass_edges_end(s) - first;
    if (!is) mass_report_out_of_reach(s, reach->checked, MASS_OUT_OF_REACH_EDGE, (mass_gidx)e.number, 0, 0);
    return is;
}

/* Returns the address of a value of the node at the other end of an edge, in an array of a LINKED field. */
MASS_FN const void *mass_at_edge_of(const mass_site *s, const mass_reach *reach, mass_edge e, const void *array,
                                    size_t size)
{
    const mass_edges *const g = &s->launch->edges;
    const int64_t element = mass_is_of_node(s, reach, e) ? s->world * g->stride + g->source[e.number] : g->none;
    return (const char *)array + (size_t)element * size;
}
/* Returns the address of a value of an edge, in an array of an EDGES field. */
MASS_FN const void *mass_at_edge(const mass_site *s, const mass_reach *reach, mass_edge e, const void *array,
                                 size_t size)
{
    const uint64_t element = mass_is_of_node(s, reach, e) ? e.number : s->launch->edges.count;
    return (const char *)array + element * size;
}
/* Returns the number of the node at the other end of an edge, or -1. */
MASS_FN mass_gidx mass_source_of(const mass_site *s, const mass_reach *reach, mass_edge e)
{
    return mass_is_of_node(s, reach, e) ? (mass_gidx)s->launch->edges.source[e.number] : -1;
}

#endif
