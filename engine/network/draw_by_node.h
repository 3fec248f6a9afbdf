/* SPDX-License-Identifier: Apache-2.0 */
/* Generators that make the edges of one node after the other: a grid, points that are near, pairs by chance. No two of
 * their edges join the same nodes. */
#ifndef MASS_ENGINE_NETWORK_DRAW_BY_NODE_H
#define MASS_ENGINE_NETWORK_DRAW_BY_NODE_H

#include "network/edges.h"

/* Returns whether the generator of a network is one of these. */
bool mass_is_drawn_by_node(const mass_network *n);
/* Returns what is wrong with the members of a declaration, for so many nodes, of which there is at least one; NULL:
 * nothing. */
const char *mass_fault_of_drawn_by_node(const mass_network *n, mass_gidx nodes);
/* Returns the number of edges; that which is expected, if chance decides. The declaration has no fault. */
double mass_expected_of_drawn_by_node(const mass_network *n, mass_gidx nodes);
/* Adds all edges to the list. The declaration has no fault. */
mass_status mass_draw_by_node(const mass_network *n, mass_gidx nodes, mass_edge_list *list, mass_error *error);

#endif
