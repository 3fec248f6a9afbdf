/* SPDX-License-Identifier: Apache-2.0 */
/* The initial agents of a population. Main thread. */
#ifndef MASS_ENGINE_POPULATION_POPULATE_H
#define MASS_ENGINE_POPULATION_POPULATE_H

#include "state/domain.h"

/* Whether a world can start with `count` of the declaration, as far as its rule tells. MASS_BAD_USAGE. */
mass_status mass_population_check_start(const mass_model *m, const mass_population_def *p, int64_t count,
                                        mass_error *error);

/* The initial agents, of the table or by the population's rule, of this rank's worlds. Once. */
mass_status mass_population_populate(mass_domain *d, uint32_t population, mass_error *error);

#endif
