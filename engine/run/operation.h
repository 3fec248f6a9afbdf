/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one operation of the plan on the device. Main thread. */
#ifndef MASS_ENGINE_OPERATION_H
#define MASS_ENGINE_OPERATION_H

#include "plan/plan.h"

/* The step of an operation. */
typedef struct mass_plan_step {
    uint64_t number;
    bool relative; /* recorded: its number counts from the device's clock, and it may stop (recordings.h) */
    bool observed; /* tallies count */
    bool overlap;  /* exchanges may overlap with the launches that need them */
    int32_t steps; /* steps in one launch (plan/fuse.h), of which this is the first; 0: one */
    int32_t later; /* if tallies count: rows of the history (domain.h) after those of these steps, for later steps */
    bool again;    /* repeated: the stop condition has tested it already */
} mass_plan_step;

/* Returns true if an operation with that `when` runs in this step. MASS_UNTIL: if there is a stop condition, and the
 * step is not repeated. */
bool mass_plan_is_due(const mass_domain *d, mass_when when, const mass_plan_step *step);

/* Runs any operation but READ, CONSUMED and COUNT, which the stepper runs. prepared: [phases] of the domain's
 * device. The caller has asked mass_plan_is_due. Queued, unless it has to wait for more memory. On failure the
 * state is undefined. */
mass_status mass_plan_run(mass_domain *d, mass_prepared *const *prepared, const mass_plan_operation *op,
                          const mass_plan_step *step, mass_error *error);

/* Return the layers of ghosts that an EXCHANGE sends in a step after other steps, and those that it would send now.
 * The second number is 0 if no ghosts are stale. Other operations send none. *every is the number of passes that one
 * exchange serves. */
int32_t mass_plan_layers(mass_domain *d, mass_prepared *const *prepared, const mass_plan_operation *op,
                         const mass_plan_step *step, int32_t *every);
int32_t mass_plan_layers_now(mass_domain *d, mass_prepared *const *prepared, const mass_plan_operation *op,
                             const mass_plan_step *step);

#endif
