/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the ranks' speed, and divides worlds and rows between them in proportion: at the start, and during a run.
 *
 * At the start, shares are in proportion to the rate at which devices copy their memory. All ranks measure at the
 * same time, because they will work at the same time.
 *
 * During a run (--rebalance), ranks exchange their working time at regular steps. It is the time of the steps
 * without the time in which they waited for each other, which the communicator counts (comm.h). If one rank took
 * much longer than the mean, rank 0 decides new slabs (split/repartition.h), and the ranks move the state
 * (snapshot/repartition.h). Only rank 0 computes, so arithmetic may differ between ranks. If devices exchange
 * without the host, the ranks time four steps before each check, operation by operation. These steps are neither
 * recorded nor overlapped. Main thread. */
#ifndef MASS_ENGINE_RUN_REPARTITION_H
#define MASS_ENGINE_RUN_REPARTITION_H

#include "ranks/rpc.h"
#include "run/operation.h"
#include "run/stepper_state.h"

typedef enum mass_shares_wish {
    MASS_SHARES_GIVEN,   /* the user gave shares: do not measure */
    MASS_SHARES_BY_KIND, /* measure if devices are of different kinds (device.h) */
    MASS_SHARES_BY_RATE  /* always measure */
} mass_shares_wish;

/* Measures shares. All ranks call it. Rank 0's wish counts, but all ranks must know if the user gave shares. *out:
 * [ranks], which the caller frees; NULL: equal shares. Rank 0 decides, so all ranks have the same shares. */
mass_status mass_shares_measure(mass_comm *comm, mass_device *device, mass_shares_wish wish, int32_t **out,
                                mass_error *error);

/* Checks slabs every `steps` steps of a run that begins now; 0: never. The first check comes after 8 steps at the most.
 * Rank 0 calls it. */
void mass_repartition_every(mass_stepper *r, uint64_t steps);

/* Returns true if a check is due. False without checks, or if ranks do not split the space. Rank 0 calls it between two
 * chunks. */
bool mass_repartition_is_due(const mass_stepper *r);
/* Shortens a chunk of steps to end at the next check, or before the first timed step, and sets c->timed. Does nothing
 * without checks, or if ranks do not split the space. Rank 0 calls it before a chunk. */
void mass_repartition_limit_chunk(const mass_stepper *r, mass_rpc_advance *c);

/* Checks the slabs, and divides them again if it is worth it. Sets the step of the next check. All ranks call it. A
 * rank that fails ends all ranks. */
mass_status mass_repartition_slabs(mass_stepper *r, mass_error *error);

/* Begin and end the timing of steps. begin_timing sets repartition.met to 0, and .timed if `timed` and ranks are
 * linked. `began` is the result of begin_timing. If `timed`, end_timing adds this rank's own working time to
 * repartition.worked. */
double mass_repartition_begin_timing(mass_stepper *r, bool timed);
void mass_repartition_end_timing(mass_stepper *r, bool timed, double began);

/* Runs mass_plan_run. Waits for the device before and after an exchange between ranks, and adds its time to
 * repartition.met, without the time that it waited for other ranks. */
mass_status mass_repartition_run_timed(mass_stepper *r, const mass_plan_operation *op, const mass_plan_step *step,
                                       mass_error *error);

#endif
