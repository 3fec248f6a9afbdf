/* SPDX-License-Identifier: Apache-2.0 */
/* The order of a population's agents in their arrays, as a state that the operations of a plan require and leave. A
 * manage sorts its agents only if something requires their order before the next manage does: one pass over the
 * phases decides it. Pure. */
#ifndef MASS_ENGINE_ORDER_H
#define MASS_ENGINE_ORDER_H

#include "population/requests.h"

/* What a phase with a callback requires of a population: the order of each that it sees, but for its own if the
 * callback does not depend on it. */
mass_order mass_order_required(const mass_domain *d, const mass_phase_def *phase, uint32_t population);

/* Sets orders[i] for every phase i of the model that is a manage; of others it is SORTED, SORTED. */
void mass_order_settle(const mass_domain *d, mass_manage_order *orders);

#endif
