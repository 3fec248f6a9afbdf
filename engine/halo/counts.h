/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of agents on places next to those of a rank, for callbacks that count them (COUNT_AT). Main thread. */
#ifndef MASS_ENGINE_HALO_COUNTS_H
#define MASS_ENGINE_HALO_COUNTS_H

#include "device/queued.h"
#include "state/domain.h"

/* Returns the number of places in a row of a population's space: those with the same coordinate along the slab axis. */
int64_t mass_counts_row(const mass_domain *d, uint32_t population);

/* Sets `to`, uint32_t[worlds][2][depth * row], to the number of agents on other ranks' places, on the `depth` rows
 * before and after this rank's. Rows beyond a bounded edge are left unchanged. The population's start[] or occupancy
 * must be up to date. If the space is divided among ranks, all ranks call it. */
mass_status mass_counts_refresh(mass_domain *d, uint32_t population, int64_t depth, mass_buffer to, mass_error *error);

/* Updates the counts of a population after its agents have moved. All ranks call it. Does nothing if no callback counts
 * agents, or if the space is not divided among ranks. */
mass_status mass_place_counts_refresh(mass_domain *d, uint32_t population, mass_error *error);

/* Lists the runs of this rank's places that other ranks see (gives), or of other ranks' places that this rank sees. For
 * each pair of ranks, both sides have the same order. The caller frees *runs. On failure there is nothing to free:
 * *runs is untouched or NULL. */
mass_status mass_place_counts_list(mass_domain *d, uint32_t population, bool gives, mass_seen_run **runs,
                                   uint32_t *count,
                             mass_error *error);

#endif
