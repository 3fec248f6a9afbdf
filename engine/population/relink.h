/* SPDX-License-Identifier: Apache-2.0 */
/* Networks whose edges change. Their edges are agents: one stands on the node that asked for it, or on the target, and
 * its attribute `source` is the other end. Requests for new edges are sprouts; requests for their end are marks, which
 * become requests for the agents' deaths. So manage carries them out. Host memory; main thread. */
#ifndef MASS_ENGINE_POPULATION_RELINK_H
#define MASS_ENGINE_POPULATION_RELINK_H

#include "state/domain.h"

/* Places the first edges, which are the model's. The ids are the numbers of the edges in the file or the generator. */
mass_status mass_relink_populate(mass_domain *d, uint32_t population, mass_error *error);

/* Prepares the requests for the manage that follows: agents of marked edges ask to die, and requests for edges that are
 * not made are taken back. In worlds whose gate is closed (mass_phase_gates) all requests wait. All ranks call it
 * together. */
mass_status mass_relink_decide(mass_domain *d, uint32_t population, const uint32_t *gates, mass_error *error);

/* Takes back the marks of UNLINK. */
mass_status mass_relink_discard(mass_domain *d, uint32_t population, mass_error *error);

/* Makes the arrays that bodies follow, if they are not those of the present agents. Marks stay. All ranks call it
 * together. */
mass_status mass_relink_refresh(mass_domain *d, uint32_t population, mass_error *error);

#endif
