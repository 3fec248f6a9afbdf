/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that the memory of a run is available before any of it is allocated. Main thread. */
#ifndef MASS_ENGINE_SNAPSHOT_MEMORY_CHECK_H
#define MASS_ENGINE_SNAPSHOT_MEMORY_CHECK_H

#include "state/domain.h"

/* Returns the bytes that a rank's state takes on its device, for its ownership `share`. */
double mass_memory_of_share(const mass_model *m, const mass_share *share);

/* Returns the bytes that a run takes of the memory that the device uses. Host memory also holds snapshots. */
double mass_memory_of_run(const mass_model *m, const mass_device *device, const mass_share *share);

/* Checks that a rank's state fits on its device, and a snapshot of the whole run on rank 0's host. Adds up the needs of
 * ranks that share a device or a host, and sets share->neighbours. All ranks call it; MASS_NO_DEVICE may occur on one
 * rank alone. */
mass_status mass_memory_check(const mass_model *m, mass_device *device, mass_share *share, mass_error *error);

/* Checks that this rank's state fits for another ownership, while attributes move one by one. agents: bytes that its
 * agents will take in arrays; columns: in host memory until then. Concerns this rank alone. MASS_NO_DEVICE if it does
 * not fit. */
mass_status mass_memory_check_repartition(const mass_domain *d, const mass_share *share, double agents,
                                        double columns, mass_error *error);

#endif
