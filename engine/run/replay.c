/* SPDX-License-Identifier: Apache-2.0 */
/* A recording is a list of launches that the device replays: mostly 32 steps, always an even number of launches, so
 * that double buffers are at its end where they were at its start. The host keeps two replays queued. A stop
 * (device/recordings.h) makes all that is queued behind it do nothing. The host then waits, sets the buffers and the
 * step back to the stop, opens the gates, and completes that step from the operation that stopped.
 *
 * Over ranks, replays contain exchanges, so all ranks have to queue the same number of them. No rank acts on a stop
 * that it happens to see early. It waits for each replay; or it queues the next one, waits for the one before, and
 * acts only on stops in steps of that one.
 *
 * If ranks exchange agents in recorded steps (meets):
 * - Before each replay, all ranks agree that each has a recording and memory for it. If one has not, all record again.
 * - A second recording of 4 steps serves the ends of chunks, since steps by the hosts take several times as long.
 * - A manage that cannot be done as recorded stops on all ranks; the hosts do it from its beginning. If they learned
 *   what the next recording needs, recording starts again at once. Else each stop doubles the steps before it does. */
#include "run/replay.h"
#include "plan/fuse.h"
#include "population/requests.h"
#include "process/progress.h"
#include "run/operation.h"
#include "run/steps.h"

enum {
    RECORDED_STEPS = 32, /* even, so that buffers stand at its end as at its start */
    BRIEF_STEPS = 4,     /* even, too; ranks that meet would go by their hosts where fewer steps are left */
    REPLAYS_AHEAD = 2
};

static const double LOOK_SECONDS = 0.004; /* a recording that takes longer keeps who looks waiting, and */
static const double NEAR_SECONDS = 0.008; /* so much work is queued at most while somebody does */

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

static bool is_recorded(const mass_stepper *r) { return r->recording || r->brief; }
static mass_recording **next_recording(mass_stepper *r) { return r->is_brief ? &r->brief : &r->recording; }

/* Ranks meet in the manages of recorded steps, which stop where the hosts are needed. */
static bool meets(const mass_stepper *r)
{
    return mass_population_meets(r->domain) && !mass_model_counts_keys(r->domain->model);
}

static bool may_stop(const mass_stepper *r) { return r->grows || r->domain->until || meets(r); }

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

/* About RECORDED_STEPS, an even number of launches, and as many as go by what ranks have exchanged once. */
uint64_t mass_replay_steps(const mass_stepper *r)
{
    const uint64_t fuse = (uint64_t)mass_steps_at_once(r);
    const uint64_t valid_depth = fuse > 1 ? (uint64_t)mass_fuse_passes(r->domain, r->fuse) : 1;
    const uint64_t launches = RECORDED_STEPS / fuse > valid_depth ? RECORDED_STEPS / fuse : valid_depth;
    return fuse * (launches + launches % 2);
}

/* Of the recording that is next. */
static uint64_t steps_of_next(const mass_stepper *r) { return r->is_brief ? BRIEF_STEPS : mass_replay_steps(r); }

/* So many rows of tallies are left behind those of a launch, the last of whose steps is so many before the end. */
static int32_t rows_behind(const mass_stepper *r, uint64_t steps) { return hands_over(r) ? (int32_t)steps : 0; }

/* Launches of several steps leave no fresh ghosts, as the step before the recording may have. */
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

/* Whether steps meet other ranks by way of the hosts, which cannot be recorded. What most agents do over cuts does; and
 * a stop condition over ranks that hold whole worlds has gates for the own ones only. */
static bool waits_for_ranks(const mass_stepper *r)
{
    const mass_share *s = &r->domain->share;
    if (s->comm->size == 1) return false;
    if (s->by_world) return r->domain->until != NULL;
    return !s->link || (r->domain->model->population_count > 0 && !meets(r));
}

static bool is_looked_at(const mass_stepper *r)
{
    return r->watch && r->watch->looks && r->domain->share.comm->size == 1 && r->watch->looks(r->watch->context);
}

/* Of this rank alone. */
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
    if (r->no_graph) return false; /* on all ranks */
    if (meets(r)) return true;
    if (!is_recordable(r)) return false;
    return !r->recording || mass_steps_are_current(r->domain, r->recorded_current);
}

/* Sets the run back to where the device has stopped: behind `step`, and before operation `before` of the step after it.
 * Buffers change places as the operations up to there had them. If it is in the middle of steps that were done at once,
 * before these: they have left what they began with; and so where tallies of the last one lie among those of others. */
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

/* Waits for all that is queued, and notes how long a step of that took. */
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

/* After a manage that could not be carried out as it was recorded. What hosts have learned while they did it makes the
 * next recording a better one. Where they have not, others would be like it if this happens again and again: ever fewer
 * steps are recorded then. */
static void put_off(mass_stepper *r, bool learned)
{
    enum { STOPS_MOST = 12 };
    mass_replay_discard(r);
    if (!learned && r->stops < STOPS_MOST) r->stops++;
    r->recordable_after = learned ? mass_replay_possible_from(r->domain->model, r->step)
                                  : r->step + ((uint64_t)1 << r->stops);
}

/* As mass_replay_handle_stop; of a stop in a step before number `end`. */
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
    if (complete && meets(r)) mass_replay_discard(r); /* steps by the hosts may never come back to its buffers */
    if (status != MASS_OK || complete) return status;
    if (meets(r)) {
        const mass_plan_operation *manage = &r->plan->step.list[before];
        status = mass_population_resume(d, stop.phase, manage->order.finds, stop.needed == UINT64_MAX, error);
        if (status != MASS_OK) return status;
    }
    mass_steps_forget_ghosts(d); /* `fresh` tells of the end of a step, and not of its middle */
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
    if (mass_steps_at_once(r) > 1) mass_steps_forget_ghosts(d); /* `fresh` may tell of the step before */
    /* Ranks whose replays meet stop after the same one, and do not go by what each happens to know: they wait for this
     * replay, or have waited for the one before it and go by its stop alone. */
    if (r->ahead) return handle_stop(r, false, r->step + 1 - steps, error);
    return mass_replay_handle_stop(r, may_stop(r) && (mass_share_is_split(&d->share) || hands_over(r)), error);
}

/* Where ranks meet in manages, each may have lost its recording, or cannot make one. *ran: whether all replayed. */
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
    if (!have[0] && r->replaying) return MASS_OK; /* which have to be waited for */
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
