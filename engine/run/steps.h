/* SPDX-License-Identifier: Apache-2.0 */
/* Functions for all ways to take steps: single, fused, recorded (replay.h) and block-resident. Main thread. */
#ifndef MASS_ENGINE_STEPS_H
#define MASS_ENGINE_STEPS_H

#include "run/operation.h"
#include "run/stepper_state.h"

/* Runs the operations of a list from `first` on, those that are due in the step. Does not advance mass_stepper.step. */
mass_status mass_steps_run(mass_stepper *, const mass_plan_list *, uint32_t first, const mass_plan_step *step,
                           mass_error *error);
/* Sets `held` after a step: whether the stop condition held, so that this step is the last one. Waits for the device.
 * Without a condition, does nothing. */
mass_status mass_steps_find_held(mass_stepper *, mass_error *error);
/* Repeats the steps of a fused launch that was set back, up to step `to`, in which the stop condition held, and
 * advances mass_stepper.step. Tallies count in step `to` alone. Makes all ghosts stale first. */
mass_status mass_steps_take_again(mass_stepper *, uint64_t to, mass_error *error);

/* Returns true if mass_step_watch.row can receive tallies. */
bool mass_steps_can_hand_over(const mass_stepper *);
/* Gives mass_step_watch.row the tallies of steps `first` to `last`, which are the last rows of the history. Leaves out
 * steps after the stop condition held. Does nothing if the watch wants no tallies. */
mass_status mass_steps_hand_over(mass_stepper *, uint64_t first, uint64_t last, mass_error *error);

/* Copy which buffers are present, [array_count + population_count]; and compare them with a copy. */
void mass_steps_copy_current(const mass_domain *, uint8_t *out);
bool mass_steps_are_current(const mass_domain *, const uint8_t *copied);
/* Marks all ghosts as stale, so that they are refreshed before they are read. */
void mass_steps_forget_ghosts(mass_domain *);

/* Returns true if tallies count in every step, as with a stop condition. */
bool mass_steps_are_observed(const mass_stepper *);
/* Returns true if operations are timed one by one. */
bool mass_steps_are_timed(const mass_stepper *);
/* Returns true if exchanges between ranks overlap with launches. */
bool mass_steps_overlap(const mass_stepper *);
/* Returns the steps in one launch. If tallies count in every step, the device limits it; 1 with a stop condition of
 * several ranks. */
int32_t mass_steps_at_once(const mass_stepper *);
/* Returns true while the tuner looks for the fastest number of steps. If tallies count in every step, only if so many
 * fused steps can have tallies. */
bool mass_steps_are_tried(const mass_stepper *);

/* Returns the steps left up to `to`, without step `last`, in which tallies count. */
uint64_t mass_steps_left(const mass_stepper *, uint64_t to, uint64_t last);

#endif
