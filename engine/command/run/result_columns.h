/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of --results, from the --json object of a run. */
#ifndef MASS_ENGINE_RESULT_COLUMNS_H
#define MASS_ENGINE_RESULT_COLUMNS_H

#include "io/results/results.h"

#include <jansson.h>

typedef struct mass_result_columns {
    mass_results_column *list;
    uint32_t count;
    uint64_t rows; /* worlds of the run */
} mass_result_columns;

/* Makes the columns of a run, whose first world is number `first` of the table: number, row, world, seed and step, the
 * parameters, and the tallies and numbers of agents that are numbers or bins. A parameter that has the name of another
 * column is NAME-parameter, and a tally that has the name of a column before it NAME-result. Texts stay the object's.
 * The caller frees *out, also on failure. */
mass_status mass_result_columns_make(json_t *run, int64_t first, mass_result_columns *out, mass_error *error);
void mass_result_columns_free(mass_result_columns *c);

#endif
