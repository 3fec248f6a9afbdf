/* SPDX-License-Identifier: Apache-2.0 */
/* A recording is a list of launches that the device replays, mostly 32 steps. The number of launches is even, so
 * that double buffers are at its end where they were at its start. The host keeps two replays queued.
 *
 * A stop (device/recordings.h) makes all queued work after it do nothing. The host then waits, sets the buffers and
 * the step back to the stop, and opens the gates. It completes that step from the operation that stopped.
 *
 * Over ranks, replays contain exchanges, so all ranks must queue the same number of them. No rank acts on a stop
 * that it sees early. Either it waits for each replay. Or it queues the next one, waits for the one before, and acts
 * only on stops in steps of that one.
 *
 * If ranks exchange agents in recorded steps (meets), three rules apply.
 *
 * Before each replay, all ranks agree that each has a recording and memory for it. If one has not, all record again.
 *
 * A second recording of 4 steps serves the ends of chunks, because steps by the hosts take several times as long.
 *
 * A manage that needs the hosts stops on all ranks, and the hosts repeat it from its beginning. If they learned what
 * the next recording needs, recording starts again at once. Otherwise each stop doubles the number of steps before
 * the next recording. */
#include "run/replay.h"
#include "model/turns.h"
#include "plan/fuse.h"
#include "population/requests.h"
#include "process/progress.h"
#include "run/operation.h"
#include "run/steps.h"

enum {
    RECORDED_STEPS = 32, /* even, so that buffers are at its end where they were at its start */
    BRIEF_STEPS = 4,     /* even too; hosts run shorter ends of chunks if ranks exchange agents */
    REPLAYS_AHEAD = 2
};

static const double LOOK_SECONDS = 0.004; /* a longer recording delays a viewer too much */
static const double NEAR_SECONDS = 0.008; /* most queued work while a viewer waits */

uint64_t mass_replay_possible_from(const mass_model *m, uint64_t step)
{
    return mass_model_counts_keys(m) ? UINT64_MAX : step + 2;
}

void mass_replay_discard(mass_stepper *r)
{
    const mass_record_operations *const record = r->domain->device->table->record;
    if (r->recording) record->discard(r->domain->device, r->recording);
    if (r->brief) record->discard(r->domain->device, r->brief);
    r->recording = r->brief = NULL;
}

/* Returns true if there is a recording, brief or not. */
static bool is_recorded(const mass_stepper *r) { return r->recording || r->brief; }
/* Returns where the recording is kept that is replayed next. */
static mass_recording **next_recording(mass_stepper *r) { return r->is_brief ? &r->brief : &r->recording; }

/* Returns true if ranks exchange agents in recorded steps. Their manages stop if they need the hosts. */
static bool meets(const mass_stepper *r)
{
    const mass_model *m = r->domain->model;
    return mass_population_meets(r->domain) && !mass_model_counts_keys(m) && !m->nearby;
}

/* Returns true if replays can stop. */
static bool may_stop(const mass_stepper *r) { return r->grows || r->domain->until || meets(r); }

/* Returns true if the watch wants the tallies of each step. */
static bool hands_over(const mass_stepper *r) { return r->watch && r->watch->row; }

void mass_replay_handle_changes(mass_stepper *r)
{
    if (is_recorded(r) &&
        (r->recorded_observed != mass_steps_are_observed(r) || r->recorded_rows != hands_over(r)))
        mass_replay_discard(r);
    if (r->changes == r->domain->changes) return;
    mass_replay_discard(r);
    r->changes = r->domain->changes;
    r->recordable_after = mass_replay_possible_from(r->domain->model, r->step);
}

/* Returns about RECORDED_STEPS: an even number of launches, at least as many as one exchange between ranks serves. */
uint64_t mass_replay_steps(const mass_stepper *r)
{
    const uint64_t fuse = (uint64_t)mass_steps_at_once(r);
    const uint64_t valid_depth = fuse > 1 ? (uint64_t)mass_fuse_passes(r->domain, r->fuse) : 1;
    const uint64_t launches = RECORDED_STEPS / fuse > valid_depth ? RECORDED_STEPS / fuse : valid_depth;
    return fuse * (launches + launches % 2);
}

