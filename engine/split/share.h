/* SPDX-License-Identifier: Apache-2.0 */
/* split/ says which rank and which partition holds which worlds and rows. Pure arithmetic.
 *
 * What of a run a rank holds: whole worlds, where there are at least as many worlds as ranks, or else a slab of every
 * space in every world, which its partitions divide further. All who ask which rank or partition holds a row or a world
 * ask here. Ranks may hold unequal parts, in proportion to their shares: the cuts of all spaces follow the same ones.
 * Pure arithmetic. */
#ifndef MASS_ENGINE_SHARE_H
#define MASS_ENGINE_SHARE_H

#include "comm/link.h"
#include "split/layout.h"

enum { MASS_SHARE_MOST = 1000000 };

typedef struct mass_share {
    mass_comm *comm;          /* borrowed */
    mass_link *link;          /* of the ranks' devices; NULL: what they exchange goes through the host. Borrowed */
    bool by_world;            /* whole worlds; else slabs. Of one rank: false */
    int32_t worlds;           /* of the run, over all ranks */
    int32_t first_world;      /* of those, the first one that this rank holds, from 0 */
    int32_t partitions;       /* slabs of a space over all ranks; of whole worlds, those of this rank */
    int32_t first_partition;  /* of those, the first one that this rank holds */
    int32_t neighbours; /* ranks that share the memory of this rank's device with it, itself among them */
    int64_t *before; /* [ranks + 1] the shares of the ranks before each, ascending from 0 to at most 2^40; NULL: all
                        ranks have the same share. The domain's */
} mass_share;

/* The share of the rank that asks, in a run of `worlds` worlds, with `partitions` partitions a rank. There is no
 * overflow where no space has fewer rows than slabs. */
mass_share mass_share_make(mass_comm *comm, int32_t worlds, int32_t partitions, int64_t *before);

/* Adds up the shares of ranks to before[ranks + 1]. */
void mass_share_add_up(const int32_t *shares, int32_t ranks, int64_t *before);

/* Rows along the slab axis of a space that are never divided, and how many such units it has. */
static inline mass_gidx mass_share_every(const mass_space_def *s) { return s->cut_every > 0 ? s->cut_every : 1; }
static inline mass_gidx mass_share_units(const mass_space_def *s)
{
    return (s->size[mass_slab_axis(s)] + mass_share_every(s) - 1) / mass_share_every(s);
}

/* The first row, along the slab axis of a space, of partition `index` of all; of `partitions`: the end. Every partition
 * has a row, and the others are dealt out by shares; with equal ones, partitions differ by one row at most. */
mass_gidx mass_share_row(const mass_share *s, const mass_space_def *space, int32_t index);
/* The same of a rank's first partition; of rank `ranks`: the end. Where the space is cut between ranks. */
mass_gidx mass_share_first_row(const mass_share *s, const mass_space_def *space, int32_t rank);
/* The partition that holds a row. */
int32_t mass_share_owner(const mass_share *s, const mass_space_def *space, mass_gidx row);

/* The first world of the run that a rank holds, and of rank `ranks` the end, and how many it holds. Where the space is
 * cut, all hold all. */
int32_t mass_share_first_world(const mass_share *s, int32_t rank);
int32_t mass_share_worlds_of(const mass_share *s, int32_t rank);

/* Whether the space is cut between ranks. */
static inline bool mass_share_is_split(const mass_share *s) { return s->comm->size > 1 && !s->by_world; }

#endif
