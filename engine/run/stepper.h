/* SPDX-License-Identifier: Apache-2.0 */
/* Steps a model: runs its schedules over a domain. Main thread. */
#ifndef MASS_ENGINE_STEPPER_H
#define MASS_ENGINE_STEPPER_H

#include "ranks/rpc.h"
#include "run/stepper_state.h"

/* With several ranks, all create a stepper. Rank 0 calls the other functions that concern steps. The other ranks
 * call them from mass_serve (ranks/rpc.h). */

/* Creates a stepper, and prepares the callbacks for the domain's device. device_code: of the plugin, or NULL. step: the
 * step of the state. On failure *out is unchanged. */
mass_status mass_stepper_create(mass_domain *domain, const void *device_code, uint64_t step, mass_stepper **out,
                            mass_error *error);
void mass_stepper_free(mass_stepper *); /* before the domain is freed; accepts NULL */

/* Derives rules for callbacks over bits, so that launches compute whole words, from the next step on. Results do not
 * change. Every rank calls it once, before the first step. */
mass_status mass_stepper_follow_rules(mass_stepper *r, mass_error *error);
/* Sets the steps in one launch, from 1 to MASS_FUSE_MOST, if no output is due in between. Ghosts must be thick
 * enough (mass_fuse_thicken). All ranks call it. MASS_BAD_USAGE: the model or the device does not allow so many. */
mass_status mass_stepper_fuse(mass_stepper *r, int32_t steps, mass_error *error);

/* Starts the tuner in place of mass_stepper_fuse. In the first steps it finds the number of steps, `most` at the most.
 * It also finds if ranks should overlap exchanges with launches, if r->overlap allows it. most 0: no trial. All ranks
 * call it with the same number, once they are linked. */
mass_status mass_stepper_try_fuse(mass_stepper *r, int32_t most, mass_error *error);

/* Returns true if steps can give their tallies to mass_step_watch.row. *several: fused steps can too; call
 * it after mass_stepper_fuse or mass_stepper_try_fuse. */
bool mass_stepper_has_rows(const mass_stepper *, bool *several);

/* Runs the schedule `start`: resets all tallies, then runs its phases. Waits for the device. */
mass_status mass_stepper_start(mass_stepper *r, mass_error *error);

/* Computes what checkpoints do not contain, and whether the stop condition held. Waits for the device. Call it in place
 * of mass_stepper_start, after a restored state. */
mass_status mass_stepper_resume(mass_stepper *r, mass_error *error);

/* Times steps operation by operation from now on. Such steps are neither recorded nor block-resident. */
mass_status mass_stepper_profile(mass_stepper *r, mass_error *error);

/* Runs steps up to `last`, and waits for the device. Tallies count in the last step, cumulative ones in all. watch
 * may be NULL. If it stops the run, the step that it reaches is complete, with its tallies. A stop condition ends
 * the run at the first step in which it holds. Tallies count in that step too.
 *
 * With several ranks, rank 0 asks watch->stop about every 100 ms, and all ranks end after the same step. In between,
 * slabs may be divided again. A rank whose step fails reports it and ends the processes of all (mass_rpc_abandon). */
mass_status mass_stepper_advance(mass_stepper *r, uint64_t last, const mass_step_watch *watch, mass_error *error);

/* Runs one chunk of these steps, with several ranks: those between two questions to watch->stop. */
mass_status mass_stepper_advance_chunk(mass_stepper *r, const mass_rpc_advance *c, mass_error *error);

#endif
