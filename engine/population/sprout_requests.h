/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of places for agents that they bring forth (kernels/sprouts.h). Main thread. */
#ifndef MASS_ENGINE_POPULATION_SPROUT_REQUESTS_H
#define MASS_ENGINE_POPULATION_SPROUT_REQUESTS_H

#include "manage.h"
#include "sprouts.h"
#include "state/domain.h"

/* Returns the bytes that a place's requests for sprouts take in a world. */
double mass_population_sprout_bytes(const mass_model *m, uint32_t population);

/* Allocates the requests of places for sprouts; there are none at first. Does nothing for a population without. */
mass_status mass_population_create_sprouts(mass_domain *d, uint32_t population, mass_error *error);
void mass_population_free_sprouts(mass_domain *d, uint32_t population);

/* Return the requests for a launch record, and the values that callbacks give to sprouts in an array; none if they give
 * none. */
mass_sprouts mass_population_sprouts(const mass_domain *d, uint32_t population);
mass_buffer mass_population_sprout_values(const mass_domain *d, uint32_t population, uint32_t array);

/* Returns the work that adds sprouts, with the addresses of the present buffers, and its list in `arrays`, which must
 * outlive it. */
mass_sprout_work mass_population_sprout_work(const mass_domain *d, uint32_t population, const uint32_t *gates,
                                             bool counted, mass_sprout_array arrays[MASS_ARRAYS_OF_AGENTS_MAX]);

/* Discards all requests for sprouts, in closed worlds too. ignored: the population's diagnostics record if there was
 * one. Does nothing for a population without sprouts. */
mass_status mass_population_drop_sprouts(mass_domain *d, uint32_t population, bool ignored, mass_error *error);

#endif
