/* SPDX-License-Identifier: Apache-2.0 */
/* The order of a population's agents in their arrays. Operations of a plan require an order and leave one. A manage
 * sorts its agents only if an operation before the next manage requires it. One pass over the phases decides that.
 * Pure. */
#ifndef MASS_ENGINE_ORDER_H
#define MASS_ENGINE_ORDER_H

#include "population/requests.h"

/* Returns the order that a phase with a callback requires of a population. It requires SORTED of all populations
 * that it sees. Its own may be in any order if the callback does not depend on it. */
mass_order mass_order_required(const mass_domain *d, const mass_phase_def *phase, uint32_t population);

/* Sets orders[i] for every phase i of the model. A phase that is no manage gets SORTED, SORTED. */
void mass_order_settle(const mass_domain *d, mass_manage_order *orders);

#endif
