/* SPDX-License-Identifier: Apache-2.0 */
/* The occupancy of a population's cells: the bitmap of occupied cells, and the number of agents before each cell.
 * Main thread. */
#ifndef MASS_ENGINE_POPULATION_OCCUPANCY_H
#define MASS_ENGINE_POPULATION_OCCUPANCY_H

#include "state/domain.h"

/* Allocates the occupancy buffers: `start`, and the bitmap if a place holds one agent at most and the device knows such
 * bitmaps. Their contents are not set. */
mass_status mass_population_allocate_occupancy(mass_domain *d, uint32_t population, mass_error *error);

/* Fills the occupancy buffers for `count` agents, whose cells ascend. */
mass_status mass_population_upload_occupancy(mass_domain *d, uint32_t population, const uint32_t *cell, uint32_t count,
                                         mass_error *error);

#endif
