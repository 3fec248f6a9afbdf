/* SPDX-License-Identifier: Apache-2.0 */
/* The series that a run writes: those that its model declares and those of the command line. */
#ifndef MASS_ENGINE_RUN_SERIES_H
#define MASS_ENGINE_RUN_SERIES_H

#include "command/options/options.h"
#include "io/series/series.h"

typedef struct mass_run_series {
    mass_series_set set;        /* no columns: nothing is logged */
    mass_expression *programs;  /* [set.count] */
    mass_series_contents found; /* of the file that is continued */
    char source[PATH_MAX];      /* path of the file whose rows are continued; "": none */
} mass_run_series;

/* Decides what a run logs. It is started, or resumed from a checkpoint in the folder `from` (else NULL), and writes to
 * the folder `to` (NULL: none). step: the first of the run. A resumed run keeps the series that it finds. The caller
 * has set seed, worlds, run and owner in `set`, all else is zero, and frees *out, also on failure. */
mass_status mass_run_series_plan(const mass_options *o, const mass_model *m, const char *from, const char *to,
                              uint64_t step, mass_run_series *out, mass_error *error);
/* Takes the series that the model declares and those of --log, and compiles them, for rows that no file gets. The
 * caller has set worlds and first_world in `set`, and frees *out. */
mass_status mass_run_series_collect(const mass_options *o, const mass_model *m, mass_run_series *out,
                                    mass_error *error);
void mass_run_series_free(mass_run_series *);

#endif
