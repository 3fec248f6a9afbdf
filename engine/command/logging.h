/* SPDX-License-Identifier: Apache-2.0 */
/* What a run logs: what its model declares and what the command line adds. */
#ifndef MASS_ENGINE_LOGGING_H
#define MASS_ENGINE_LOGGING_H

#include "command/options.h"
#include "io/series/series.h"

typedef struct mass_logging {
    mass_series_set set;        /* without series: nothing is logged */
    mass_expression *programs;  /* [set.count] */
    mass_series_contents found; /* of the file that goes on */
    char source[PATH_MAX];      /* whose rows go on; "": none */
} mass_logging;

/* What is logged by a run that is started, or resumed from a checkpoint in the folder `from` (else NULL), into the
 * folder `to` (NULL: none). A resumed run goes on with the series that it finds. seed and worlds are in set. */
mass_status mass_logging_plan(const mass_options *o, const mass_model *m, const char *from, const char *to,
                              uint64_t step, mass_logging *logging, mass_error *error);
void mass_logging_free(mass_logging *);

#endif
