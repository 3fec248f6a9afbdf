/* SPDX-License-Identifier: Apache-2.0 */
/* --rebalance: slabs that follow what ranks take for them. Every so many steps ranks tell each other how long they have
 * worked, not how long they have waited for each other; if one took much longer than they took in the mean, slabs are
 * cut anew (snapshot/repartition.h). What a rank waits for in host memory its communicator counts (comm.h). Where
 * devices meet without the host, some steps before the look are timed operation by operation. Main thread. */
#ifndef MASS_ENGINE_RUN_BALANCING_H
#define MASS_ENGINE_RUN_BALANCING_H

#include "ranks/call.h"
#include "run/operation.h"
#include "run/stepper_state.h"

/* On rank 0: has slabs be looked at every N steps of a run that begins now; 0: never. */
void mass_balance_every(mass_stepper *r, uint64_t steps);

/* On rank 0, between two chunks of steps: whether it is time to look; and ends a chunk where it will be, or where steps
 * begin that are timed one by one. */
bool mass_balance_is_due(const mass_stepper *r);
void mass_balance_bound_chunk(const mass_stepper *r, mass_call_advance *c);

/* Looks, and cuts anew. On all ranks; a rank that fails ends all. */
mass_status mass_balance_slabs(mass_stepper *r, mass_error *error);

/* Around steps: what begin returns is for end. */
double mass_balance_begin(mass_stepper *r, bool timed);
void mass_balance_end(mass_stepper *r, bool timed, double began);

/* mass_plan_run, timed. */
mass_status mass_balance_run(mass_stepper *r, const mass_plan_operation *op, const mass_plan_step *step,
                             mass_error *error);

#endif
