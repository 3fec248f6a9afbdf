/* SPDX-License-Identifier: Apache-2.0 */
/* --rebalance: slabs that follow the work of ranks. Every so many steps, ranks exchange how long they have worked: the
 * time of the steps less the time in which they waited for each other, which the communicator counts (comm.h). If one
 * took much longer than the mean, rank 0 alone decides new cuts (split/balance.h), so that arithmetic need not be the
 * same on all, and the slabs are cut again (snapshot/repartition.h). If devices exchange without the host, four steps
 * before each look are timed operation by operation, neither recorded nor overlapped. Main thread. */
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
