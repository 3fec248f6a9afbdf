/* SPDX-License-Identifier: Apache-2.0 */
/* population/ holds the agents of a domain: their start, growth, occupancy and requests.
 *
 * This file: the agents of this rank, their arrays, and access to them in canonical order. Main thread. */
#ifndef MASS_ENGINE_POPULATION_H
#define MASS_ENGINE_POPULATION_H

#include "state/domain.h"

/* Returns an estimate of the agents of a world at the start; 0 if load or an attribute gives them. For agents that are
 * edges it is the number of the network's edges. */
double mass_population_estimate(const mass_model *m, uint32_t population);

/* Returns an estimate of the bytes that these agents and all places take on a device, in so many worlds. */
double mass_population_bytes(const mass_model *m, uint32_t population, int32_t worlds);

/* Returns an estimate of the bytes that one agent takes on a device. */
double mass_population_bytes_of_agent(const mass_model *m, uint32_t population);

/* Allocates what does not depend on the number of agents. MASS_NO_DEVICE if the device has no agents; MASS_BAD_USAGE if
 * it cannot share them among ranks, or if there are too many places. On failure the caller calls
 * mass_population_free. */
mass_status mass_population_create(mass_domain *d, uint32_t population, mass_error *error);

/* Allocates the same for a population that has so many places of each world, whatever this rank has, but nothing for
 * sprouts and for callbacks that name any agents. Overwrites the domain's state of the population: keep it
 * elsewhere. */
mass_status mass_population_create_window(mass_domain *d, uint32_t population, int64_t places, mass_error *error);

/* Frees all that a population owns, and sets its state to zeros. */
void mass_population_free(mass_domain *d, uint32_t population);

/* Sets `count` agents in canonical order, for all worlds of this rank. values: NULL, or [attribute_count of the
 * model], with the ids, so that `id` is not read. Attributes without values get defaults. The function copies ids and
 * cells. Former agents and all requests are lost. The next ids stay as they were. Also sets `most` and `populated` of
 * the state. */
mass_status mass_population_set(mass_domain *d, uint32_t population, uint32_t count, const uint64_t *id,
                                const uint32_t *cell, void *const *values, mass_error *error);

/* Replaces all agents by `count` others in canonical order, without requests. columns: values of each array of the
 * population, ids first; the caller keeps them. Makes room for `room` agents, at least for `count`. Requests for
 * sprouts stay. */
mass_status mass_population_replace(mass_domain *d, uint32_t population, uint64_t room, uint32_t count,
                                    const uint32_t *cell, char *const *columns, mass_error *error);

/* Sets *count to the number of this rank's agents; 0 on failure. Waits for the device. */
mass_status mass_population_count_own(mass_domain *d, uint32_t population, uint64_t *count, mass_error *error);

/* Counts this rank's agents in each of its worlds: counts[worlds], from the rank's first world on. Waits for the
 * device. */
mass_status mass_population_count_worlds_own(mass_domain *d, uint32_t population, uint64_t *counts, mass_error *error);

/* Reads an attribute of all agents of this rank, in canonical order. Worlds and places count from the start of the run.
 * Leaves data alone if there are none. Waits for the device. */
mass_status mass_population_read_own(mass_domain *d, uint32_t attribute, void *data, mass_error *error);

/* Returns the first place of a world that this rank holds. */
static inline int64_t mass_population_first_place(const mass_domain *d, uint32_t population)
{
    const int64_t *first = d->populations[population].first_place;
    return first ? first[d->share.comm->rank] : 0;
}

/* Returns the population's part of a launch record, without copies of other ranks' agents (mass_nearby_show). reach:
 * the phase's. */
mass_agents mass_population_agents(const mass_domain *d, uint32_t population, int32_t reach);

/* Returns an array of a population, by its number in the model, with the present values. */
mass_buffer mass_population_array(const mass_domain *d, uint32_t population, uint32_t array);

/* Returns the buffer of the values that callbacks give children in an array; none if they give none. */
mass_buffer mass_population_child(const mass_domain *d, uint32_t population, uint32_t array);

/* Discards requests that no manage applied, those of sprouts too. ignored: no manage of the schedule could apply them.
 * Then the population's diagnostics count them, and the engine tells the user. */
mass_status mass_population_discard_requests(mass_domain *d, uint32_t population, bool ignored, mass_error *error);

/* Sets the population's tally to the agents of every world, if it has one. Queued. */
mass_status mass_population_census(mass_domain *d, uint32_t population, mass_error *error);

#endif
