/* SPDX-License-Identifier: Apache-2.0 */
/* The partitions of this rank and their arrays. Main thread. */
#ifndef MASS_ENGINE_PARTITION_H
#define MASS_ENGINE_PARTITION_H

#include "state/domain.h"

/* Makes all partitions of all spaces that the domain's share gives this rank, with arrays without memory. On failure
 * the caller must free some. */
mass_status mass_partitions_create(mass_domain *d, mass_error *error);
void mass_partitions_free(mass_domain *d); /* with their arrays */

/* Allocates an array of places in all partitions. Sets every value, old and new, to the default, and marks all ghosts
 * as valid. On failure the caller must release some. */
mass_status mass_partitions_allocate(mass_domain *d, uint32_t array, mass_error *error);
void mass_partitions_release(mass_domain *d, uint32_t array);

#endif
