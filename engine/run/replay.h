/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that the device has recorded and replays without the host (device/recordings.h). Main thread. */
#ifndef MASS_ENGINE_REPLAY_H
#define MASS_ENGINE_REPLAY_H

#include "run/stepper_state.h"

/* The first step that may be recorded, from `step` on: none where keys are counted, whose tables grow and are waited
 * for. */
uint64_t mass_replay_possible_from(const mass_model *, uint64_t step);
void mass_replay_discard(mass_stepper *);
/* Discards a recording that cannot be replayed any more, as populations went to other arrays (mass_domain.changes). */
void mass_replay_handle_changes(mass_stepper *);

/* How many steps a recording has. */
uint64_t mass_replay_steps(const mass_stepper *);
/* Whether the next steps, up to `to` at most, can be a replay; they leave at least the last one, `last`. Where ranks
 * meet in manages, it is the same on all, and they have yet to agree. */
bool mass_replay_is_next(mass_stepper *, uint64_t to, uint64_t last);
/* Replays, and records before where that has to be. *ran: false where ranks did not agree, and nothing was done. */
mass_status mass_replay_run(mass_stepper *, bool *ran, mass_error *error);
/* Where replays have stopped (device/recordings.h), opens the gates again and goes on from there. If it was in a
 * manage, for lack of room, that step is completed, with more room. If it was a guard before a step, the caller runs
 * that, which checks the memory; if it was the stop condition, the run ends. wait: after all replays; else as far as
 * the host knows already. */
mass_status mass_replay_handle_stop(mass_stepper *, bool wait, mass_error *error);

/* Begins to count steps that are queued, all before them being done. */
void mass_replay_mark_near(mass_stepper *);
/* Where somebody waits for a look, steps that take long are queued pass by pass, and not too many of them. */
mass_status mass_replay_stay_near(mass_stepper *, mass_error *error);

#endif
