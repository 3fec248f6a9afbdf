/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of a population of this rank: places times worlds. Main thread. */
#ifndef MASS_ENGINE_STATE_CELLS_H
#define MASS_ENGINE_STATE_CELLS_H

#include "state/domain.h"

/* Sets *before to the number of agents in all cells before a cell (of worlds times this rank's places, or the end). If
 * `here` is not NULL, sets *here to the number in that cell, which is not the end then. Waits for the device. */
mass_status mass_cell_find(const mass_domain *d, uint32_t population, uint64_t cell, uint32_t *before, uint32_t *here,
                           mass_error *error);

#endif
