/* SPDX-License-Identifier: Apache-2.0 */
/* The values of a row of series, from the tallies of its step. Pure. */
#ifndef MASS_ENGINE_IO_SERIES_ROW_H
#define MASS_ENGINE_IO_SERIES_ROW_H

#include "io/series/series.h"

/* Computes all columns of all worlds into `row`, which has room for mass_series_row_values. programs: [set->count].
 * tallies: [tallies][worlds][words] of the model. */
void mass_series_fill_row(const mass_series_set *set, const mass_expression *programs, const mass_model *m,
                          const int64_t *tallies, uint64_t step, double *row);

#endif
