/* SPDX-License-Identifier: Apache-2.0 */
/* What of a run a rank holds: whole worlds, where there are at least as many worlds as ranks, or else a slab of every
 * space in every world, which its partitions divide further. Pure arithmetic. */
#ifndef MASS_ENGINE_SHARE_H
#define MASS_ENGINE_SHARE_H

#include "comm/comm.h"

typedef struct mass_share {
    mass_comm *comm;          /* borrowed */
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

/* Whether the space is cut between ranks. */
static inline bool mass_share_is_cut(const mass_share *s) { return s->comm->size > 1 && !s->by_world; }

#endif
