/* SPDX-License-Identifier: Apache-2.0 */
/* Agents by their ids, and full places: tables that callbacks search, made on a device. */
#ifndef MASS_KERNELS_ANYBODY_H
#define MASS_KERNELS_ANYBODY_H

#include <mass/impl/launch.h>

/* Puts all agents into a hash table (mass_everybody.slots). Its memory has last_slot + 1 elements, at least twice as
 * many as there are agents. Which slot of a run an agent gets is not determined; which agent is found is. */
typedef struct mass_index_work {
    const uint64_t *id;
    const uint32_t *start; /* as in mass_everybody */
    int64_t stride;
    int32_t worlds;
    uint32_t room; /* most agents that there may be */
    uint32_t *slots;
    uint32_t last_slot;
} mass_index_work;

/* Finds the places with `capacity` agents or more: full[cells / 32 + 1], as mass_agents.occupancy. */
typedef struct mass_full_work {
    const uint32_t *start;       /* as in mass_agents, */
    const mass_seats *occupancy; /* as there, or NULL */
    uint64_t cells;
    uint32_t capacity;
    mass_seats *full;
} mass_full_work;

#endif
