/* SPDX-License-Identifier: Apache-2.0 */
/* Networks with .dies: the edges of a node end with the last agent that is on it. Host memory; main thread. */
#ifndef MASS_ENGINE_POPULATION_RELINK_DIES_H
#define MASS_ENGINE_POPULATION_RELINK_DIES_H

#include "state/changing_edges.h"

/* Finds the nodes of all ranks on which no agent of the population of .dies is: (*bare)[worlds * nodes] is 1 there,
 * else 0. NULL if the network has no .dies. The caller frees *bare, on failure too. `status` is this rank's until now.
 * Without .dies it is returned. Else, if ranks split the space, a failure of one ends all (all_gather.h). All ranks
 * call it together. */
mass_status mass_relink_find_bare(mass_domain *d, const mass_network_def *n, uint8_t **bare, mass_status status,
                                  mass_error *error);

/* Adds the edges of bare nodes that come into this rank's nodes from..end - 1 to *ended, in the worlds that are not
 * closed ([worlds]; NULL: all are open). The caller frees *ended, which may move. An edge may be listed twice then.
 * Does nothing if bare is NULL. */
mass_status mass_relink_end_bare(const mass_changing_edges *e, int64_t nodes, int32_t worlds, int64_t from, int64_t end,
                                 const uint8_t *bare, const uint32_t *closed, mass_ended_edge **ended, uint64_t *count,
                                 mass_error *error);

#endif
