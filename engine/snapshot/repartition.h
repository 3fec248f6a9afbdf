/* SPDX-License-Identifier: Apache-2.0 */
/* Moves the state of a run to other slabs. A second set of all that depends on the division is made next to the first:
 * partitions, populations, halos. Each attribute moves by itself, from the ranks that hold it to those that are to hold
 * it. Tallies, keys, gates and the clock do not depend on it and stay. Main thread. */
#ifndef MASS_ENGINE_SNAPSHOT_REPARTITION_H
#define MASS_ENGINE_SNAPSHOT_REPARTITION_H

#include "state/domain.h"

/* Repartitions the run's space by before[ranks + 1] (share.h). All ranks call it between two steps. The state stays the
 * same; its addresses change, and d->changes is incremented.
 *
 * If a rank could not hold its part, nothing changes, and *why gives the reason on all ranks; else *why is empty. The
 * returned status is a failure in the middle. It may occur on one rank alone while the others wait for it. */
mass_status mass_repartition_move(mass_domain *d, const int64_t *before, mass_error *why, mass_error *error);

#endif
