/* SPDX-License-Identifier: Apache-2.0 */
/* What callbacks need that name any agents of the world, or free places (model/anybody.h): agents by their ids, and
 * the full places. If ranks split the space, also the agents of all ranks. Copies from before a phase and sums are as
 * for agents nearby (nearby.h). Main thread. */
#ifndef MASS_ENGINE_POPULATION_ANYBODY_H
#define MASS_ENGINE_POPULATION_ANYBODY_H

#include "state/domain.h"

/* Allocates the index by ids, for so many agents. */
mass_status mass_anybody_make_slots(mass_domain *d, mass_population_state *s, uint64_t agents, mass_error *error);
/* Frees what depends on the number of agents. Allocates what does not, and frees it. These three are part of the
 * population's own allocation (population.c). */
void mass_anybody_free_room(const mass_population_def *, mass_population_state *s);
mass_status mass_anybody_create(mass_domain *d, uint32_t population, mass_error *error);
void mass_anybody_free(mass_population_state *s);

/* Indexes the agents of a population by their ids; finds its full places. Queued on devices that hold the space. */
mass_status mass_anybody_index(mass_domain *d, uint32_t population, mass_error *error);
mass_status mass_anybody_find_full(mass_domain *d, uint32_t population, mass_error *error);

/* Return the population's part of a launch record, and the table of full places. */
mass_everybody mass_anybody_record(const mass_domain *d, uint32_t population);
const mass_seats *mass_anybody_full(const mass_domain *d, uint32_t population);

/* ---- if ranks split the space (anybody_ranks.c); all ranks call these ---- */

/* Gets the agents of all ranks: their ids, and the arrays of which callbacks name any agents. Clears the sums of arrays
 * that callbacks add to. */
mass_status mass_anybody_gather(mass_domain *d, uint32_t population, mass_error *error);
/* Adds the sums of all ranks to this rank's agents. */
mass_status mass_anybody_collect(mass_domain *d, uint32_t array, mass_error *error);
/* Finds the full places of all ranks. */
mass_status mass_anybody_gather_full(mass_domain *d, uint32_t population, mass_error *error);

#endif
