/* SPDX-License-Identifier: Apache-2.0 */
/* The hash of a domain's state, computed by the device that holds it. These functions treat the whole run: all worlds
 * and places of all ranks. Rank 0 calls them. Other ranks run them from mass_serve (ranks/rpc.h), with NULL for output
 * arguments. A failure on one rank fails on all ranks. Main thread. */
#ifndef MASS_ENGINE_SNAPSHOT_HASH_H
#define MASS_ENGINE_SNAPSHOT_HASH_H

#include "snapshot/snapshot.h"
#include "state/domain.h"

/* Computes the state hash (state_hash.h). numbers: the snapshot of the present tallies and agent counts, with the step;
 * its attributes are not used. */
mass_status mass_domain_hash(mass_domain *d, const mass_snapshot *numbers, char hex[33], mass_error *error);
/* Computes the hash of one attribute's bytes; the result is on rank 0. */
mass_status mass_domain_hash_attribute(mass_domain *d, uint32_t attribute, uint8_t hash[16], mass_error *error);
/* Counts the values of an attribute outside its range (range.h), which it must have, on all ranks' devices. *count is
 * set on rank 0. */
mass_status mass_domain_count_outside(mass_domain *d, uint32_t attribute, uint64_t *count, mass_error *error);

#endif
