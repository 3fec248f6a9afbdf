/* SPDX-License-Identifier: Apache-2.0 */
/* Which ghosts a step finds stale. Any thread. */
#ifndef MASS_ENGINE_PLAN_STALE_H
#define MASS_ENGINE_PLAN_STALE_H

#include "plan/plan.h"

/* Sets the axes along which each REFRESH and EXCHANGE of the start and of steps finds ghosts stale. A step is gone
 * through twice, since it finds ghosts as the step before has left them. False: there was no memory. */
bool mass_plan_find_stale(const mass_domain *d, mass_plan *plan);

#endif
