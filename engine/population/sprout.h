/* SPDX-License-Identifier: Apache-2.0 */
/* How a manage adds the agents that places bring forth (kernels/sprouts.h). Main thread. */
#ifndef MASS_ENGINE_POPULATION_SPROUT_H
#define MASS_ENGINE_POPULATION_SPROUT_H

#include "state/domain.h"

/* Adds the agents that places of open worlds ask for, after the other parts of a manage and its swap. Enlarges arrays
 * if needed. If it adds any, it swaps the buffers itself. Clears the requests of open worlds. gates NULL: in all
 * worlds; else those of a phase's condition, in d->gates. counted: add to tallies that restart in each step. The
 * population must have sprouts. If the space is divided among ranks, all ranks call it. */
mass_status mass_population_sprout(mass_domain *d, uint32_t population, const uint32_t *gates, bool counted,
                                   mass_error *error);

#endif
