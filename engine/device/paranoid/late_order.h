/* SPDX-License-Identifier: Apache-2.0 */
/* Another order of a phase in turn, which must give the same. Agents, or places, that were too far apart when the phase
 * began cannot matter to each other (mass_turn_scope). So they may act in any order. */
#ifndef MASS_ENGINE_DEVICE_PARANOID_LATE_ORDER_H
#define MASS_ENGINE_DEVICE_PARANOID_LATE_ORDER_H

#include "base/error.h"

#include <mass/callback.h>

/* Most agents or places of all worlds for which this is fast: it compares all pairs of a world. */
enum { MASS_LATE_ORDER_MOST = 1024 };

/* Writes an order of the actors of open worlds, to the places of `order` that the launch's own order has for them. The
 * next one is always the last, in the launch's order, of those that wait for nobody. Sets *differs if the two orders
 * differ. The launch must have its own order, and ranks must not share the worlds. Fails only without memory. */
mass_status mass_late_order(const mass_launch *l, uint32_t *order, bool *differs, mass_error *error);

#endif
