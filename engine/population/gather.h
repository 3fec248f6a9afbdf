/* SPDX-License-Identifier: Apache-2.0 */
/* The agents of a population over all ranks: how many there are and where, their values in canonical order, and tables
 * of initial agents. Rank 0 calls these functions, and the other ranks do out of mass_serve (ranks/rpc.h), with NULL
 * for data. Exceptions say so. Main thread. */
#ifndef MASS_ENGINE_POPULATION_GATHER_H
#define MASS_ENGINE_POPULATION_GATHER_H

#include "population/table.h"
#include "state/domain.h"

/* `count` agents become those of this rank (mass_population_set), with ids, worlds and places among the values,
 * [attribute_count of the model], as the run counts them. */
mass_status mass_population_set_own(mass_domain *d, uint32_t population, uint64_t count, void *const *values,
                                    mass_error *error);

/* `count` of them, from agent `first` on, with worlds as the run counts them. */
mass_status mass_population_read_run(mass_domain *d, uint32_t attribute, int64_t first, int64_t count, void *data,
                                     mass_error *error);

/* How many agents each rank has in each world, (*out)[ranks][worlds of this rank], where the space is cut. All ranks
 * call it; the caller frees *out. */
mass_status mass_population_count_ranks(mass_domain *d, uint32_t population, uint64_t **out, mass_error *error);

/* Where the agents of every world of this rank begin, among those of all ranks that have agents there: of world w at
 * cell w * *places of *out, on the device. All ranks call it in a step. */
mass_status mass_population_find_starts(mass_domain *d, uint32_t population, mass_buffer *out, int64_t *places,
                                        mass_error *error);

/* The initial agents will be those of a table, which has to live until they are there. */
mass_status mass_population_use_table(mass_domain *d, uint32_t population, const mass_table *table, mass_error *error);

/* How many agents there are in all worlds. Waits for the device. */
mass_status mass_population_count(mass_domain *d, uint32_t population, uint64_t *count, mass_error *error);

/* The same in each world: counts[worlds of the run]. */
mass_status mass_population_count_worlds(mass_domain *d, uint32_t population, uint64_t *counts, mass_error *error);

/* An attribute of all agents, in canonical order. */
mass_status mass_population_read(mass_domain *d, uint32_t attribute, void *data, mass_error *error);

/* How many agents lie on each rank, in each part of the canonical order: counts [parts][ranks]. */
mass_status mass_population_divide(mass_domain *d, uint32_t population, uint64_t *counts, mass_error *error);

/* Of this rank alone: adds `count` agents, by where they stand, to what counts says of those who hold the places. */
void mass_population_count_weights(mass_domain *d, uint32_t population, const int32_t *world, const int64_t *place,
                                   uint64_t count, uint64_t *counts);

/* `count` agents become those of this rank, in canonical order, with values [attribute_count] whose worlds and places
 * are the run's; all have been checked before. */
mass_status mass_population_set_share(mass_domain *d, uint32_t population, uint64_t count, void *const *values,
                                      mass_error *error);

/* Part of mass_population_free: what use_table has kept. */
void mass_population_free_table(const mass_model *m, mass_population_state *s);

#endif
