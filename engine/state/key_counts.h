/* SPDX-License-Identifier: Apache-2.0 */
/* The counts by key that a domain has on its device. Main thread. */
#ifndef MASS_ENGINE_STATE_KEY_COUNTS_H
#define MASS_ENGINE_STATE_KEY_COUNTS_H

#include "base/keys.h"
#include "state/domain.h"

/* For every tally that counts by key. On failure some are left to free. */
mass_status mass_keys_of_domain_create(mass_domain *d, mass_error *error);
void mass_keys_of_domain_free(mass_domain *d);

/* The following concern the whole run: rank 0 calls them, and the other ranks do out of mass_serve (ranks/call.h), with
 * NULL for lists. */

/* Sorted keys of the tallies that count by key: lists[tallies][worlds], the others empty. Read: the lists are the
 * caller's, and empty on failure. */
mass_status mass_domain_read_keys(mass_domain *d, mass_key_list *lists, mass_error *error);
mass_status mass_domain_write_keys(mass_domain *d, const mass_key_list *lists, mass_error *error);
/* Those of one tally: in `count` worlds, lists[count], which are empty before; or in all. */
mass_status mass_domain_read_keys_of(mass_domain *d, uint32_t tally, int32_t first, int32_t count,
                                     mass_key_list *lists, mass_error *error);
mass_status mass_domain_write_keys_of(mass_domain *d, uint32_t tally, const mass_key_list *lists, mass_error *error);

#endif
