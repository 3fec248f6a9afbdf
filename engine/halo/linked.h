/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of the nodes that bodies over a network read: those of this rank, and those of other ranks from which an edge
 * comes into a node of this rank. If edges change, all nodes. The halo of such a network is a list, made before the
 * first copy. Main thread. */
#ifndef MASS_ENGINE_HALO_LINKED_H
#define MASS_ENGINE_HALO_LINKED_H

#include "state/domain.h"

/* Copies the present values of an array of nodes to mass_domain_linked. Nodes from which no edge comes to this rank
 * may keep old values there. All ranks call it together. Queued, but for messages of ranks without a link. */
mass_status mass_linked_refresh(mass_domain *d, uint32_t array, mass_error *error);

#endif
