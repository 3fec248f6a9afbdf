/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for births is promised before a step, so that no step fails in its middle.
 *
 * Before a step, the host adds up what all growing populations could need together: room made for one is not there for
 * another. It asks for memory for two steps that begin with twice the agents that there are now. If there is memory,
 * that number of agents is the safe count. Recorded steps begin with a guard, which compares the number of agents with
 * the safe count on the device, and stops the replay before the step if there are more; the host then looks again. A
 * population with a capacity is safe for good once there is memory for all its places. If memory is scarce, nothing is
 * queued ahead, and the run ends before a step that could fail. If ranks hold parts of the space, agents come from
 * other ranks too: manage then makes room. Main thread. */
#ifndef MASS_ENGINE_POPULATION_GROWTH_H
#define MASS_ENGINE_POPULATION_GROWTH_H

#include "state/domain.h"

/* Births may take more room. */
bool mass_population_can_grow(const mass_model *m);

/* Checks before a step that there is memory for all agents that its manages could bring forth, so that the step cannot
 * fail in its middle; MASS_NO_DEVICE if there is not. *scarce tells whether the step after it might lack memory. Sets
 * the populations' safe_count (domain.h). Where all have at most that many agents, it only reads their number. */
mass_status mass_population_check_room(mass_domain *d, uint64_t step, bool *scarce, mass_error *error);

/* The same in steps that are recorded, where the host cannot ask: has the replay stop before a step that begins with
 * more agents than safe_count, so that the host checks. Queued. */
mass_status mass_population_guard_memory(mass_domain *d, uint64_t step, mass_error *error);

#endif
