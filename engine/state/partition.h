/* SPDX-License-Identifier: Apache-2.0 */
/* The partitions of this rank and their arrays. Main thread. */
#ifndef MASS_ENGINE_PARTITION_H
#define MASS_ENGINE_PARTITION_H

#include "state/domain.h"

/* Makes all partitions of all spaces as the domain's share says, with arrays that have no memory yet. On failure some
 * are left to free. */
mass_status mass_partitions_create(mass_domain *d, mass_error *error);
void mass_partitions_free(mass_domain *d);

/* Gives an array of places its memory in all partitions, where every value, old and new, is the default. On failure
 * some are left to release. */
mass_status mass_partitions_allocate(mass_domain *d, uint32_t array, mass_error *error);
void mass_partitions_release(mass_domain *d, uint32_t array);

#endif
