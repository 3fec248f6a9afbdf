/* SPDX-License-Identifier: Apache-2.0 */
/* Records steps on the device and replays them without the host (device/recordings.h). Main thread. */
#ifndef MASS_ENGINE_REPLAY_H
#define MASS_ENGINE_REPLAY_H

#include "run/stepper_state.h"

/* Returns the step after which recording may begin: two after `step`. There is none, UINT64_MAX, if a tally counts by
 * key: its tables grow, and the host waits for them. */
uint64_t mass_replay_possible_from(const mass_model *, uint64_t step);

/* Discards the recordings, if there are any, after waiting for their replays. */
void mass_replay_discard(mass_stepper *);

/* Discards a recording that is no longer valid: the domain has changed (mass_domain.changes), or tallies count, or are
 * handed over, in other steps. After a change of the domain, at least two steps run before the next recording. */
void mass_replay_handle_changes(mass_stepper *);

/* Returns the number of steps in a recording; a brief one has fewer. */
uint64_t mass_replay_steps(const mass_stepper *);
/* Returns true if the next steps, `to` at the most, can be a replay that ends before step `last`. If ranks exchange
 * agents, the result is the same on all, and they have yet to agree. Sets is_brief and ahead for mass_replay_run. */
bool mass_replay_is_next(mass_stepper *, uint64_t to, uint64_t last);
/* Queues a replay, and records first if needed. Advances `step`. mass_replay_is_next was true. *ran false: the ranks
 * did not agree, and no replay was queued; recordings may be gone. */
mass_status mass_replay_run(mass_stepper *, bool *ran, mass_error *error);
/* Handles a stop of replays (device/recordings.h): opens the gates, and resumes from there. A manage without enough
 * memory gets more, and the step is completed. If a guard stopped before a step, the caller runs that step, which
 * checks the memory. If the stop condition held, the run ends. Without a stop the run goes on where it is. wait: after
 * all replays; otherwise as far as the host already knows. */
mass_status mass_replay_handle_stop(mass_stepper *, bool wait, mass_error *error);

/* Starts the count of queued steps. All earlier steps are done. */
void mass_replay_mark_near(mass_stepper *);
/* Limits the queued work while a viewer waits: waits for the device if steps take long. */
mass_status mass_replay_stay_near(mass_stepper *, mass_error *error);

#endif
