/* SPDX-License-Identifier: Apache-2.0 */
/* Handles callbacks at the start that would overwrite values from files. Such a callback is left out if it does nothing
 * else; otherwise the run is refused. */
#ifndef MASS_ENGINE_GIVEN_H
#define MASS_ENGINE_GIVEN_H

#include "population/table.h"
#include "io/input/load.h"

/* Leaves out callbacks that would overwrite loaded attributes of places, but none over worlds. MASS_BAD_USAGE if one of
 * them does more. */
mass_status mass_given_by_loads(const mass_load *loads, uint32_t count, mass_model *model, mass_error *error);

/* Leaves out callbacks that would overwrite attributes of a population that have columns in its table, but none over
 * worlds. `path`: the table's file. MASS_BAD_USAGE if one of them does more. */
mass_status mass_given_by_table(const mass_table *table, const char *path, uint32_t population, mass_model *model,
                                mass_error *error);

#endif
