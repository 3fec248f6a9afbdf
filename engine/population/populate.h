/* SPDX-License-Identifier: Apache-2.0 */
/* The initial agents of a population. Main thread. */
#ifndef MASS_ENGINE_POPULATION_POPULATE_H
#define MASS_ENGINE_POPULATION_POPULATE_H

#include "state/domain.h"

/* Checks that a world can start with `count` of the declaration, as far as the population's rule tells: the agents of a
 * world or, for MASS_EVERY_PLACE, of each place, where 0 stands for 1. MASS_BAD_USAGE if it cannot. */
mass_status mass_population_check_start(const mass_model *m, const mass_population_def *p, int64_t count,
                                        mass_error *error);

/* Places the initial agents of this rank's worlds, from the table or by the population's rule, and sets the next ids.
 * Call it once; an attribute that gives the numbers must have its values. If ranks split the space, all call it
 * together. */
mass_status mass_population_populate(mass_domain *d, uint32_t population, mass_error *error);

#endif
