/* SPDX-License-Identifier: Apache-2.0 */
/* The networks of a domain: their edges on its device, and the values that bodies read of linked nodes. Each rank has
 * all edges. Before a phase it gets a copy of the linked attributes of nodes: from its partitions, and from other ranks
 * (halo/linked.h). So a body finds a node at the other end of an edge by its number, on any rank. Main thread. */
#ifndef MASS_ENGINE_STATE_EDGES_H
#define MASS_ENGINE_STATE_EDGES_H

#include "state/domain.h"

/* Brings the edges and their attributes to the device. A device that works in the host's memory uses the model's own.
 * Part of making a domain. Does nothing if the model has no network. On failure the caller must free some. */
mass_status mass_domain_edges_create(mass_domain *d, mass_error *error);
void mass_domain_edges_free(mass_domain *d);
/* Returns the bytes that edges, their attributes and copies of linked attributes take on a device with so many worlds;
 * 0 without a network. */
double mass_domain_edges_bytes(const mass_model *m, int32_t worlds);

/* Copies the present values of an array of nodes, of this rank's own ones, to the copy for bodies that follow edges,
 * which must read it of linked nodes. Queued. */
mass_status mass_domain_copy_linked(mass_domain *d, uint32_t array, mass_error *error);

/* Return this copy of an array, empty if bodies do not read it of linked nodes; and the values of an attribute of
 * edges, with the default as the last element. The model must have a network. */
mass_buffer mass_domain_linked(const mass_domain *d, uint32_t array);
mass_buffer mass_domain_edge_values(const mass_domain *d, uint32_t attribute);
/* Returns the edges of a space's network, for a launch record; none if it is no network. */
mass_edges mass_domain_edges(const mass_domain *d, uint32_t space);
/* Returns the edges of a network or set, by its number in the model, for a launch record; number -1: none. */
mass_edges mass_domain_edges_numbered(const mass_domain *d, int number);

/* Notes that the edges of a space's network are others than those that bodies follow, if they can change: clears
 * `current` and `follows` (state/changing_edges.h). */
void mass_domain_forget_edges(mass_domain *d, uint32_t space);

#endif
