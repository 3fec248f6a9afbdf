/* SPDX-License-Identifier: Apache-2.0 */
/* Networks whose edges change. Each edge is an agent. A directed edge is on its target. One of an undirected network is
 * on the larger of its nodes if it is there at the start, else on the node that requested it. The attribute `source` is
 * the other end. Nodes request new edges as sprouts. They mark edges that are to end, and each mark becomes a request
 * of the agent to die. A manage applies both, on every device and over ranks. The ids of new edges are those of
 * sprouts: by the node that requested them, then by its request. If an edge has changed, the edges are in the order of
 * their nodes again before the next walk. Each world has its own edges, one world after the other.
 *
 * This file has the requests. relink_start.h makes the first edges, relink_adjacency.h the arrays that bodies follow.
 * Host memory; main thread. */
#ifndef MASS_ENGINE_POPULATION_RELINK_H
#define MASS_ENGINE_POPULATION_RELINK_H

#include "state/domain.h"

/* Prepares the requests for the manage that follows: agents of marked edges ask to die, and requests for edges that are
 * refused are taken back. In worlds whose gate is closed (mass_phase_gates) all requests wait. The other marks are
 * cleared. If the host applies changes, mass_changing_edges.ended has the edges that end. The arrays that bodies follow
 * are made current before; if edges may change, they no longer are so afterwards. All ranks call it together. */
mass_status mass_relink_decide(mass_domain *d, uint32_t population, const uint32_t *gates, mass_error *error);

/* Takes back all marks of UNLINK. Requests for new edges stay. Queued. */
mass_status mass_relink_discard(mass_domain *d, uint32_t population, mass_error *error);

#endif
