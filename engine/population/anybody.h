/* SPDX-License-Identifier: Apache-2.0 */
/* What callbacks need that name any agents of the world, or free places (model/anybody.h): copies of values from before
 * the phase, agents by their ids, and the full places. If ranks split the space, the agents of all ranks. Main
 * thread. */
#ifndef MASS_ENGINE_POPULATION_ANYBODY_H
#define MASS_ENGINE_POPULATION_ANYBODY_H

#include "state/domain.h"

/* Allocate what depends on the number of agents, for s->room agents, and what does not; free it. Part of the
 * population's own allocation (population.c). */
mass_status mass_anybody_make_room(mass_domain *d, const mass_population_def *, mass_population_state *s,
                                   mass_error *error);
/* Allocates the index by ids. */
mass_status mass_anybody_make_slots(mass_domain *d, mass_population_state *s, uint64_t agents, mass_error *error);
void mass_anybody_free_room(const mass_population_def *, mass_population_state *s);
mass_status mass_anybody_create(mass_domain *d, uint32_t population, mass_error *error);
void mass_anybody_free(mass_population_state *s);

/* Copies the present values of an array of agents. Queued. */
mass_status mass_anybody_keep(mass_domain *d, uint32_t array, mass_error *error);
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
