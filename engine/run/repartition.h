/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how fast ranks are, and divides worlds and rows between them by that: at the start, and during a run.
 *
 * At the start, shares are in proportion to how fast devices copy their memory. All ranks measure at the same time, as
 * they will work at the same time.
 *
 * During a run (--rebalance), ranks exchange every so many steps how long they have worked: the time of the steps less
 * the time in which they waited for each other, which the communicator counts (comm.h). If one took much longer than
 * the mean, rank 0 alone decides new slabs (split/repartition.h), so that arithmetic need not be the same on all, and
 * the state is moved (snapshot/repartition.h). If devices exchange without the host, four steps before each look are
 * timed operation by operation, neither recorded nor overlapped. Main thread. */
#ifndef MASS_ENGINE_RUN_REPARTITION_H
#define MASS_ENGINE_RUN_REPARTITION_H

#include "ranks/rpc.h"
#include "run/operation.h"
#include "run/stepper_state.h"

typedef enum mass_shares_wish {
    MASS_SHARES_GIVEN,   /* the user gave shares: nothing is measured */
    MASS_SHARES_BY_KIND, /* measure if devices are of different kinds (device.h) */
    MASS_SHARES_BY_RATE  /* measure in any case */
} mass_shares_wish;

/* All ranks call it. The wish of rank 0 counts, but all know if shares were given. *out: [ranks], which the caller
 * frees; NULL: all have the same share. Rank 0 decides, so that all have the same shares. */
mass_status mass_shares_measure(mass_comm *comm, mass_device *device, mass_shares_wish wish, int32_t **out,
                                mass_error *error);

/* On rank 0: has slabs be looked at every N steps of a run that begins now; 0: never. */
void mass_repartition_every(mass_stepper *r, uint64_t steps);

/* On rank 0, between two chunks of steps: whether it is time to look; and ends a chunk where it will be, or where steps
 * begin that are timed one by one. */
bool mass_repartition_is_due(const mass_stepper *r);
void mass_repartition_limit_chunk(const mass_stepper *r, mass_rpc_advance *c);

/* Looks, and repartitions if it is worth it. On all ranks; a rank that fails ends all. */
mass_status mass_repartition_slabs(mass_stepper *r, mass_error *error);

/* Around steps: what begin returns is for end. */
double mass_repartition_begin_timing(mass_stepper *r, bool timed);
void mass_repartition_end_timing(mass_stepper *r, bool timed, double began);

/* mass_plan_run, timed. */
mass_status mass_repartition_run_timed(mass_stepper *r, const mass_plan_operation *op, const mass_plan_step *step,
                                       mass_error *error);

#endif
