/* SPDX-License-Identifier: Apache-2.0 */
/* Follows changes of edges: arrays of edges that are sorted by node, without those that have ended, and with new ones.
 * The time grows with the nodes, with the edges (a look at each id, and a copy), and with what has changed. Host
 * memory; any thread. */
#ifndef MASS_ENGINE_POPULATION_RELINK_MERGE_H
#define MASS_ENGINE_POPULATION_RELINK_MERGE_H

#include "state/changing_edges.h"

/* A set of edges that end. A filter of one bit for each hash says of most other edges that they do not. */
typedef struct mass_ended_set {
    const mass_ended_edge *list; /* of the caller */
    uint64_t *filter;
    uint32_t *slots; /* numbers in the list from 1 on, by hash; 0: none */
    int filter_shift, slot_shift;
} mass_ended_set;

/* Makes the set of a list, in which edges may be twice. The caller frees it, also if this fails. */
mass_status mass_ended_set_make(const mass_ended_edge *list, uint64_t count, mass_ended_set *out, mass_error *error);
void mass_ended_set_free(mass_ended_set *s);

static inline uint64_t mass_ended_hash(uint64_t id, int64_t world)
{
    return (id + (uint64_t)world * 0xd6e8feb86659fd93u) * 0x9e3779b97f4a7c15u;
}
/* Returns whether an edge is in the set, when the filter does not exclude it. */
bool mass_ended_set_finds(const mass_ended_set *s, uint64_t hash, uint64_t id, int64_t world);
static inline bool mass_ended_set_has(const mass_ended_set *s, uint64_t id, int64_t world)
{
    const uint64_t hash = mass_ended_hash(id, world), bit = hash >> s->filter_shift;
    return (s->filter[bit / 64] >> bit % 64 & 1) && mass_ended_set_finds(s, hash, id, world);
}

/* A part of the merged arrays: `count` elements of the new ones, or of the old ones, from `from` on. */
typedef struct mass_edge_run {
    uint64_t from, count;
    bool fresh;
} mass_edge_run;

/* The merged arrays as runs of what they are made of. */
typedef struct mass_edge_merge {
    uint64_t *first; /* [numbers + 1] as in mass_changing_edges */
    mass_edge_run *runs;
    uint64_t count, room; /* of the runs */
} mass_edge_merge;

/* Finds the runs. Both arrays have `numbers` nodes, of worlds of `nodes`. The caller frees the runs and `first`, also
 * if this fails. */
mass_status mass_edges_merge(const mass_changing_edges *old, const mass_changing_edges *fresh,
                             const mass_ended_set *ended, size_t nodes, size_t numbers, mass_edge_merge *out,
                             mass_error *error);
/* Copies elements of `size` bytes from the old and the new array to the merged one. fresh NULL: zeros. */
void mass_edges_copy(const mass_edge_merge *m, const void *old, const void *fresh, size_t size, void *to);

#endif
