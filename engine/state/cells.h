/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of a population: places times worlds, of this rank. Main thread. */
#ifndef MASS_ENGINE_STATE_CELLS_H
#define MASS_ENGINE_STATE_CELLS_H

#include "state/domain.h"

/* The agents in all cells before one (of worlds times this rank's places, or the end), and if `here` is not NULL, in
 * that one. Waits for the device. */
mass_status mass_cell_find(const mass_domain *d, uint32_t population, uint64_t cell, uint32_t *before, uint32_t *here,
                           mass_error *error);

#endif
