/* SPDX-License-Identifier: Apache-2.0 */
/* Ghosts that show places of other ranks: what is exchanged over the cuts of a space between ranks. All ranks call the
 * same functions, with the same arguments, in the same order. Main thread. */
#ifndef MASS_ENGINE_HALO_EXCHANGE_H
#define MASS_ENGINE_HALO_EXCHANGE_H

#include "state/domain.h"

/* What a domain knows of its cuts, and memory for what crosses them. */
typedef struct mass_cuts mass_cuts;

/* Fills the ghosts along the cut axis that show other ranks' places, `reach` deep, of some arrays of one space, from
 * the present values and the ghosts of the other axes there. One message goes to each rank that is concerned.
 * Queued. */
mass_status mass_cuts_exchange(mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t reach,
                               mass_error *error);

/* Adds the ghosts, `reach` deep, to the places of other ranks that they show. Queued. */
mass_status mass_cuts_add(mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t reach, mass_error *error);

void mass_cuts_free(mass_domain *d);

#endif
