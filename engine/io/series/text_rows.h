/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a text series (text.h), as they stand in its file. */
#ifndef MASS_ENGINE_IO_SERIES_TEXT_ROWS_H
#define MASS_ENGINE_IO_SERIES_TEXT_ROWS_H

#include "io/series/series.h"

#include <stdio.h>

/* In as few digits as give the same number again; `none` for what is not finite. */
void mass_series_text_put_number(FILE *to, double value, const char *none);

/* The first line of a .csv. */
void mass_series_text_put_header(FILE *to, const mass_series_set *set);

/* The row of a step, with values as mass_series_row_values has them: in a .csv it has a line for each world, in a
 * .jsonl one. */
void mass_series_text_put_csv(FILE *to, const mass_series_set *set, uint64_t step, const double *values);
void mass_series_text_put_json(FILE *to, const mass_series_set *set, uint64_t step, const double *values);

#endif
