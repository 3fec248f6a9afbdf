/* SPDX-License-Identifier: Apache-2.0 */
/* The buffers of a population whose size depends on the number of agents, and how many agents they have memory for: the
 * member `room` of mass_population_state. Agents move to other buffers if there are too many for these. A domain counts
 * that in `changes`, since recordings have addresses. Main thread. */
#ifndef MASS_ENGINE_POPULATION_CAPACITY_H
#define MASS_ENGINE_POPULATION_CAPACITY_H

#include "state/domain.h"

/* Frees the buffers of *s, a state of population p. It may have none. s->room stays as it was. */
void mass_population_free_room(const mass_population_def *p, mass_population_state *s);

/* Frees the buffers with all agents and requests, and allocates others for `room` agents; buffer 0 is the present one
 * then. They are for fewer if the device's arrays cannot hold so many, but at least for `agents`. Both buffers of cells
 * have valid cells. Sets the safe_count of all populations to 0, as every move of buffers does. On failure there are no
 * buffers: MASS_NO_DEVICE if the device lacks the memory, or its arrays cannot hold `agents`. */
mass_status mass_population_renew_room(mass_domain *d, uint32_t population, uint32_t agents, uint64_t room,
                                       mass_error *error);

/* Keeps the buffers if they have room for `agents`. Otherwise waits for the device and does the same for `agents`, with
 * room for a quarter more if the device has the memory. Refuses more than 2^32 - 3 agents (MASS_NO_DEVICE). */
mass_status mass_population_reserve(mass_domain *d, uint32_t population, uint64_t agents, mass_error *error);

/* Moves the agents and their requests to buffers for `agents` or more, even if the present ones suffice: half as many
 * more if the device has the memory. Copies from before a phase, sums and the index by ids are lost. On failure the old
 * buffers remain. Refuses as many as mass_population_reserve. Waits for the device. */
mass_status mass_population_enlarge(mass_domain *d, uint32_t population, uint64_t agents, mass_error *error);

#endif
