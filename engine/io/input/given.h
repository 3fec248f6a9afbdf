/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks of the start that would overwrite what files give: they are left out where that is all that they do, and
 * else the run is refused. */
#ifndef MASS_ENGINE_GIVEN_H
#define MASS_ENGINE_GIVEN_H

#include "population/table.h"
#include "io/input/load.h"

/* Of attributes of places. MASS_BAD_USAGE if a callback would overwrite them and does more. */
mass_status mass_given_by_loads(const mass_load *loads, uint32_t count, mass_model *model, mass_error *error);

/* Of a population's attributes that have columns in its table, which was read from the file `path`. MASS_BAD_USAGE as
 * above. */
mass_status mass_given_by_table(const mass_table *table, const char *path, uint32_t population, mass_model *model,
                                mass_error *error);

#endif
