/* SPDX-License-Identifier: Apache-2.0 */
/* The positions of agents in continuous space. They are an attribute with two buffers, as all of them. Between manages
 * the other buffer has the points to which agents ask to move. Main thread. */
#ifndef MASS_ENGINE_POPULATION_POSITIONS_H
#define MASS_ENGINE_POPULATION_POSITIONS_H

#include "state/domain.h"

/* Returns the population's part of a launch record. It is zero if its agents have no positions. */
mass_positions mass_population_positions(const mass_domain *d, uint32_t population);

/* Gives agents that ask to move their new positions, before the manage. gates: NULL, or those of its condition. Does
 * nothing for agents without positions. Queued. */
mass_status mass_population_reposition(mass_domain *d, uint32_t population, const uint32_t *gates, mass_error *error);

/* Sets `count` agents, as mass_population_set, each at a random point of its place. */
mass_status mass_population_set_points(mass_domain *d, uint32_t population, uint32_t count, const uint64_t *id,
                                       const uint32_t *cell, mass_error *error);

#endif
