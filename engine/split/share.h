/* SPDX-License-Identifier: Apache-2.0 */
/* split/ defines which rank and which partition holds which worlds and rows. Pure arithmetic.
 *
 * A rank's share of a run. With at least as many worlds as ranks, a rank holds whole worlds. Otherwise it holds a
 * slab of every space in every world, which its partitions divide further. All code that needs the rank or partition
 * of a row or a world calls these functions. Ranks may hold unequal parts, in proportion to their shares. The cuts
 * of all spaces follow the same shares. */
#ifndef MASS_ENGINE_SHARE_H
#define MASS_ENGINE_SHARE_H

#include "comm/link.h"
#include "split/layout.h"

enum { MASS_SHARE_MOST = 1000000 };

typedef struct mass_share {
    mass_comm *comm;          /* borrowed */
    mass_link *link;          /* the link of the ranks' devices, borrowed; NULL: they exchange through the host */
    bool by_world;            /* true: whole worlds; false: slabs, or one rank */
    int32_t worlds;           /* worlds of the run, over all ranks */
    int32_t first_world;      /* the first of these that this rank holds, from 0 */
    int32_t partitions;       /* slabs of a space over all ranks; with whole worlds, those of this rank */
    int32_t first_partition;  /* the first of these that this rank holds */
    int32_t neighbours; /* ranks that share the memory of this rank's device, including itself */
    int64_t *before; /* [ranks + 1] the sum of the shares of earlier ranks, ascending from 0 to at most 2^40; NULL:
                        equal shares. Owned by the domain */
} mass_share;

/* Makes this rank's share of a run of `worlds` worlds, with `partitions` partitions a rank. The caller makes sure
 * that no space has fewer rows than slabs. Then nothing overflows. Keeps `before` without a copy; NULL: equal shares.
 * Leaves `link` and `neighbours` 0. */
mass_share mass_share_make(mass_comm *comm, int32_t worlds, int32_t partitions, int64_t *before);

/* Sums the shares of ranks to before[ranks + 1]. */
void mass_share_add_up(const int32_t *shares, int32_t ranks, int64_t *before);

/* Return the rows of a unit, which is never divided along the slab axis; and the number of units of a space. */
static inline mass_gidx mass_share_every(const mass_space_def *s) { return s->cut_every > 0 ? s->cut_every : 1; }
static inline mass_gidx mass_share_units(const mass_space_def *s)
{
    return (s->size[mass_slab_axis(s)] + mass_share_every(s) - 1) / mass_share_every(s);
}

/* Returns the first row, along the slab axis of a space, of partition `index` of all; for index `partitions`, the
 * end. Every partition has a row, and shares divide the others. With equal shares, partitions differ by one row at
 * most. */
mass_gidx mass_share_row(const mass_share *s, const mass_space_def *space, int32_t index);
/* Returns the first row of a rank's first partition; for rank `ranks`, the end. For a space that is split between
 * ranks. */
mass_gidx mass_share_first_row(const mass_share *s, const mass_space_def *space, int32_t rank);
/* Returns the partition that holds a row, numbered as in mass_share_row. */
int32_t mass_share_owner(const mass_share *s, const mass_space_def *space, mass_gidx row);

/* Return the first world of the run that a rank holds (for rank `ranks`, the end), and the number of its worlds. If
 * ranks split the space, each holds all worlds. */
int32_t mass_share_first_world(const mass_share *s, int32_t rank);
int32_t mass_share_worlds_of(const mass_share *s, int32_t rank);

/* Returns true if ranks split the space. */
static inline bool mass_share_is_split(const mass_share *s) { return s->comm->size > 1 && !s->by_world; }

#endif
