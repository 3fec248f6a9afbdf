/* SPDX-License-Identifier: Apache-2.0 */
/* --explain: the plan of a run, an operation a line. */
#ifndef MASS_ENGINE_EXPLAIN_H
#define MASS_ENGINE_EXPLAIN_H

#include "run/stepper.h"

typedef struct mass_explanation {
    const mass_stepper *run; /* that has not begun */
    const double *agents;    /* [populations] expected, in all worlds */
    bool json;
} mass_explanation;

/* On standard output: lines for people, or one JSON object. */
mass_status mass_explain(const mass_explanation *e, mass_error *error);

#endif
