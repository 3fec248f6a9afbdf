/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the ghosts that are stale in a step. Any thread. */
#ifndef MASS_ENGINE_PLAN_STALE_H
#define MASS_ENGINE_PLAN_STALE_H

#include "plan/plan.h"

/* Sets the axes along which each REFRESH and EXCHANGE finds stale ghosts. It simulates a step twice, because a step
 * finds the ghosts that the step before left. Returns false if memory ran out. */
bool mass_plan_find_stale(const mass_domain *d, mass_plan *plan);

#endif
