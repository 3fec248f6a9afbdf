/* SPDX-License-Identifier: Apache-2.0 */
/* How many agents stand beside the places that a rank holds, for callbacks that count them (CROWD). Main thread. */
#ifndef MASS_ENGINE_HALO_COUNTS_H
#define MASS_ENGINE_HALO_COUNTS_H

#include "device/queued.h"
#include "state/domain.h"

/* Makes the crowds of a population show where agents stand now, after a change of that on all ranks, which all call it.
 * It does nothing where no callback looks, or the space is not cut. */
mass_status mass_crowds_refresh(mass_domain *d, uint32_t population, mass_error *error);

/* The runs of places of this rank that others see (gives), or of others' places that it sees, in the order in which the
 * rank on the other side has those that it shares with this one. Returns how many; `runs` NULL: only that. */
uint32_t mass_crowds_list(const mass_domain *d, uint32_t population, bool gives, mass_seen_run *runs);

#endif
