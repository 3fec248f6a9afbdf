/* SPDX-License-Identifier: Apache-2.0 */
/* The marks that bodies put on edges by UNLINK: one byte for each element of the arrays that bodies follow
 * (mass_changing_edges), 1 if the edge is to end. An undirected edge has an element at each of its nodes, and each of
 * them may mark its own. A mark stays until it is applied or taken back. Host memory; main thread. */
#ifndef MASS_ENGINE_POPULATION_RELINK_MARKS_H
#define MASS_ENGINE_POPULATION_RELINK_MARKS_H

#include "state/changing_edges.h"

/* `nodes` is the number of nodes of the network. `closed` [worlds] is not 0 for the worlds to leave out; NULL: none. */

/* Lists the edges that are marked, by node; one that both its nodes marked is listed twice. Without edges the list is
 * empty. The caller frees *out, also if this fails. Waits for the device. */
mass_status mass_relink_marks_list(const mass_domain *d, const mass_changing_edges *e, int64_t nodes,
                                   const uint32_t *closed, mass_ended_edge **out, uint64_t *count, mass_error *error);
/* Clears the marks. Queued. */
mass_status mass_relink_marks_clear(const mass_domain *d, const mass_changing_edges *e, int64_t nodes,
                                    const uint32_t *closed, mass_error *error);
/* Marks the edges of a list, which is sorted (mass_relink_sort_ends). Edges that are not in the arrays are left out.
 * The other marks stay. */
mass_status mass_relink_marks_set(mass_domain *d, mass_changing_edges *e, int64_t nodes, const mass_ended_edge *edges,
                                  uint64_t count, mass_error *error);

#endif
