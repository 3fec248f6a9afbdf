/* SPDX-License-Identifier: Apache-2.0 */
/* halo/ keeps copies of what other partitions and ranks hold, and combines contributions back into it.
 *
 * A halo says which units of this rank others have copies of, and of which units of others this rank has copies. A unit
 * is a layer of places of a partition, a row of places of a rank, or an element of a list. What the units consist of
 * is the matter of exchange.h. Main thread. */
#ifndef MASS_ENGINE_HALO_H
#define MASS_ENGINE_HALO_H

#include "state/domain.h"

/* Consecutive units of one part of this rank. */
typedef struct mass_halo_run {
    int32_t rank; /* that has the other side; this one, if another part of it does */
    int32_t part; /* of this rank: the partition's index, or 0 if all partitions are one part */
    bool copies;  /* these units are copies of others */
    int64_t first, count;
} mass_halo_run;

typedef struct mass_halo_runs {
    mass_halo_run *list; /* [count] by rank */
    uint32_t count;
    uint32_t first_own, own; /* the runs whose other side this rank has, too */
} mass_halo_runs;

/* The runs of `owned` for a rank match the runs of `copies` from this rank there, in the same order. The same holds
 * for those of this rank itself. */
typedef struct mass_halo {
    mass_halo_runs owned, copies;
    int64_t most_runs, most_units; /* of any rank in one direction, without those of its own */
} mass_halo;

/* The layers of ghosts, `depth` on either side along an axis, of the partitions of a space. by_rank: of the ranks'
 * slabs, as if each were one partition. The domain keeps the halo until mass_halos_free; all ranks call it. On failure
 * *out is untouched. */
mass_status mass_halo_of_layers(mass_domain *d, uint32_t space, uint32_t axis, bool by_rank, int32_t depth,
                                const mass_halo **out, mass_error *error);

/* Adds a run, and frees the runs. Once all are there, sort orders them by rank, part and first unit. */
mass_status mass_halo_add(mass_halo_runs *to, const mass_halo_run *run, mass_error *error);
void mass_halo_sort(mass_halo_runs *runs, int32_t own_rank);
void mass_halo_free(mass_halo *h);

/* Frees all halos that a domain keeps. */
void mass_halos_free(mass_domain *d);

#endif
