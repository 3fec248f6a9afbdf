/* SPDX-License-Identifier: Apache-2.0 */
/* The first edges of a network whose edges change (population/relink.h): those of the model become agents. Host memory;
 * main thread. */
#ifndef MASS_ENGINE_POPULATION_RELINK_START_H
#define MASS_ENGINE_POPULATION_RELINK_START_H

#include "state/domain.h"

/* Makes the model's edges the agents of the population that has the edges, on this rank's nodes and in all its worlds.
 * The ids are the numbers of the edges in the file or the generator. Also sets this rank's share of the next ids.
 * MASS_BAD_USAGE if there are too many. */
mass_status mass_relink_populate(mass_domain *d, uint32_t population, mass_error *error);

#endif
