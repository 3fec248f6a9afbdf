/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the values of swept parameters in the rows of a text series. */
#ifndef MASS_ENGINE_IO_SERIES_TEXT_PARAMETERS_H
#define MASS_ENGINE_IO_SERIES_TEXT_PARAMETERS_H

#include "io/series/series.h"

#include <stdio.h>

/* Prints the names in a .csv header: ",growback,vision". */
void mass_series_text_put_names(FILE *to, const mass_series_set *set);

/* Prints the values of a world, an index from 0, in its line of a .csv: ",2,3". */
void mass_series_text_put_values(FILE *to, const mass_series_set *set, int32_t world);

/* Prints the values of all worlds in a row of a .jsonl: , "growback": [1, 2, 4], or without a list for one world. */
void mass_series_text_put_lists(FILE *to, const mass_series_set *set);

#endif
