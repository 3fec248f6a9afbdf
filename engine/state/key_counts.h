/* SPDX-License-Identifier: Apache-2.0 */
/* The counts by key of a domain, on its device. Main thread. */
#ifndef MASS_ENGINE_STATE_KEY_COUNTS_H
#define MASS_ENGINE_STATE_KEY_COUNTS_H

#include "base/keys.h"
#include "state/domain.h"

/* Creates counts for every tally that counts by key. On failure the caller must free some. */
mass_status mass_keys_of_domain_create(mass_domain *d, mass_error *error);
void mass_keys_of_domain_free(mass_domain *d);

/* The following functions concern the whole run. Rank 0 calls them. The other ranks call them in mass_serve
 * (ranks/rpc.h), with NULL for lists. */

/* Read or write the sorted keys of all tallies that count by key: lists[tallies][worlds of the run]; lists of other
 * tallies are empty. Lists are empty before they are read, and belong to the caller; on failure they are empty. A write
 * replaces all counts. */
mass_status mass_domain_read_keys(mass_domain *d, mass_key_list *lists, mass_error *error);
mass_status mass_domain_write_keys(mass_domain *d, const mass_key_list *lists, mass_error *error);
/* Read or write the keys of one tally, which counts by key: read in `count` worlds of the run from `first` on,
 * lists[count], which must be empty; write in all worlds. */
mass_status mass_domain_read_keys_of(mass_domain *d, uint32_t tally, int32_t first, int32_t count,
                                     mass_key_list *lists, mass_error *error);
mass_status mass_domain_write_keys_of(mass_domain *d, uint32_t tally, const mass_key_list *lists, mass_error *error);

#endif
