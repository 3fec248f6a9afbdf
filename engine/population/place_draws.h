/* SPDX-License-Identifier: Apache-2.0 */
/* The random draws of where agents begin: of their places, and of the points in these. Main thread. */
#ifndef MASS_ENGINE_POPULATION_PLACE_DRAWS_H
#define MASS_ENGINE_POPULATION_PLACE_DRAWS_H

#include "point_in_place.h"
#include "state/domain.h"

/* The number of draws for the places of a population; and the phase number of these draws, which no phase of a schedule
 * has. The draws of points follow those of the places of all populations. */
enum { MASS_DRAWS_OF_PLACES = 9, MASS_PHASE_OF_PLACES = MASS_PHASES_MAX };

/* Returns how agents of a population with positions draw their points, on this process. The keys have addresses of the
 * device. */
mass_point_draws mass_population_point_draws(const mass_domain *d, uint32_t population);

#endif
