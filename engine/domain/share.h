/* SPDX-License-Identifier: Apache-2.0 */
/* What of a run a rank holds: whole worlds, where there are at least as many worlds as ranks, or else a slab of every
 * space in every world, which its partitions divide further. Pure arithmetic. */
#ifndef MASS_ENGINE_SHARE_H
#define MASS_ENGINE_SHARE_H

#include "comm/link.h"

typedef struct mass_share {
    mass_comm *comm;          /* borrowed */
    mass_link *link;          /* of the ranks' devices; NULL: what they exchange goes through the host. Borrowed */
    bool by_world;            /* whole worlds; else slabs. Of one rank: false */
    int32_t worlds;           /* of the run, over all ranks */
    int32_t first_world;      /* of those, the first one that this rank holds, from 0 */
    int32_t partitions;       /* slabs of a space over all ranks; of whole worlds, those of this rank */
    int32_t first_partition;  /* of those, the first one that this rank holds */
} mass_share;

/* The first world, of `worlds`, that a rank of `ranks` holds; of rank `ranks`: the end. */
static inline int32_t mass_share_first_world(int32_t worlds, int32_t rank, int32_t ranks)
{
    return (int32_t)((int64_t)worlds * rank / ranks);
}

/* The share of the rank that asks, in a run of `worlds` worlds, with `partitions` partitions a rank. There is no
 * overflow where no space has fewer rows than slabs. */
static inline mass_share mass_share_make(mass_comm *comm, int32_t worlds, int32_t partitions)
{
    const bool by_world = comm->size > 1 && worlds >= comm->size;
    mass_share s = {.comm = comm, .by_world = by_world, .worlds = worlds, .partitions = partitions};
    if (by_world) s.first_world = mass_share_first_world(worlds, comm->rank, comm->size);
    else {
        s.partitions = partitions * comm->size;
        s.first_partition = partitions * comm->rank;
    }
    return s;
}

/* How many worlds a rank holds. */
static inline int32_t mass_share_worlds_of(const mass_share *s, int32_t rank)
{
    if (!s->by_world) return s->worlds;
    return mass_share_first_world(s->worlds, rank + 1, s->comm->size) -
           mass_share_first_world(s->worlds, rank, s->comm->size);
}

/* Whether the space is cut between ranks. */
static inline bool mass_share_is_cut(const mass_share *s) { return s->comm->size > 1 && !s->by_world; }

#endif
