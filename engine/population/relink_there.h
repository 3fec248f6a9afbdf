/* SPDX-License-Identifier: Apache-2.0 */
/* Edges that change, on a device that applies all changes in its own memory (kernels/relink.h). This is faster than the
 * way by the host (relink.h), which the other cases take: ranks that divide the nodes, and bodies that change edges as
 * agents. Both give the same edges. Main thread. */
#ifndef MASS_ENGINE_POPULATION_RELINK_THERE_H
#define MASS_ENGINE_POPULATION_RELINK_THERE_H

#include "split/share.h"
#include "state/domain.h"

/* Returns whether the device applies the changes of a population of edges. It is the same in all steps of a run. */
bool mass_relink_is_there(const mass_domain *d, uint32_t population);

/* Returns an estimate of the most bytes that a rank's device, if it can apply changes, needs for them beyond the
 * present and the next arrays: when it sorts the first edges. 0 if the host applies the changes, as far as model and
 * share tell. */
double mass_relink_there_bytes(const mass_model *m, const mass_share *share);

/* Do what mass_relink_decide and mass_relink_refresh do, and wait for the device. If the arrays are made of all agents,
 * no edge is marked: that is so at the start of a step only, and marks do not outlast a step. */
mass_status mass_relink_decide_there(mass_domain *d, uint32_t population, const uint32_t *gates, mass_error *error);
mass_status mass_relink_refresh_there(mass_domain *d, uint32_t population, mass_error *error);

#endif
