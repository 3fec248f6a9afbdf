/* SPDX-License-Identifier: Apache-2.0 */
/* Tables for callbacks that name any agents of the world, or free places (model/anybody.h): an index of agents by their
 * ids, and a bitmap of full places. If ranks split the space, also the agents of all ranks. Copies of values from
 * before a phase, and sums, are kept as for agents nearby (nearby.h). Main thread. */
#ifndef MASS_ENGINE_POPULATION_ANYBODY_H
#define MASS_ENGINE_POPULATION_ANYBODY_H

#include "state/domain.h"

/* Allocates the index by ids, for so many agents, and sets last_slot. Does not free a former index. */
mass_status mass_anybody_make_slots(mass_domain *d, mass_population_state *s, uint64_t agents, mass_error *error);
/* Frees the arrays and the index that grow with the number of agents. capacity.c calls this when it frees or replaces
 * the population's own arrays. Then room_of_all is 0. s->arrays may be NULL. */
void mass_anybody_free_room(const mass_population_def *, mass_population_state *s);
/* Allocate and free the rest, whose size does not depend on the number of agents: `full` and `moved`, as far as the
 * population needs them. The occupancy must be there. MASS_BAD_USAGE if free places are drawn and the space has 2^32
 * places or more over all worlds. */
mass_status mass_anybody_create(mass_domain *d, uint32_t population, mass_error *error);
void mass_anybody_free(mass_population_state *s);

/* Fill the index of a population's agents by their ids, and the bitmap of its full places. If ranks split the space,
 * the index is of the agents that mass_anybody_gather got, and the bitmap only of this rank's places. Queued. */
mass_status mass_anybody_index(mass_domain *d, uint32_t population, mass_error *error);
mass_status mass_anybody_find_full(mass_domain *d, uint32_t population, mass_error *error);

/* Return the population's part of a launch record, and the table of full places: the occupancy if the population has
 * no bitmap of its own. The record is of the agents of all ranks if these split the space. */
mass_everybody mass_anybody_record(const mass_domain *d, uint32_t population);
const mass_seats *mass_anybody_full(const mass_domain *d, uint32_t population);

/* ---- if ranks split the space (anybody_ranks.c); all ranks call these ---- */

/* Gets from all ranks the ids of their agents, and the arrays that callbacks read of any agents. Sets the sums to zero,
 * for arrays that callbacks add to. Sets world_starts and moved, but not the index. MASS_BAD_USAGE if all ranks have
 * more than 2^32 - 3 agents. */
mass_status mass_anybody_gather(mass_domain *d, uint32_t population, mass_error *error);
/* Adds the sums of all ranks to this rank's agents. array: of integers, by its number in the model. The agents must be
 * those of the last mass_anybody_gather. */
mass_status mass_anybody_collect(mass_domain *d, uint32_t array, mass_error *error);
/* Finds this rank's full places, and gets those of all ranks: mass_anybody_full then has the whole space's. */
mass_status mass_anybody_gather_full(mass_domain *d, uint32_t population, mass_error *error);

#endif
