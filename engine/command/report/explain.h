/* SPDX-License-Identifier: Apache-2.0 */
/* --explain: the plan of a run, one line for each operation. */
#ifndef MASS_ENGINE_EXPLAIN_H
#define MASS_ENGINE_EXPLAIN_H

#include "run/stepper.h"

typedef struct mass_explanation {
    const mass_stepper *run; /* not yet started */
    const double *agents;    /* [populations] expected agents, over all worlds */
    bool json;
    double own[MASS_POPULATIONS_MAX]; /* those of them that this rank has; mass_explain sets it */
} mass_explanation;

/* Prints the plan on standard output: lines for people, or one JSON object. With several ranks, prints this rank's
 * part. */
mass_status mass_explain(mass_explanation *e, mass_error *error);

#endif
