/* SPDX-License-Identifier: Apache-2.0 */
/* Slabs that are cut anew in the middle of a run: what a rank has of the state and is no more to hold goes to the ranks
 * that are to hold it, as it would by way of a checkpoint. Main thread. */
#ifndef MASS_ENGINE_SNAPSHOT_REPARTITION_H
#define MASS_ENGINE_SNAPSHOT_REPARTITION_H

#include "state/domain.h"

/* Between two steps of a run whose space is cut, on all ranks: has ranks hold slabs by the shares before[ranks + 1]
 * (share.h). The state stays what it is; addresses of what lies in memory do not, and d->changes goes up.
 *
 * Where a rank could not hold its part, nothing changes and on all ranks *why says so; else that is empty. A failure is
 * one in the middle, which may be of one rank alone while the others wait for it. */
mass_status mass_domain_recut(mass_domain *d, const int64_t *before, mass_error *why, mass_error *error);

#endif
