/* SPDX-License-Identifier: Apache-2.0 */
/* Updates arrays of edges that are sorted by node, after some edges have ended and others are new. The arrays are
 * merged with the new edges, and not sorted again. The time grows with the nodes, the edges and the changes: each id is
 * looked up once, and each edge is copied once. Host memory; any thread. */
#ifndef MASS_ENGINE_POPULATION_RELINK_MERGE_H
#define MASS_ENGINE_POPULATION_RELINK_MERGE_H

#include "state/changing_edges.h"

/* A set of edges that end. Most edges that are looked up do not: a filter, with a bit for the upper bits of a hash,
 * tells that of most of them without a look at the table. */
typedef struct mass_ended_set {
    const mass_ended_edge *list; /* of the caller */
    uint64_t *filter;
    uint32_t *slots; /* a table by hash of numbers in the list, from 1 on; 0: none */
    int filter_shift, slot_shift;
} mass_ended_set;

/* Makes the set of a list, which may have an edge twice. The caller frees it, also if this fails. */
mass_status mass_ended_set_make(const mass_ended_edge *list, uint64_t count, mass_ended_set *out, mass_error *error);
void mass_ended_set_free(mass_ended_set *s); /* frees what is in it, not the list */

/* Returns the hash of an edge of a world; its upper bits are the best. */
static inline uint64_t mass_ended_hash(uint64_t id, int64_t world)
{
    return (id + (uint64_t)world * 0xd6e8feb86659fd93u) * 0x9e3779b97f4a7c15u;
}
/* Returns whether an edge is in the table. mass_ended_set_has calls it if the filter does not exclude the edge. */
bool mass_ended_set_finds(const mass_ended_set *s, uint64_t hash, uint64_t id, int64_t world);
/* Returns whether an edge is in the set. */
static inline bool mass_ended_set_has(const mass_ended_set *s, uint64_t id, int64_t world)
{
    const uint64_t hash = mass_ended_hash(id, world), bit = hash >> s->filter_shift;
    return (s->filter[bit / 64] >> bit % 64 & 1) && mass_ended_set_finds(s, hash, id, world);
}

/* Consecutive elements of the merged arrays: `count` elements of the old arrays, or if `fresh`, of the new edges, from
 * element `from` on. */
typedef struct mass_edge_run {
    uint64_t from, count;
    bool fresh;
} mass_edge_run;

/* What the merged arrays are copied from: runs, in order. */
typedef struct mass_edge_merge {
    uint64_t *first; /* [numbers + 1] as in mass_changing_edges */
    mass_edge_run *runs;
    uint64_t count, room; /* of the runs */
} mass_edge_merge;

/* Finds the runs of the merged arrays: the edges of `old` that are not in `ended`, and those of `fresh`, which are the
 * new ones. Both are sorted by node. They have `numbers` nodes: `nodes` of each world. The caller frees out->runs and
 * out->first, also if this fails. */
mass_status mass_edges_merge(const mass_changing_edges *old, const mass_changing_edges *fresh,
                             const mass_ended_set *ended, size_t nodes, size_t numbers, mass_edge_merge *out,
                             mass_error *error);
/* Makes a merged array of elements of `size` bytes, from the array of the old edges and that of the new ones. If one of
 * these is NULL, its elements are zeros. */
void mass_edges_copy(const mass_edge_merge *m, const void *old, const void *fresh, size_t size, void *to);

#endif
