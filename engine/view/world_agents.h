/* SPDX-License-Identifier: Apache-2.0 */
/* The agents of a world, for answers: among those of all worlds, in canonical order. Main thread. */
#ifndef MASS_ENGINE_VIEW_WORLD_AGENTS_H
#define MASS_ENGINE_VIEW_WORLD_AGENTS_H

#include "state/domain.h"

typedef struct mass_world_agents {
    uint64_t all, first, end; /* agents of all worlds; range of those of the world */
} mass_world_agents;

/* Counts all agents, and finds the range of a world's. The world must exist. On failure *out is unchanged. Waits for
 * the device. */
mass_status mass_world_agents_find(mass_domain *d, uint32_t population, int32_t world, mass_world_agents *out,
                                   mass_error *error);

/* Reads an attribute of all agents of all worlds, which the caller frees. On failure *out is unchanged. */
mass_status mass_world_agents_read(mass_domain *d, uint32_t attribute, const mass_world_agents *a, void **out,
                                   mass_error *error);

#endif
