/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for what phases read of agents nearby, and add to them. If a phase writes what it reads nearby, it reads a
 * copy from before the phase. If it adds to an attribute that it also names otherwise, the engine adds the sums after
 * the phase.
 *
 * If ranks split the population, all such fields have memory of their own: the values of this rank's agents, and from
 * element `room` on those of copies (halo/bands.h). Main thread. */
#ifndef MASS_ENGINE_POPULATION_NEARBY_H
#define MASS_ENGINE_POPULATION_NEARBY_H

#include "state/domain.h"

/* Arrays of one population, by number in the model. */
typedef struct mass_nearby_arrays {
    const uint32_t *before, *added; /* read as they are before the phase; added to */
    uint32_t before_count, added_count;
} mass_nearby_arrays;

/* Copies arrays before a phase, and clears its sums. Over ranks, also gets the agents within the phase's reach. All
 * ranks call it. Queued for a single rank. The arrays of both lists are at most 512. */
mass_status mass_nearby_prepare(mass_domain *d, uint32_t phase, uint32_t population, const mass_nearby_arrays *arrays,
                                mass_error *error);

/* Adds the sums of a phase to the arrays, also those of other ranks. arrays: as mass_nearby_prepare got them, which
 * comes before. All ranks call it. */
mass_status mass_nearby_add(mass_domain *d, uint32_t phase, uint32_t population, const uint32_t *arrays, uint32_t count,
                            mass_error *error);

/* Returns the memory of an array from before the phase or, if `added`, of its sums. */
mass_buffer mass_nearby_array(const mass_domain *d, uint32_t population, uint32_t array, bool added);

/* Sets the copies of other ranks' agents in a population's part of a launch record, if the phase has some. */
void mass_nearby_show(const mass_domain *d, uint32_t phase, uint32_t population, mass_agents *agents);

/* Frees the copies of other ranks' agents. */
void mass_nearby_free(mass_domain *d);

#endif
