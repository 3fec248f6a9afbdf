/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes in turn on devices that let actors act at once if none can matter to another: the nodes that edges join. Main
 * thread. */
#ifndef MASS_ENGINE_POPULATION_TURN_NODES_H
#define MASS_ENGINE_POPULATION_TURN_NODES_H

#include "state/domain.h"
#include "turn.h"

/* What one phase needs (mass_turn_joined), in the device's memory. */
typedef struct mass_turn_nodes {
    mass_buffer first, node;
    bool stays; /* it is there, and the edges do not change */
} mass_turn_nodes;

/* Sets *out to the nodes that edges join, as edges are now. Leaves *out alone if the phase's actors are no nodes, or
 * the device does not need it. d->turn must be there. Finds them once if the edges do not change. All work that uses
 * those of before must have been waited for. MASS_BAD_USAGE: the nodes of all worlds, or the pairs of edges that meet,
 * are more than the device can count. */
mass_status mass_turn_join_nodes(mass_domain *d, uint32_t phase, mass_turn_joined *out, mass_error *error);

/* Returns the bytes that all phases need at first, on devices that need it. */
double mass_turn_nodes_bytes(const mass_model *m, int32_t worlds);

void mass_turn_nodes_free(mass_domain *d); /* d->turn must be there */

#endif
