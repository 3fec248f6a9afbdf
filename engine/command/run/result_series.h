/* SPDX-License-Identifier: Apache-2.0 */
/* The series of --results, from the .jsonl that a run has written. Main thread. */
#ifndef MASS_ENGINE_RESULT_SERIES_H
#define MASS_ENGINE_RESULT_SERIES_H

#include "command/run/result_columns.h"

#include <stdio.h>

typedef struct mass_result_series {
    mass_results_source source; /* refers to the other members */
    mass_results_series *list;  /* owned, with their names */
    char **keys;                /* [source.count] their names in the lines; owned */
    FILE *file;
    const char *path;           /* borrowed */
    char *line;                 /* that was read last; owned */
    size_t room;                /* of the line */
    double **values;            /* [source.count] of a block; owned */
    uint64_t worlds, steps;     /* steps: the most of a block */
} mass_result_series;

/* Opens the file of a run that had the columns, and finds its series. `every`: steps from line to line. A series with
 * the name of a coordinate becomes NAME-result. MASS_FAILED if the file is empty or not whole. *out stays where it is
 * until the caller frees it by mass_result_series_free, also on failure. */
mass_status mass_result_series_open(const char *path, uint64_t every, const mass_result_columns *columns,
                                    mass_result_series *out, mass_error *error);
void mass_result_series_free(mass_result_series *s);

#endif
