/* SPDX-License-Identifier: Apache-2.0 */
/* What bodies in turn read and change by handles: the values of other agents, which walks find, and those of the nodes
 * at the other ends of edges. */
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_KERNEL_TURN_HANDLES_H
#define MASS_KERNEL_TURN_HANDLES_H

#include <mass/impl/edges.h>
#include <mass/impl/kernel_turn_walks.h>

/* A bit of the number of a population in the windows of bodies in turn: CHANGES names the attribute. */
enum { MASS_TURN_CHANGED = 16 };

/* Returns whether a handle names an agent of population k. */
MASS_FN int mass_is_peer(const mass_site *s, const mass_reach *r, uint32_t k, const mass_peer *o)
{
    if (MASS_LIKELY_(o->agent < mass_turn_rows(mass_turn_of(s, k)) && o->population == k)) return 1;
    mass_report_out_of_reach(s, r->checked,
                             o->agent == MASS_NOBODY ? MASS_OUT_OF_REACH_NOBODY : MASS_OUT_OF_REACH_OTHER,
                             o->dx, o->dy, o->dz);
    return 0;
}
/* Returns whether a handle names an agent of population k that the body may change. */
MASS_FN int mass_is_changed_peer(const mass_site *s, const mass_reach *r, uint32_t k, const mass_peer *o)
{
    return mass_is_peer(s, r, k, o) &&
           mass_turn_reaches(s, r, r->changes, MASS_OUT_OF_REACH_CHANGE, o->dx, o->dy, o->dz);
}
/* Returns the address of an agent's element in an array; `none` of nobody. k: the number of its population, with
 * MASS_TURN_CHANGED if the body may change the element. */
MASS_FN const void *mass_of_peer(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked, uint32_t k,
                                 uint32_t self, mass_span here, mass_peer o, const void *array, size_t size,
                                 const void *none)
{
    const int named = k & MASS_TURN_CHANGED ? mass_is_changed_peer(s, r, k ^ MASS_TURN_CHANGED, &o)
                                            : mass_is_peer(s, r, k, &o);
    (void)walked, (void)self, (void)here;
    return named ? (const char *)array + (size_t)o.agent * size : (const char *)none;
}
/* Returns the address of the present value of the node at the other end of an edge. For an edge that does not come into
 * the body's node it is that of a copy of the default at `none`, which the body may change. */
MASS_FN const void *mass_turn_of_linked_by_set(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked,
                                               uint32_t k, uint32_t self, mass_span here, mass_set_edge e,
                                               const void *array, size_t size, const void *none)
{
    const mass_edges *const g = mass_edges_of(s, e.set);
    (void)walked, (void)k, (void)self, (void)here;
    if (MASS_LIKELY_(mass_is_set_of_node(s, r, e)))
        return (const char *)array + (s->world * g->stride + g->source[e.number]) * (int64_t)size;
    memcpy((void *)(uintptr_t)none, (const char *)array + g->none * (int64_t)size, size);
    return none;
}
MASS_FN const void *mass_turn_of_linked(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked,
                                        uint32_t k, uint32_t self, mass_span here, mass_edge e, const void *array,
                                        size_t size, const void *none)
{
    return mass_turn_of_linked_by_set(s, r, walked, k, self, here, mass_own_edge(e), array, size, none);
}
MASS_FN uint64_t mass_id_of_peer(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked, uint32_t k,
                                 uint32_t self, mass_peer o)
{
    (void)walked, (void)self;
    return mass_is_peer(s, r, k, &o) ? mass_turn_of(s, k)->id[o.agent] : UINT64_MAX;
}
#ifdef __cplusplus
/* The names by which bodies in C++ call these functions. */
MASS_FN mass_turn_walk mass_walk_begin(const mass_site *s, const mass_reach *reach, mass_turn_walked *walked,
                                       uint32_t k, uint32_t self, int64_t r)
{
    return mass_turn_walk_begin(s, reach, walked, k, self, r);
}
MASS_FN int mass_walk_next(mass_turn_walk *w, mass_peer *o) { return mass_turn_walk_next(w, o); }
MASS_FN uint32_t mass_walk_count(const mass_turn_walk &w) { return mass_turn_walk_count(w); }
MASS_FN mass_peer mass_walk_one(const mass_turn_walk &w, mass_random4 r) { return mass_turn_walk_one(w, r); }
MASS_FN mass_peer mass_walk_nearest(const mass_turn_walk &w) { return mass_turn_walk_nearest(w); }
MASS_FN const void *mass_of_other(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked, uint32_t k,
                                  uint32_t self, mass_peer o, const void *array, size_t size, const void *none)
{
    return mass_of_peer(s, r, walked, k, self, mass_span{0, 0}, o, array, size, none);
}
MASS_FN const void *mass_of_edge(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked, mass_edge e,
                                 const void *array, size_t size, const void *none)
{
    return mass_turn_of_linked(s, r, walked, 0, 0, mass_span{0, 0}, e, array, size, none);
}
MASS_FN const void *mass_of_edge(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked,
                                 mass_set_edge e, const void *array, size_t size, const void *none)
{
    return mass_turn_of_linked_by_set(s, r, walked, 0, 0, mass_span{0, 0}, e, array, size, none);
}
MASS_FN uint64_t mass_id_of_other(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked, uint32_t k,
                                  uint32_t self, mass_peer o)
{
    return mass_id_of_peer(s, r, walked, k, self, o);
}
#endif

#endif
