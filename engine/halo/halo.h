/* SPDX-License-Identifier: Apache-2.0 */
/* halo/ keeps copies of what other partitions and ranks hold, and combines contributions back into it.
 *
 * A halo tells which units of this rank other ranks have copies of, and of which units of theirs this rank has copies.
 * A unit is a layer of places of a partition, a row of places of a rank, or an element of a list. exchange.h defines
 * what units contain. Main thread. */
#ifndef MASS_ENGINE_HALO_H
#define MASS_ENGINE_HALO_H

#include "state/domain.h"

/* Consecutive units of one part of this rank. */
typedef struct mass_halo_run {
    int32_t rank; /* the rank with the other side; this rank, if another part of it has it */
    int32_t part; /* of this rank: the partition's index, or 0 if all partitions are one part */
    bool copies;  /* these units are copies of another's */
    int64_t first, count; /* first: of layers, from the part's first own one, so ghosts may have a negative number */
} mass_halo_run;

typedef struct mass_halo_runs {
    mass_halo_run *list; /* [count] sorted by rank */
    uint32_t count;
    uint32_t first_own, own; /* runs with both sides on this rank */
} mass_halo_runs;

/* The runs of `owned` for a rank match that rank's runs of `copies` from this one, in the same order. The same holds
 * for the runs of this rank itself. */
typedef struct mass_halo {
    mass_halo_runs owned, copies;
    int64_t most_runs, most_units; /* the most of any rank in one direction, without those within the rank */
} mass_halo;

/* Returns the halo of layers of ghosts, `depth` on either side along an axis, for the partitions of a space. by_rank:
 * for the ranks' slabs, as if each were one partition. The domain keeps the halo until mass_halos_free, and a
 * later call with the same arguments returns it again. All ranks call it. On failure *out is untouched. */
mass_status mass_halo_of_layers(mass_domain *d, uint32_t space, uint32_t axis, bool by_rank, int32_t depth,
                                const mass_halo **out, mass_error *error);

struct mass_list_halo;
typedef void mass_list_release(struct mass_list_halo *);

/* Returns where the domain keeps the list halo of a network (linked.h), NULL at first, until mass_halos_free releases
 * it; or NULL, with the error set, without memory. */
struct mass_list_halo **mass_halos_linked(mass_domain *d, uint32_t space, mass_list_release *release,
                                          mass_error *error);

/* Add a run; sort the runs by rank, part and first unit, once all are added, and set first_own and own; free the runs,
 * not *h. */
mass_status mass_halo_add(mass_halo_runs *to, const mass_halo_run *run, mass_error *error);
void mass_halo_sort(mass_halo_runs *runs, int32_t own_rank);
void mass_halo_free(mass_halo *h);

/* Frees all halos that a domain keeps. */
void mass_halos_free(mass_domain *d);

#endif
