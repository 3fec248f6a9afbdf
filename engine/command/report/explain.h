/* SPDX-License-Identifier: Apache-2.0 */
/* --explain: the plan of a run, an operation a line. */
#ifndef MASS_ENGINE_EXPLAIN_H
#define MASS_ENGINE_EXPLAIN_H

#include "run/stepper.h"

typedef struct mass_explanation {
    const mass_stepper *run; /* that has not begun */
    const double *agents;    /* [populations] expected, in all worlds */
    bool json;
    double own[MASS_POPULATIONS_MAX]; /* of these, the ones that this rank has; set by mass_explain */
} mass_explanation;

/* On standard output: lines for people, or one JSON object. Of several ranks, what this one does. */
mass_status mass_explain(mass_explanation *e, mass_error *error);

#endif
