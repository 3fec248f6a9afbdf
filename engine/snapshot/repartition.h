/* SPDX-License-Identifier: Apache-2.0 */
/* Moves the state of a run to other slabs. A second set of all that depends on the division is made next to the first:
 * partitions, populations, halos. Each attribute moves by itself, from the ranks that hold it to those that are to hold
 * it. Tallies, keys, gates and the clock do not depend on it and stay. Main thread. */
#ifndef MASS_ENGINE_SNAPSHOT_REPARTITION_H
#define MASS_ENGINE_SNAPSHOT_REPARTITION_H

#include "state/domain.h"

/* Between two steps of a run whose space is cut, on all ranks: has ranks hold slabs by the shares before[ranks + 1]
 * (share.h). The state stays what it is; addresses of what lies in memory do not, and d->changes goes up.
 *
 * Where a rank could not hold its part, nothing changes and on all ranks *why says so; else that is empty. A failure is
 * one in the middle, which may be of one rank alone while the others wait for it. */
mass_status mass_repartition_move(mass_domain *d, const int64_t *before, mass_error *why, mass_error *error);

#endif
