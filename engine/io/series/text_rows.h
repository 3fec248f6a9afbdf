/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the lines of a text series (text.h). */
#ifndef MASS_ENGINE_IO_SERIES_TEXT_ROWS_H
#define MASS_ENGINE_IO_SERIES_TEXT_ROWS_H

#include "io/series/series.h"

#include <stdio.h>

/* Prints a number with the fewest digits that give it again; `none` if it is not finite. */
void mass_series_text_put_number(FILE *to, double value, const char *none);

/* Prints the first line of a .csv. */
void mass_series_text_put_header(FILE *to, const mass_series_set *set);

/* Print the row of a step: a .csv has a line for each world, and a .jsonl has one line. values: as
 * mass_series_row_values describes. */
void mass_series_text_put_csv(FILE *to, const mass_series_set *set, uint64_t step, const double *values);
void mass_series_text_put_json(FILE *to, const mass_series_set *set, uint64_t step, const double *values);

#endif
