/* SPDX-License-Identifier: Apache-2.0 */
/* The arrays that bodies follow, of a network whose edges change (mass_changing_edges). They have the edges of all
 * ranks, sorted by the node that they come into. They are made of the agents that are the edges. After a manage they
 * are updated by a merge: without the edges that ended, and with the new ones. If other phases may have changed agents,
 * or their number is not the expected one, all edges are collected and sorted. Host memory; main thread. */
#ifndef MASS_ENGINE_POPULATION_RELINK_ADJACENCY_H
#define MASS_ENGINE_POPULATION_RELINK_ADJACENCY_H

#include "model/network.h"
#include "state/domain.h"

/* Makes the arrays, if they are not those of the present agents. Marks stay. MASS_BAD_INPUT if an edge comes from no
 * node of the network. All ranks call it together. */
mass_status mass_relink_refresh(mass_domain *d, uint32_t population, mass_error *error);

/* Returns whether callbacks of the model itself change edges as agents. */
bool mass_relink_is_changed_by_agents(const mass_model *m, uint32_t population);

/* Refuses an edge whose source is no node of the network: MASS_BAD_INPUT. */
mass_status mass_relink_refuse_stray(const mass_network_def *n, uint64_t id, uint32_t source, mass_error *error);

#endif
