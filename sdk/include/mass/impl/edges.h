/* SPDX-License-Identifier: Apache-2.0 */
/* The edges that come into a body's node, and what they lead to. An edge that does not come into the node gives the
 * default, on all devices alike. */
#ifndef MASS_EDGES_H
#define MASS_EDGES_H

#include <mass/impl/reach.h>

/* Returns a set of edges, 0 for the network's own. */
MASS_FN const mass_edges *mass_edges_of(const mass_site *s, uint32_t set)
{
    return set ? &s->launch->sets[set - 1] : &s->launch->edges;
}
/* Return the first edge that comes into a body's node, and the one after the last. */
MASS_FN uint64_t mass_set_begin(const mass_site *s, uint32_t set)
{
    const mass_edges *const g = mass_edges_of(s, set);
    return g->first[s->world * g->each + s->x];
}
MASS_FN uint64_t mass_set_end(const mass_site *s, uint32_t set)
{
    const mass_edges *const g = mass_edges_of(s, set);
    return g->first[s->world * g->each + s->x + 1];
}
MASS_FN uint64_t mass_edges_begin(const mass_site *s) { return mass_set_begin(s, 0); }
MASS_FN uint64_t mass_edges_end(const mass_site *s) { return mass_set_end(s, 0); }

/* Is true while a walk has not come to its end. A GPU's compiler learns that the edge comes into the body's node, so
 * that it can read several edges at once. */
MASS_FN int mass_walks(const mass_site *s, uint32_t set, uint64_t number, uint64_t end)
{
    if (number >= end) return 0;
#ifdef __CUDACC__
    const uint64_t first = mass_set_begin(s, set);
    __builtin_assume(number - first < mass_set_end(s, set) - first);
#else
    (void)s, (void)set;
#endif
    return 1;
}

/* Is true for an edge that comes into the body's node. */
MASS_FN int mass_is_set_of_node(const mass_site *s, const mass_reach *reach, mass_set_edge e)
{
    const uint64_t first = mass_set_begin(s, e.set);
    const int is = e.number - first < mass_set_end(s, e.set) - first;
    if (!is) mass_report_out_of_reach(s, reach->checked, MASS_OUT_OF_REACH_EDGE, (mass_gidx)e.number, 0, 0);
    return is;
}

/* Returns the address of a value of the node at the other end of an edge, in an array of a LINKED field. */
MASS_FN const void *mass_at_set_edge_of(const mass_site *s, const mass_reach *reach, mass_set_edge e, const void *array,
                                        size_t size)
{
    const mass_edges *const g = mass_edges_of(s, e.set);
    const int64_t element = mass_is_set_of_node(s, reach, e) ? s->world * g->stride + g->source[e.number] : g->none;
    return (const char *)array + (size_t)element * size;
}
/* Returns the address of a value of an edge, in an array of an EDGES field. */
MASS_FN const void *mass_at_set_edge(const mass_site *s, const mass_reach *reach, mass_set_edge e, const void *array,
                                     size_t size)
{
    const uint64_t element = mass_is_set_of_node(s, reach, e) ? e.number : mass_edges_of(s, e.set)->count;
    return (const char *)array + element * size;
}
/* Returns the number of the node at the other end of an edge, or -1. */
MASS_FN mass_gidx mass_source_of_set(const mass_site *s, const mass_reach *reach, mass_set_edge e)
{
    return mass_is_set_of_node(s, reach, e) ? (mass_gidx)mass_edges_of(s, e.set)->source[e.number] : -1;
}

/* The functions above for edges of the network itself, which are set 0. */
MASS_FN mass_set_edge mass_own_edge(mass_edge e)
{
    const mass_set_edge own = {e.number, 0};
    return own;
}
MASS_FN int mass_is_of_node(const mass_site *s, const mass_reach *reach, mass_edge e)
{
    return mass_is_set_of_node(s, reach, mass_own_edge(e));
}
MASS_FN const void *mass_at_edge_of(const mass_site *s, const mass_reach *reach, mass_edge e, const void *array,
                                    size_t size)
{
    return mass_at_set_edge_of(s, reach, mass_own_edge(e), array, size);
}
MASS_FN const void *mass_at_edge(const mass_site *s, const mass_reach *reach, mass_edge e, const void *array,
                                 size_t size)
{
    return mass_at_set_edge(s, reach, mass_own_edge(e), array, size);
}
MASS_FN mass_gidx mass_source_of(const mass_site *s, const mass_reach *reach, mass_edge e)
{
    return mass_source_of_set(s, reach, mass_own_edge(e));
}

/* Selects a function by the type of a handle. */
#ifdef __cplusplus
MASS_FN const void *mass_at_edge_of(const mass_site *s, const mass_reach *reach, mass_set_edge e, const void *array,
                                    size_t size)
{
    return mass_at_set_edge_of(s, reach, e, array, size);
}
MASS_FN const void *mass_at_edge(const mass_site *s, const mass_reach *reach, mass_set_edge e, const void *array,
                                 size_t size)
{
    return mass_at_set_edge(s, reach, e, array, size);
}
MASS_FN mass_gidx mass_source_of(const mass_site *s, const mass_reach *reach, mass_set_edge e)
{
    return mass_source_of_set(s, reach, e);
}
#define MASS_BY_SET_(e, of_set, own) own
#else
#define MASS_BY_SET_(e, of_set, own) _Generic((e), mass_set_edge: of_set, default: own)
#endif

#endif
