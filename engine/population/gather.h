/* SPDX-License-Identifier: Apache-2.0 */
/* A population over all ranks: counts of agents, their values in canonical order, and tables of initial agents. Rank
 * 0 calls these functions. The other ranks call them from mass_serve (ranks/rpc.h), with NULL for data. A function
 * says if that is different. Main thread. */
#ifndef MASS_ENGINE_POPULATION_GATHER_H
#define MASS_ENGINE_POPULATION_GATHER_H

#include "population/table.h"
#include "state/domain.h"

/* Makes `count` agents the agents of this rank (mass_population_set). values: [attribute_count of the model], with ids.
 * Worlds and places count from the start of the run. MASS_BAD_INPUT if the agents are not in canonical order, or not on
 * this rank's places; MASS_NO_DEVICE if they are too many for one rank. Each rank calls it for itself. The counts that
 * ranks have of each other's places stay as they were. */
mass_status mass_population_set_own(mass_domain *d, uint32_t population, uint64_t count, void *const *values,
                                    mass_error *error);

/* Reads `count` agents of this rank from agent `first` on. Worlds and places count from the start of the run. Waits
 * for the device. Each rank calls it for itself. */
mass_status mass_population_read_run(mass_domain *d, uint32_t attribute, int64_t first, int64_t count, void *data,
                                     mass_error *error);

/* Counts the agents of each rank in each world: (*out)[ranks][worlds of this rank]. For a split space. All ranks
 * call it; a failure of one is a failure of all. The caller frees *out. On failure it is untouched. */
mass_status mass_population_count_ranks(mass_domain *d, uint32_t population, uint64_t **out, mass_error *error);

/* Finds the first agent of each world of this rank, counted over all ranks that hold a part of it. That of world w is
 * element w * *places of *out, on the device, which the population owns; the end is that of world `worlds`. All ranks
 * call it in a step. MASS_BAD_USAGE if ranks split the space and have 2^32 agents or more. */
mass_status mass_population_find_starts(mass_domain *d, uint32_t population, mass_buffer *out, int64_t *places,
                                        mass_error *error);

/* Takes the initial agents from a table. It must live until the population has them. With several ranks, each gets its
 * own part of it; MASS_BAD_USAGE if the space has 2^32 - 3 places or more over all worlds. */
mass_status mass_population_use_table(mass_domain *d, uint32_t population, const mass_table *table, mass_error *error);

/* Takes the initial agents from a table, which the domain owns and frees. *table is then all zero, on failure too. */
mass_status mass_population_take_table(mass_domain *d, uint32_t population, mass_table *table, mass_error *error);

/* Counts the agents of all worlds; 0 on failure. Waits for the device. */
mass_status mass_population_count(mass_domain *d, uint32_t population, uint64_t *count, mass_error *error);

/* Counts the agents of each world: counts[worlds of the run]. Waits for the device. */
mass_status mass_population_count_worlds(mass_domain *d, uint32_t population, uint64_t *counts, mass_error *error);

/* Reads an attribute of all agents in canonical order. */
mass_status mass_population_read(mass_domain *d, uint32_t attribute, void *data, mass_error *error);

/* Counts the agents of each rank in each part of the canonical order: counts [parts][ranks]. If the space is split,
 * each world is a part; otherwise there is one. All ranks call it together. */
mass_status mass_population_divide(mass_domain *d, uint32_t population, uint64_t *counts, mass_error *error);

/* Adds `count` agents to the counts of the ranks that hold their places. Worlds and places are those of the run.
 * counts: as in mass_population_divide. This rank alone calls it. */
void mass_population_count_weights(mass_domain *d, uint32_t population, const int32_t *world, const int64_t *place,
                                   uint64_t count, uint64_t *counts);

/* Makes `count` agents in canonical order the agents of this rank. values: [attribute_count], with worlds and places of
 * the run. The caller has checked them. All ranks call it together, each for its own agents; a failure of one is a
 * failure of all. Then updates the counts that ranks have of each other's places. */
mass_status mass_population_set_share(mass_domain *d, uint32_t population, uint64_t count, void *const *values,
                                      mass_error *error);

/* Frees a population's own table, if there is one. mass_population_free calls it. */
void mass_population_free_table(const mass_model *m, mass_population_state *s);

#endif
