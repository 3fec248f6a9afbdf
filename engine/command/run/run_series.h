/* SPDX-License-Identifier: Apache-2.0 */
/* The series that a run writes: those that its model declares and those that the command line adds. */
#ifndef MASS_ENGINE_RUN_SERIES_H
#define MASS_ENGINE_RUN_SERIES_H

#include "command/options/options.h"
#include "io/series/series.h"

typedef struct mass_run_series {
    mass_series_set set;        /* without series: nothing is logged */
    mass_expression *programs;  /* [set.count] */
    mass_series_contents found; /* of the file that goes on */
    char source[PATH_MAX];      /* whose rows go on; "": none */
} mass_run_series;

/* What is logged by a run that is started, or resumed from a checkpoint in the folder `from` (else NULL), into the
 * folder `to` (NULL: none). A resumed run goes on with the series that it finds. seed and worlds are in set. */
mass_status mass_run_series_plan(const mass_options *o, const mass_model *m, const char *from, const char *to,
                              uint64_t step, mass_run_series *out, mass_error *error);
void mass_run_series_free(mass_run_series *);

#endif
