/* SPDX-License-Identifier: Apache-2.0 */
/* population/ holds the agents of a domain: their start, growth, occupancy and requests.
 *
 * The agents of a domain on this rank: their arrays, and access to them in canonical order. Main thread. */
#ifndef MASS_ENGINE_POPULATION_H
#define MASS_ENGINE_POPULATION_H

#include "state/domain.h"

/* How many agents a world starts with, as far as its rule tells (a table and an attribute do not), and
 * the bytes that a population needs on its device. */
double mass_population_estimate(const mass_model *m, uint32_t population);

double mass_population_bytes(const mass_model *m, uint32_t population, int32_t worlds);

double mass_population_bytes_of_agent(const mass_model *m, uint32_t population);

/* Room for what does not depend on the number of agents. */
mass_status mass_population_create(mass_domain *d, uint32_t population, mass_error *error);

void mass_population_free(mass_domain *d, uint32_t population);

/* `count` agents of all worlds of this rank in canonical order, from the values of a snapshot, or (values NULL) with
 * every attribute at its default; ids and cells are taken. */
mass_status mass_population_set(mass_domain *d, uint32_t population, uint32_t count, const uint64_t *id,
                                const uint32_t *cell, void *const *values, mass_error *error);

/* How many agents there are in all worlds of this rank; in each of them, counts[worlds]; and an attribute of all of
 * these, in canonical order, with worlds counted from the rank's first. Waits for the device. */
mass_status mass_population_count_own(mass_domain *d, uint32_t population, uint64_t *count, mass_error *error);

mass_status mass_population_count_worlds_own(mass_domain *d, uint32_t population, uint64_t *counts, mass_error *error);

mass_status mass_population_read_own(mass_domain *d, uint32_t attribute, void *data, mass_error *error);

/* The first place of a world that this rank holds. */
static inline int64_t mass_population_first_place(const mass_domain *d, uint32_t population)
{
    const int64_t *first = d->populations[population].first_place;
    return first ? first[d->share.comm->rank] : 0;
}

/* What launches are told. */
mass_agents mass_population_agents(const mass_domain *d, uint32_t population, int32_t reach);

/* The array of an attribute that holds the present values; and the one that takes those of children. */
mass_buffer mass_population_array(const mass_domain *d, uint32_t population, uint32_t array);

mass_buffer mass_population_child(const mass_domain *d, uint32_t population, uint32_t array);

/* Larger buffers with the same agents and requests, for `agents` or more. On failure the old ones stay. */
mass_status mass_population_enlarge(mass_domain *d, uint32_t population, uint64_t agents, mass_error *error);

/* Takes back requests that no manage has carried out. ignored: no manage of the schedule could have, so that if there
 * are any, the population's diagnostics note it, for the user to be told. */
mass_status mass_population_discard_requests(mass_domain *d, uint32_t population, bool ignored, mass_error *error);

/* Adds up the agents of every world in the tally that the population names, if it does. */
mass_status mass_population_census(mass_domain *d, uint32_t population, mass_error *error);

#endif
