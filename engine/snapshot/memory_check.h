/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that a run takes, and whether it is there before any of it is allocated. Main thread. */
#ifndef MASS_ENGINE_SNAPSHOT_MEMORY_CHECK_H
#define MASS_ENGINE_SNAPSHOT_MEMORY_CHECK_H

#include "state/domain.h"

/* Bytes that what a rank holds by `share` takes on its device. */
double mass_room_of_share(const mass_model *m, const mass_share *share);

/* Bytes that it takes of the memory that the device is in: the host's holds snapshots, too. */
double mass_room_of_run(const mass_model *m, const mass_device *device, const mass_share *share);

/* Whether it fits, and on rank 0's host a snapshot of the whole run. Ranks that share the memory of a device or a host
 * need it together; sets share->neighbours. All ranks call it; MASS_NO_DEVICE may be of one alone. */
mass_status mass_room_check(const mass_model *m, mass_device *device, mass_share *share, mass_error *error);

/* Whether what this rank has would fit by another share, while it goes there attribute by attribute. agents, columns:
 * bytes that its agents will take in its arrays, and in host memory until they are there. Of this rank alone. */
mass_status mass_room_check_repartition(const mass_domain *d, const mass_share *share, double agents,
                                        double columns, mass_error *error);

#endif