/* Returns the steps of the next recording. */
static uint64_t steps_of_next(const mass_stepper *r) { return r->is_brief ? BRIEF_STEPS : mass_replay_steps(r); }

/* Returns the rows of tallies after those of a launch whose last step is `steps` before the recording's end. 0 if the
 * watch wants no tallies. */
static int32_t rows_behind(const mass_stepper *r, uint64_t steps) { return hands_over(r) ? (int32_t)steps : 0; }

/* Records the next steps, which run when they are replayed, into next_recording. Notes in recorded_current,
 * recorded_observed and recorded_rows what it needs. Launches of several steps leave no valid ghosts, but the step
 * before the recording may have, so it marks all ghosts as stale. */
static mass_status record(mass_stepper *r, mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_device_table *t = d->device->table;
    mass_steps_copy_current(d, r->recorded_current);
    r->recorded_observed = mass_steps_are_observed(r);
    r->recorded_rows = hands_over(r);
    if (mass_steps_at_once(r) > 1) mass_steps_forget_ghosts(d);
    mass_status status = t->record->begin(d->device, error);
    const uint64_t all = steps_of_next(r), fuse = (uint64_t)mass_steps_at_once(r);
    for (uint64_t i = 1; status == MASS_OK && i <= all; i += fuse) {
        const mass_plan_step step = {.number = i, .relative = true, .observed = mass_steps_are_observed(r),
                                     .overlap = mass_steps_overlap(r), .steps = (int32_t)fuse,
                                     .later = rows_behind(r, all + 1 - i - fuse)};
        status = mass_steps_run(r, &r->plan->step, 0, &step, error);
    }
    if (status != MASS_OK) return status;
    return t->record->end(d->device, d->clock.address, all, next_recording(r), error);
}

/* Returns true if steps need the hosts to exchange with other ranks, which cannot be recorded. Most exchanges of
 * agents do, and all of linked nodes. So does a stop condition over ranks with whole worlds, because its gates are
 * those of one rank. */
static bool waits_for_ranks(const mass_stepper *r)
{
    const mass_share *s = &r->domain->share;
    if (s->comm->size == 1) return false;
    if (s->by_world) return r->domain->until != NULL;
    return !s->link || r->domain->model->networks || (r->domain->model->population_count > 0 && !meets(r));
}

/* Returns true if a viewer waits for a step; never with several ranks. */
static bool is_looked_at(const mass_stepper *r)
{
    return r->watch && r->watch->looks && r->domain->share.comm->size == 1 && r->watch->looks(r->watch->context);
}

/* Returns true if this rank can record now. Ranks may differ. */
static bool is_recordable(const mass_stepper *r) { return !r->scarce && r->step >= r->recordable_after; }

bool mass_replay_is_next(mass_stepper *r, uint64_t to, uint64_t last)
{
    const mass_device_table *t = r->domain->device->table;
    const uint64_t left = mass_steps_left(r, to, last);
    r->is_brief = left < mass_replay_steps(r) && meets(r) && mass_steps_at_once(r) == 1;
    r->ahead = meets(r) && r->stops == 0 && !hands_over(r) && left >= 2 * steps_of_next(r);
    if (mass_steps_are_tried(r)) return false;
    if (hands_over(r) && steps_of_next(r) > (uint64_t)r->domain->rows) return false;
    if (r->step_seconds * (double)mass_replay_steps(r) > LOOK_SECONDS && is_looked_at(r)) return false;
    if (!t->record || waits_for_ranks(r) || r->input || mass_steps_are_timed(r) ||
        (may_stop(r) && !t->record->take_stop) || left < steps_of_next(r))
        return false;
    /* The next two are the same on all ranks. Arrays may have to grow for agents that places bring forth, or that are
     * born in turn. */
    if (r->no_graph || mass_model_sprouts(r->domain->model) || mass_turns_first(r->domain->model)) return false;
    if (meets(r)) return true;
    if (!is_recordable(r)) return false;
    return !r->recording || mass_steps_are_current(r->domain, r->recorded_current);
}

