/* SPDX-License-Identifier: Apache-2.0 */
/* Time stepping: the schedules of a model over a domain. Main thread. */
#ifndef MASS_ENGINE_STEPPER_H
#define MASS_ENGINE_STEPPER_H

#include "ranks/rpc.h"
#include "run/stepper_state.h"

/* With several ranks, all create theirs. Whatever else concerns the steps of the run is called on rank 0, and by others
 * out of mass_serve (ranks/rpc.h). */

/* Makes the callbacks ready for the domain's device. `step` is where the state stands. */
mass_status mass_stepper_create(mass_domain *domain, const void *device_code, uint64_t step, mass_stepper **out,
                            mass_error *error);
void mass_stepper_free(mass_stepper *); /* NULL is fine */

/* Has callbacks over bits go by words, where they can, from the next step on; it changes no result. Every rank's own,
 * once, before the first step. */
mass_status mass_stepper_follow_rules(mass_stepper *r, mass_error *error);
/* From now on `steps`, from 1 to MASS_FUSE_MOST, are done at once where nobody looks at them in between; ghosts are so
 * thick (mass_fuse_thicken). All ranks call it. MASS_BAD_USAGE: the model or the device doesn't take so many. */
mass_status mass_stepper_fuse(mass_stepper *r, int32_t steps, mass_error *error);

/* Instead of it: the number, of `most` at most, and whether ranks exchange ghosts beside launches, where r->overlap
 * lets them, are found by measuring in the first steps; 0: nothing is. All ranks call it, with the same number, when
 * they are linked. */
mass_status mass_stepper_try_fuse(mass_stepper *r, int32_t most, mass_error *error);

/* Whether steps can hand their tallies to mass_step_watch.row; and whether several at once can. */
bool mass_stepper_has_rows(const mass_stepper *, bool *several);

/* The schedule `start`: resets all tallies, then its phases. */
mass_status mass_stepper_start(mass_stepper *r, mass_error *error);

/* Instead of it, after a restored state: what is no part of checkpoints. */
mass_status mass_stepper_resume(mass_stepper *r, mass_error *error);

/* From now on steps are timed operation by operation, and so neither recorded nor run as those of small worlds. */
mass_status mass_stepper_profile(mass_stepper *r, mass_error *error);

/* Steps up to `last`. Tallies count in the last of them, cumulative ones in all. watch may be NULL; when it
 * stops the run, the step it reaches is complete, with its tallies. A stop condition that holds ends it with the
 * step at which it first does, in which tallies count too. Waits for the device at the end.
 *
 * With several ranks, watch->stop is asked about every 100 ms, and the steps up to then are the same on all ranks; in
 * between, slabs may be cut anew. A rank on which a step fails says so and ends the processes of all
 * (mass_rpc_abandon). */
mass_status mass_stepper_advance(mass_stepper *r, uint64_t last, const mass_step_watch *watch, mass_error *error);

/* Part of it, with several ranks: the steps between two questions. */
mass_status mass_stepper_advance_chunk(mass_stepper *r, const mass_rpc_advance *c, mass_error *error);

#endif
