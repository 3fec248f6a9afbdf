/* SPDX-License-Identifier: Apache-2.0 */
/* One operation of the plan, given to the device. Main thread. */
#ifndef MASS_ENGINE_OPERATION_H
#define MASS_ENGINE_OPERATION_H

#include "plan/plan.h"

/* The step in which it is done. */
typedef struct mass_plan_step {
    uint64_t number;
    bool relative; /* it is recorded: its number counts from the device's clock, and it may stop (recordings.h) */
    bool observed; /* tallies count */
    bool overlap;  /* exchanges may go on beside the launches that need them */
    int32_t steps; /* so many are done at once (plan/fuse.h), of which this is the first; 0: one */
    int32_t later; /* where tallies count: so many rows of the history (domain.h) are left behind those of these steps,
                      for steps that follow */
    bool again;    /* the stop condition has seen it already */
} mass_plan_step;

/* Whether an operation that is done in the steps that `when` names is done in this one. */
bool mass_plan_is_due(const mass_domain *d, mass_when when, const mass_plan_step *step);

/* Any but READ, CONSUMED and COUNT, which are the stepper's. prepared: [phases] of the domain's device. Queued, unless
 * it has to wait for more room. On failure the state is that of no step. */
mass_status mass_plan_run(mass_domain *d, mass_prepared *const *prepared, const mass_plan_operation *op,
                          const mass_plan_step *step, mass_error *error);

/* Layers of ghosts that an EXCHANGE sends in steps like this one that follow others, and in one of how many passes, of
 * step->steps, it does; 0 of other operations. And those that it sends now, before it is run; 0: none are stale. */
int32_t mass_plan_layers(mass_domain *d, mass_prepared *const *prepared, const mass_plan_operation *op,
                         const mass_plan_step *step, int32_t *every);
int32_t mass_plan_layers_now(mass_domain *d, mass_prepared *const *prepared, const mass_plan_operation *op,
                             const mass_plan_step *step);

#endif
