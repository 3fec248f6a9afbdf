/* SPDX-License-Identifier: Apache-2.0 */
/* Makes sure of memory for births before a step, so that no step fails in its middle.
 *
 * Before a step, the host adds up the most memory that all growing populations could need together. It asks if the
 * device has memory for two steps that begin with twice the present agents. If so, that number of agents is the safe
 * count.
 *
 * A recorded step begins with a guard. The guard compares the number of agents with the safe count on the device. If
 * there are more, it stops the replay before the step, and the host checks again. A population with a capacity is
 * safe for good once memory suffices for all its places.
 *
 * If memory is scarce, the engine queues no step ahead, and the run ends before a step that could fail. If ranks
 * hold parts of the space, agents also come from other ranks. Then manage enlarges the arrays. Main thread. */
#ifndef MASS_ENGINE_POPULATION_GROWTH_H
#define MASS_ENGINE_POPULATION_GROWTH_H

#include "state/domain.h"

/* Returns true if a population of the model can have births. */
bool mass_population_can_grow(const mass_model *m);

/* Checks before a step that memory suffices for all agents that its manages could create. MASS_NO_DEVICE if it does
 * not. *scarce: the step after it might lack memory. Else sets the populations' safe_count (domain.h). While no
 * population exceeds it, the function only reads the number of agents. If ranks split the space, this function and the
 * next one do nothing. */
mass_status mass_population_check_room(mass_domain *d, uint64_t step, bool *scarce, mass_error *error);

/* Guards recorded steps, in which the host cannot check. The guard stops the replay before a step that begins with
 * more agents than safe_count. Then the host checks. A population whose safe_count is UINT32_MAX gets no guard.
 * Queued. */
mass_status mass_population_guard_memory(mass_domain *d, uint64_t step, mass_error *error);

#endif
