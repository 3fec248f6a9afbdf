/* SPDX-License-Identifier: Apache-2.0 */
/* How many agents stand beside the places that a rank holds, for callbacks that count them (COUNT_AT). Main thread. */
#ifndef MASS_ENGINE_HALO_COUNTS_H
#define MASS_ENGINE_HALO_COUNTS_H

#include "device/queued.h"
#include "state/domain.h"

/* Places of a row of a population's space. */
int64_t mass_counts_row(const mass_domain *d, uint32_t population);

/* Brings the agents on each of the places of others, `depth` rows before and behind this rank's, to
 * `to`, uint32_t[worlds][2][depth * row]. Rows beyond a bounded edge are left as they are. All ranks call it, where
 * the space is cut. */
mass_status mass_counts_refresh(mass_domain *d, uint32_t population, int64_t depth, mass_buffer to, mass_error *error);

/* Makes the crowds of a population show where agents stand now, after a change of that on all ranks, which all call it.
 * It does nothing where no callback looks, or the space is not cut. */
mass_status mass_crowds_refresh(mass_domain *d, uint32_t population, mass_error *error);

/* The runs of places of this rank that others see (gives), or of others' places that it sees, in the order in which the
 * rank on the other side has those that it shares with this one. The caller frees *runs. On failure both are
 * untouched. */
mass_status mass_crowds_list(mass_domain *d, uint32_t population, bool gives, mass_seen_run **runs, uint32_t *count,
                             mass_error *error);

#endif
