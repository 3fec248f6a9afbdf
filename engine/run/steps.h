/* SPDX-License-Identifier: Apache-2.0 */
/* What all ways to take steps have in common: one by one, several at once, recorded (replay.h), small worlds. Main
 * thread. */
#ifndef MASS_ENGINE_STEPS_H
#define MASS_ENGINE_STEPS_H

#include "run/operation.h"
#include "run/stepper_state.h"

/* The operations of a list from `first` on. */
mass_status mass_steps_run(mass_stepper *, const mass_plan_list *, uint32_t first, const mass_plan_step *step,
                           mass_error *error);
/* After a step, which has looked at the stop condition: sets `held`, whether that was the last one. */
mass_status mass_steps_find_held(mass_stepper *, mass_error *error);
/* After a launch of several was taken back, in one of which it held: goes up to that one, in which tallies count. */
mass_status mass_steps_take_again(mass_stepper *, uint64_t to, mass_error *error);

/* Whether mass_step_watch.row can be given; and steps that were done last, whose rows are the last of the history, to
 * it, as far as the stop condition lets the run go. */
bool mass_steps_can_hand_over(const mass_stepper *);
mass_status mass_steps_hand_over(mass_stepper *, uint64_t first, uint64_t last, mass_error *error);

/* Which buffers hold the present values: [array_count + population_count]. */
void mass_steps_copy_current(const mass_domain *, uint8_t *out);
bool mass_steps_are_current(const mass_domain *, const uint8_t *copied);
/* Has all ghosts refreshed before they are read. */
void mass_steps_forget_ghosts(mass_domain *);

/* Tallies count in every step, as with a stop condition. */
bool mass_steps_are_observed(const mass_stepper *);
/* Operations are timed one by one. */
bool mass_steps_are_timed(const mass_stepper *);
/* Exchanges between ranks go on beside launches. */
bool mass_steps_overlap(const mass_stepper *);
/* How many go at once: where tallies count in every step, as many as the device counts in so. */
int32_t mass_steps_at_once(const mass_stepper *);
/* Whether how many are fastest is being found out. */
bool mass_steps_are_tried(const mass_stepper *);

/* Up to `to`, on the way to `last`; before that one, in which tallies count. */
uint64_t mass_steps_left(const mass_stepper *, uint64_t to, uint64_t last);

#endif
