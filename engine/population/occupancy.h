/* SPDX-License-Identifier: Apache-2.0 */
/* Which cells of a population have agents, as a bitmap, and how many agents there are before each cell. Main thread. */
#ifndef MASS_ENGINE_POPULATION_OCCUPANCY_H
#define MASS_ENGINE_POPULATION_OCCUPANCY_H

#include "state/domain.h"

/* Who stands where: its buffers; and what they hold for `count` agents whose cells ascend. */
mass_status mass_population_allocate_occupancy(mass_domain *d, uint32_t population, mass_error *error);

mass_status mass_population_upload_occupancy(mass_domain *d, uint32_t population, const uint32_t *cell, uint32_t count,
                                         mass_error *error);

#endif
