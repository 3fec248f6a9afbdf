/* SPDX-License-Identifier: Apache-2.0 */
/* The hash of a domain's state, computed by the device that holds it. These functions concern the whole run, all its
 * worlds and places, wherever they are. Rank 0 calls them, and the other ranks do out of mass_serve (ranks/call.h),
 * with NULL for data, snapshots and lists. A failure of one rank is a failure of all. Exceptions say so. Main thread.
 */
#ifndef MASS_ENGINE_SNAPSHOT_HASH_H
#define MASS_ENGINE_SNAPSHOT_HASH_H

#include "snapshot/snapshot.h"
#include "state/domain.h"

/* The state hash (state_hash.h), computed by the device where the state lies. numbers: what was saved of it now, with
 * or without attributes, and its step. */
mass_status mass_domain_hash(mass_domain *d, const mass_snapshot *numbers, char hex[33], mass_error *error);
/* Part of it: the hash of an attribute's bytes, on rank 0. */
mass_status mass_domain_hash_attribute(mass_domain *d, uint32_t attribute, uint8_t hash[16], mass_error *error);
/* How many values of an attribute with a range (range.h) lie outside, on all ranks: *count on rank 0. The device
 * counts. */
mass_status mass_domain_count_outside(mass_domain *d, uint32_t attribute, uint64_t *count, mass_error *error);

#endif