/* Sets the run back to a stop: after `step`, before operation `before` of the next step. Swaps buffers as the
 * operations up to there did. If the stop is within fused steps, the run goes back to before these, whose initial
 * state still exists. It also does so if the last step's tallies are among the rows of others. */
static void go_back(mass_stepper *r, uint64_t step, uint32_t before)
{
    const mass_plan_list *o = &r->plan->step;
    const uint64_t fuse = (uint64_t)mass_steps_at_once(r), done = step - r->replayed_from;
    const uint64_t launches = (done - (r->recorded_rows && done > 0)) / fuse;
    if (launches % 2) mass_plan_swap(r->domain, o, 0, o->count);
    mass_plan_swap(r->domain, o, 0, before);
    r->step = r->replayed_from + launches * fuse;
}

void mass_replay_mark_near(mass_stepper *r)
{
    r->near_began = mass_seconds();
    r->near_from = r->step;
}

/* Waits for all queued work, measures the time of a step since the mark, if there were any, and sets the mark here. */
static mass_status come_near(mass_stepper *r, mass_error *error)
{
    mass_device *device = r->domain->device;
    const mass_status status = device->table->launch->synchronise(device, error);
    if (r->step > r->near_from)
        r->step_seconds = (mass_seconds() - r->near_began) / (double)(r->step - r->near_from);
    mass_replay_mark_near(r);
    return status;
}

mass_status mass_replay_stay_near(mass_stepper *r, mass_error *error)
{
    if (!r->domain->device->table->record || r->replaying || !is_looked_at(r)) return MASS_OK;
    if (r->step_seconds > 0 && (double)(r->step - r->near_from) * r->step_seconds < NEAR_SECONDS) return MASS_OK;
    return come_near(r, error);
}

/* Discards the recordings after a manage that needed the hosts. If the hosts learned something, the next recording
 * is better and begins at once. Otherwise the next one could stop too, so the steps before it double each time. */
static void put_off(mass_stepper *r, bool learned)
{
    enum { STOPS_MOST = 12 };
    mass_replay_discard(r);
    if (!learned && r->stops < STOPS_MOST) r->stops++;
    r->recordable_after = learned ? mass_replay_possible_from(r->domain->model, r->step)
                                  : r->step + ((uint64_t)1 << r->stops);
}

/* Does the work of mass_replay_handle_stop for a stop in a step before number `end`. */
static mass_status handle_stop(mass_stepper *r, bool wait, uint64_t end, mass_error *error)
{
    static const uint32_t open = 0;
    mass_domain *d = r->domain;
    const mass_device_table *t = d->device->table;
    mass_stop stop = {0};
    const uint64_t lessons = meets(r) ? mass_population_lessons(d) : 0;
    mass_status status = may_stop(r) ? t->record->take_stop(d->device, wait, end, &stop, error) : MASS_OK;
    if (status == MASS_OK && wait && r->replaying && is_looked_at(r)) status = come_near(r, error);
    if (wait || stop.stopped) r->replaying = false;
    if (status != MASS_OK || !stop.stopped) return status;
    r->held = stop.phase == MASS_HELD;
    r->scarce = stop.phase == MASS_BEFORE_STEP;
    const bool complete = r->held || r->scarce;
    const uint32_t before = complete ? 0 : mass_plan_find_phase(&r->plan->step, stop.phase);
    go_back(r, stop.step - 1, before);
    status = mass_buffer_fill(d->closed, &open, sizeof open, (size_t)d->worlds, error);
    if (status == MASS_OK && r->step < stop.step - 1) status = mass_steps_take_again(r, stop.step - 1, error);
    if (complete && meets(r)) mass_replay_discard(r); /* steps by the hosts may leave other buffers present than the
                                                         recording needs */
    if (status != MASS_OK || complete) return status;
    if (meets(r)) {
        const mass_plan_operation *manage = &r->plan->step.list[before];
        status = mass_population_resume(d, stop.phase, manage->order.finds, stop.needed == UINT64_MAX, error);
        if (status != MASS_OK) return status;
    }
    mass_steps_forget_ghosts(d); /* `valid` describes the end of a step, not its middle */
    const mass_plan_step step = {.number = stop.step, .observed = mass_steps_are_observed(r),
                                 .overlap = mass_steps_overlap(r)};
    status = mass_steps_run(r, &r->plan->step, before, &step, error);
    if (status != MASS_OK) return status;
    r->step++;
    mass_replay_handle_changes(r);
    if (meets(r)) put_off(r, mass_population_lessons(d) > lessons);
    return mass_steps_find_held(r, error);
}

