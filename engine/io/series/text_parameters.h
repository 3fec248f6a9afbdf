/* SPDX-License-Identifier: Apache-2.0 */
/* What the worlds of a sweep have of its parameters, as it stands in the rows of a text series. */
#ifndef MASS_ENGINE_IO_SERIES_TEXT_PARAMETERS_H
#define MASS_ENGINE_IO_SERIES_TEXT_PARAMETERS_H

#include "io/series/series.h"

#include <stdio.h>

/* ",growback,vision": their names in the header of a .csv. */
void mass_series_text_put_names(FILE *to, const mass_series_set *set);

/* ",2,3": their values in the line of a world, counted from 0. */
void mass_series_text_put_values(FILE *to, const mass_series_set *set, int32_t world);

/* What every row of a .jsonl has of them: , "growback": [1, 2, 4] */
void mass_series_text_put_lists(FILE *to, const mass_series_set *set);

#endif