mass_status mass_replay_handle_stop(mass_stepper *r, bool wait, mass_error *error)
{
    return handle_stop(r, wait, UINT64_MAX, error);
}

/* Queues a replay of recorded steps, which it records first if there is none. Advances r->step, hands tallies over if
 * they are due, and handles a stop. */
static mass_status replay(mass_stepper *r, mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_device_table *t = d->device->table;
    mass_status status = *next_recording(r) ? MASS_OK : record(r, error);
    if (status == MASS_OK && !r->replaying) {
        status = mass_buffer_upload(d->clock, &r->step, sizeof r->step, error);
        r->replayed_from = r->step;
        r->replaying = true;
        mass_replay_mark_near(r);
    }
    if (status == MASS_OK) status = t->record->replay(d->device, *next_recording(r), error);
    if (status == MASS_OK) status = t->record->keep_up(d->device, r->ahead ? 1 : REPLAYS_AHEAD, error);
    if (status != MASS_OK) return status;
    const uint64_t steps = steps_of_next(r);
    r->step += steps;
    status = mass_steps_hand_over(r, r->step + 1 - steps, r->step, error);
    if (status != MASS_OK) return status;
    if (mass_steps_at_once(r) > 1) mass_steps_forget_ghosts(d); /* `valid` may describe the step before */
    /* Ranks that exchange agents must all stop after the same replay. None acts on what it sees early. Each waits
     * for this replay, or has waited for the one before and handles only stops in that one. */
    if (r->ahead) return handle_stop(r, false, r->step + 1 - steps, error);
    return mass_replay_handle_stop(r, may_stop(r) && (mass_share_is_split(&d->share) || hands_over(r)), error);
}

/* Replays if all ranks can. Each rank may have lost its recording, or be unable to record. *ran: all ranks replayed.
 * All ranks call it together. */
static mass_status replay_together(mass_stepper *r, bool *ran, mass_error *error)
{
    mass_domain *d = r->domain;
    mass_comm *comm = d->share.comm;
    const uint32_t stops = r->stops;
    int64_t have[] = {is_recorded(r) && is_recordable(r) && mass_population_is_prepared(d),
                      !is_recorded(r) || mass_steps_are_current(d, r->recorded_current), r->ahead};
    *ran = false;
    mass_status status = comm->table->all_reduce(comm, MASS_REDUCE_LEAST, have, 3, error);
    if (status != MASS_OK) return status;
    r->ahead = have[2] != 0;
    if (!have[0] && r->replaying) return MASS_OK; /* the caller waits for earlier replays first */
    if (!have[0]) {
        mass_replay_discard(r);
        int64_t able = is_recordable(r) && mass_population_prepare_recording(d);
        status = comm->table->all_reduce(comm, MASS_REDUCE_LEAST, &able, 1, error);
        if (status == MASS_OK && able) status = mass_population_notify(d, error);
        if (status != MASS_OK || !able) return status;
    } else if (!have[1]) return MASS_OK;
    *ran = true;
    status = replay(r, error);
    if (status == MASS_OK && r->stops == stops && r->stops > 0) r->stops--;
    return status;
}

mass_status mass_replay_run(mass_stepper *r, bool *ran, mass_error *error)
{
    *ran = true;
    return meets(r) ? replay_together(r, ran, error) : replay(r, error);
}
