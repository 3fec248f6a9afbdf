/* SPDX-License-Identifier: Apache-2.0 */
#include "run/stepper.h"
#include "comm/asked.h"
#include "domain/call.h"
#include "domain/population.h"
#include "domain/until.h"
#include "plan/fuse.h"
#include "process/progress.h"
#include "process/signals.h"
#include "run/balancing.h"
#include "run/operation.h"
#include "run/world_program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    RECORDED_STEPS = 32, /* even, so that buffers stand at its end as at its start */
    PAIRS_AT_ONCE = 128, /* pairs of steps that small worlds go in one launch, if there are ... */
    WORLDS_AT_ONCE = 1024, /* ... fewer than so many */
    REPLAYS_AHEAD = 2
};

static const double LOOK_SECONDS = 0.004; /* a recording that takes longer keeps who looks waiting */

/* The engine's own callbacks come with the device. */
static mass_status prepare(mass_device *device, const mass_phase_def *p, const void *plugin_code, mass_prepared **out,
                           mass_error *error)
{
    const void *code = p->schedule == MASS_OBSERVE ? device->table->launch->own_code : plugin_code;
    return device->table->launch->prepare(device, p->callback, code, out, error);
}

/* The first step that may be recorded, from `step` on: none where keys are counted, whose tables grow and are waited
 * for. */
static uint64_t recordable_from(const mass_model *m, uint64_t step)
{
    return mass_model_counts_keys(m) ? UINT64_MAX : step + 2;
}

mass_status mass_stepper_create(mass_domain *domain, const void *device_code, uint64_t step, mass_stepper **out,
                            mass_error *error)
{
    const mass_model *m = domain->model;
    mass_stepper *r = calloc(1, sizeof *r);
    if (!r) return mass_error_memory(error, sizeof *r, "the run");
    r->domain = domain;
    r->overlap = true;
    r->fuse = 1;
    r->step = step;
    r->carried = step;
    r->recordable_after = recordable_from(m, step);
    r->grows = mass_population_can_grow(m);
    r->prepared = calloc(m->phase_count ? m->phase_count : 1, sizeof *r->prepared);
    r->rules = calloc(m->phase_count ? m->phase_count : 1, sizeof *r->rules);
    r->recorded_current = calloc(m->array_count + m->population_count + 1, 1);
    r->worlds_current = calloc(m->array_count + m->population_count + 1, 1);
    const bool room = r->prepared && r->rules && r->recorded_current && r->worlds_current;
    mass_status status = room ? MASS_OK : mass_error_memory(error, 1, "the run");
    for (uint32_t i = 0; status == MASS_OK && i < m->phase_count; i++)
        if (m->phases[i].callback)
            status = prepare(domain->device, &m->phases[i], device_code, &r->prepared[i], error);
    if (status == MASS_OK) status = mass_plan_create(domain, &r->plan, error);
    if (status == MASS_OK && m->stream.read) status = mass_input_reader_create(domain, &r->input, error);
    if (status != MASS_OK) {
        mass_stepper_free(r);
        return status;
    }
    *out = r;
    return MASS_OK;
}

static const mass_rule *rule_of_fused(const mass_stepper *r) { return r->rules[mass_fuse_phase(r->domain->model)]; }

mass_status mass_stepper_fuse(mass_stepper *r, int32_t steps, mass_error *error)
{
    const mass_domain *d = r->domain;
    const mass_status status = mass_fuse_check(d->model, steps, error);
    if (status != MASS_OK) return status;
    const int32_t most = steps > 1 ? mass_fuse_most(d, r->prepared[mass_fuse_phase(d->model)]) : 1;
    if (steps > most)
        return mass_error_set(error, MASS_BAD_USAGE, "--fuse %d: %s takes %s of %s's steps at once%s%s", steps,
                              d->device->table->name(d->device), most > 1 ? "fewer" : "one", d->model->plugin,
                              most > 1 ? "" : ", as ", most > 1 ? "" : mass_fuse_why_one(d->model, rule_of_fused(r)));
    r->fuse = steps;
    return MASS_OK;
}

/* Whether steps have an exchange that may go on beside a launch. */
static bool has_overlap(const mass_stepper *r)
{
    bool has = false;
    for (uint32_t i = 0; i < r->plan->step.count; i++) has |= r->plan->step.list[i].edges > 0;
    return has && r->overlap && r->domain->share.link;
}

mass_status mass_stepper_try_fuse(mass_stepper *r, int32_t most, mass_error *error)
{
    mass_domain *d = r->domain;
    mass_comm *comm = d->share.comm;
    const int32_t takes = most > 1 ? mass_fuse_most(d, r->prepared[mass_fuse_phase(d->model)]) : 1;
    int64_t least[2] = {most < takes ? most : takes, has_overlap(r)};
    mass_status status = MASS_OK;
    if (most == 0) return MASS_OK;
    if (comm->size > 1) status = comm->table->all_reduce(comm, MASS_REDUCE_LEAST, least, 2, error);
    if (status == MASS_OK) r->trial = mass_fuse_trial_begin((int32_t)least[0], least[1]);
    return status;
}

static void discard_recording(mass_stepper *r)
{
    if (r->recording) r->domain->device->table->record->discard(r->domain->device, r->recording);
    r->recording = NULL;
}

void mass_stepper_free(mass_stepper *r)
{
    if (!r) return;
    discard_recording(r);
    mass_world_program_free(r->worlds);
    mass_input_reader_free(r->input);
    mass_profile_free(r->profile);
    mass_plan_free(r->plan);
    for (uint32_t i = 0; r->rules && i < r->domain->model->phase_count; i++) mass_rule_free(r->rules[i]);
    free(r->rules);
    free(r->balancing.balance);
    free(r->worlds_current);
    free(r->recorded_current);
    free(r->prepared);
    free(r);
}

mass_status mass_stepper_follow_rules(mass_stepper *r, mass_error *error)
{
    return mass_rules_attach(r->domain, r->prepared, r->rules, error);
}

/* Sets the tally of a stream's items, after a pass has ended. */
static mass_status count_items(mass_stepper *r, uint32_t total, mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_tally_def *t = &d->model->tallies[total];
    const uint64_t items = t->cumulative ? mass_input_reader_total(r->input) : mass_input_reader_given(r->input);
    return mass_buffer_fill(mass_domain_tally(d, total), &items, sizeof items, 1, error);
}

/* A pass may take hours, and its state is that of no step. */
static mass_status check_pass(const mass_stepper *r, uint64_t step, mass_error *error)
{
    if (!mass_signals_end_is_due()) return MASS_OK;
    return mass_error_set(error, MASS_INTERRUPTED, "interrupted in step %" PRIu64 ", after %" PRIu64 " items of its "
                          "input: a run resumes from its last checkpoint", step, mass_input_reader_given(r->input));
}

static void tell_progress(const mass_stepper *r)
{
    if (!r->watch || !r->watch->on_input) return;
    r->watch->on_input(r->watch->context, r->step, mass_input_reader_given(r->input));
}

/* READ, CONSUMED and COUNT, of which the first two may go on elsewhere than at the operation that follows. */
static mass_status run_input(mass_stepper *r, const mass_plan_operation *op, uint64_t step, uint32_t *next,
                             mass_error *error)
{
    bool more = true;
    mass_status status = MASS_OK;
    if (op->kind == MASS_PLAN_COUNT) return count_items(r, op->index, error);
    if (op->kind == MASS_PLAN_READ) {
        status = mass_input_reader_next(r->input, &more, error);
        if (!more) *next = op->to;
    } else {
        status = mass_input_reader_consumed(r->input, error);
        if (status == MASS_OK) status = check_pass(r, step, error);
        *next = op->to;
    }
    if (*next == op->to || status != MASS_OK) tell_progress(r);
    return status;
}

/* The operations of a list from `first` on. */
static mass_status run(mass_stepper *r, const mass_plan_list *o, uint32_t first, const mass_plan_step *step,
                       mass_error *error)
{
    const bool timed = r->profile && o == &r->plan->step;
    mass_status status = timed ? mass_profile_begin(r->profile, error) : MASS_OK;
    for (uint32_t i = first, next; status == MASS_OK && i < o->count; i = next) {
        const mass_plan_operation *op = &o->list[i];
        next = i + 1;
        if (!mass_plan_is_due(r->domain, op->when, step)) continue;
        const bool input = op->kind == MASS_PLAN_READ || op->kind == MASS_PLAN_CONSUMED || op->kind == MASS_PLAN_COUNT;
        status = input                ? run_input(r, op, step->number, &next, error)
                 : r->balancing.timed ? mass_balance_run(r, op, step, error)
                                      : mass_plan_run(r->domain, r->prepared, op, step, error);
        if (timed && status == MASS_OK) status = mass_profile_add(r->profile, i, error);
    }
    return status;
}

/* After a step, which has looked at the stop condition: whether that was the last one. */
static mass_status find_held(mass_stepper *r, mass_error *error)
{
    if (!r->domain->until) return MASS_OK;
    uint64_t held = MASS_NOT_HELD;
    const mass_status status = mass_until_held(r->domain, &held, error);
    r->held = held != MASS_NOT_HELD;
    return status;
}

mass_status mass_stepper_profile(mass_stepper *r, mass_error *error)
{
    mass_status status = mass_call_tell(r->domain->share.comm, MASS_CALL_PROFILE, NULL, 0, error);
    if (status == MASS_OK && !r->profile)
        status = mass_profile_create(r->domain, &r->plan->step, &r->profile, error);
    return mass_call_agree(r->domain->share.comm, status, error);
}

/* A list outside of steps. Where the space is cut, ranks may wait for one that failed in the middle. */
static mass_status run_once(mass_stepper *r, const mass_plan_list *list, uint64_t number, mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_plan_step step = {.number = number, .observed = true};
    mass_status status = run(r, list, 0, &step, error);
    if (status == MASS_OK) status = d->device->table->launch->synchronise(d->device, error);
    if (mass_share_is_cut(&d->share)) return mass_call_abandon(d->share.comm, status, error);
    return mass_call_agree(d->share.comm, status, error);
}

mass_status mass_stepper_start(mass_stepper *r, mass_error *error)
{
    const mass_status status = mass_call_tell(r->domain->share.comm, MASS_CALL_START, NULL, 0, error);
    return status == MASS_OK ? run_once(r, &r->plan->start, 0, error) : status;
}

mass_status mass_stepper_resume(mass_stepper *r, mass_error *error)
{
    mass_status status = mass_call_tell(r->domain->share.comm, MASS_CALL_RESUME, NULL, 0, error);
    if (status == MASS_OK) status = run_once(r, &r->plan->observe, r->step, error);
    return status == MASS_OK ? find_held(r, error) : status;
}

/* Which buffers hold the present values. */
static void copy_current(const mass_domain *d, uint8_t *out)
{
    memcpy(out, d->current, d->model->array_count);
    const mass_model *m = d->model;
    for (uint32_t p = 0; p < m->population_count; p++) out[m->array_count + p] = d->populations[p].current;
}

static bool is_current(const mass_domain *d, const uint8_t *recorded)
{
    bool same = memcmp(recorded, d->current, d->model->array_count) == 0;
    for (uint32_t p = 0; p < d->model->population_count; p++)
        same &= recorded[d->model->array_count + p] == d->populations[p].current;
    return same;
}

/* ---- recorded steps ---- */

/* With a stop condition, tallies count in every step. */
static bool is_observed(const mass_stepper *r) { return r->domain->until || (r->watch && r->watch->every); }

/* Ranks meet in the manages of recorded steps, which stop where the hosts are needed. */
static bool meets(const mass_stepper *r)
{
    return mass_population_meets(r->domain) && !mass_model_counts_keys(r->domain->model);
}

static bool may_stop(const mass_stepper *r) { return r->grows || r->domain->until || meets(r); }

/* Discards a recording that cannot be replayed any more, as populations went to other arrays (mass_domain.changes). */
static void handle_changes(mass_stepper *r)
{
    if (r->changes == r->domain->changes) return;
    discard_recording(r);
    r->changes = r->domain->changes;
    r->recordable_after = recordable_from(r->domain->model, r->step);
}

/* Operations are timed one by one. */
static bool is_timed(const mass_stepper *r) { return r->profile || r->balancing.timed; }

static bool overlaps(const mass_stepper *r)
{
    return r->overlap && !is_timed(r) && !(r->trial.most ? r->trial.apart : r->apart);
}

/* Has all ghosts refreshed before they are read. */
static void forget_ghosts(mass_domain *d)
{
    for (uint32_t s = 0; s < d->model->space_count; s++)
        for (int32_t k = 0; k < d->partition_count; k++)
            for (uint32_t i = 0; i < d->model->array_count; i++) {
                d->partitions[s][k].arrays[i].fresh = 0;
                d->partitions[s][k].arrays[i].deep = 0;
            }
}

/* Steps at once: where tallies count in every step, one. */
static int32_t fused(const mass_stepper *r) { return is_observed(r) ? 1 : r->fuse; }

/* How many steps a recording has: about RECORDED_STEPS, an even number of launches, and as many as go by what ranks
 * have exchanged once. */
static uint64_t recorded_steps(const mass_stepper *r)
{
    const uint64_t fuse = (uint64_t)fused(r), deep = fuse > 1 ? (uint64_t)mass_fuse_passes(r->domain, r->fuse) : 1;
    const uint64_t launches = RECORDED_STEPS / fuse > deep ? RECORDED_STEPS / fuse : deep;
    return fuse * (launches + launches % 2);
}

/* Launches of several steps leave no fresh ghosts, as the step before the recording may have. */
static mass_status record(mass_stepper *r, mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_device_table *t = d->device->table;
    copy_current(d, r->recorded_current);
    if (fused(r) > 1) forget_ghosts(d);
    mass_status status = t->record->begin(d->device, error);
    for (uint64_t i = 1; status == MASS_OK && i <= recorded_steps(r); i += (uint64_t)fused(r)) {
        const mass_plan_step step = {.number = i, .relative = true, .observed = is_observed(r),
                                     .overlap = overlaps(r), .steps = fused(r)};
        status = run(r, &r->plan->step, 0, &step, error);
    }
    if (status != MASS_OK) return status;
    return t->record->end(d->device, d->clock.address, recorded_steps(r), &r->recording, error);
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

/* Of this rank alone. */
static bool is_recordable(const mass_stepper *r) { return !r->scarce && r->step >= r->recordable_after; }

static bool is_looked_at(const mass_stepper *r)
{
    return r->watch && r->watch->looks && r->domain->share.comm->size == 1 && r->watch->looks(r->watch->context);
}

/* Where somebody waits for a look, steps that take long are queued one by one, and not too many of them. */
static mass_status stay_near(const mass_stepper *r, mass_error *error)
{
    mass_device *device = r->domain->device;
    if (!device->table->record || !is_looked_at(r)) return MASS_OK;
    return device->table->record->keep_up(device, REPLAYS_AHEAD, error);
}

/* Whether the next recorded_steps, up to `to` at most, can be a replay; they must leave at least the last step to
 * run. Where ranks meet, it is the same on all, and they have yet to agree (replay_together). */
static bool can_replay(const mass_stepper *r, uint64_t to, uint64_t last)
{
    const mass_device_table *t = r->domain->device->table;
    const uint64_t left = to < last ? to - r->step : last - r->step - 1;
    if (r->trial.most && !is_observed(r)) return false;
    if (r->step_seconds * (double)recorded_steps(r) > LOOK_SECONDS && is_looked_at(r)) return false;
    if (!t->record || waits_for_ranks(r) || r->input || is_timed(r) || (r->watch && r->watch->every) ||
        (may_stop(r) && !t->record->take_stop) || left < recorded_steps(r))
        return false;
    if (meets(r)) return true;
    if (!is_recordable(r)) return false;
    return !r->recording || is_current(r->domain, r->recorded_current);
}

/* Sets the run back to where the device has stopped: behind `step`, and before operation `before` of the step after it.
 * Buffers change places as the operations up to there had them. */
static void go_back(mass_stepper *r, uint64_t step, uint32_t before)
{
    const mass_plan_list *o = &r->plan->step;
    if ((step - r->replayed_from) % 2) mass_plan_swap(r->domain, o, 0, o->count);
    mass_plan_swap(r->domain, o, 0, before);
    r->step = step;
}

/* After a manage that could not be carried out as it was recorded. Others would be like it where this happens again and
 * again: ever fewer steps are recorded then. */
static void put_off(mass_stepper *r)
{
    enum { STOPS_MOST = 12 };
    discard_recording(r);
    if (r->stops < STOPS_MOST) r->stops++;
    r->recordable_after = r->step + ((uint64_t)1 << r->stops);
}

/* How long a step of them takes, once all are done. */
static mass_status measure_replays(mass_stepper *r, mass_error *error)
{
    mass_device *device = r->domain->device;
    const mass_status status = device->table->launch->synchronise(device, error);
    if (r->step > r->replayed_from)
        r->step_seconds = (mass_seconds() - r->replays_began) / (double)(r->step - r->replayed_from);
    return status;
}

/* Where replays have stopped (device/recordings.h), opens the gates again and goes on from there. If it was in a
 * manage, for lack of room, that step is completed, with more room. If it was a guard before a step, run_step comes
 * next, which checks the memory; if it was the stop condition, the run ends. wait: after all replays; else as far as
 * the host knows already. */
static mass_status handle_stop(mass_stepper *r, bool wait, mass_error *error)
{
    static const uint32_t open = 0;
    mass_domain *d = r->domain;
    const mass_device_table *t = d->device->table;
    mass_stop stop = {0};
    mass_status status = may_stop(r) ? t->record->take_stop(d->device, wait, &stop, error) : MASS_OK;
    if (wait && r->replaying) status = status == MASS_OK ? measure_replays(r, error) : status;
    if (wait || stop.stopped) r->replaying = false;
    if (status != MASS_OK || !stop.stopped) return status;
    r->held = stop.phase == MASS_HELD;
    r->scarce = stop.phase == MASS_BEFORE_STEP;
    const bool complete = r->held || r->scarce;
    const uint32_t before = complete ? 0 : mass_plan_find_phase(&r->plan->step, stop.phase);
    go_back(r, stop.step - 1, before);
    status = mass_buffer_fill(d->closed, &open, sizeof open, (size_t)d->worlds, error);
    if (status != MASS_OK || complete) return status;
    forget_ghosts(d); /* `fresh` tells of the end of a step, and not of its middle */
    const mass_plan_step step = {.number = stop.step, .observed = is_observed(r), .overlap = overlaps(r)};
    status = run(r, &r->plan->step, before, &step, error);
    if (status != MASS_OK) return status;
    r->step++;
    handle_changes(r);
    if (meets(r)) put_off(r);
    return find_held(r, error);
}

static mass_status replay(mass_stepper *r, mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_device_table *t = d->device->table;
    mass_status status = r->recording ? MASS_OK : record(r, error);
    if (status == MASS_OK && !r->replaying) {
        status = mass_buffer_upload(d->clock, &r->step, sizeof r->step, error);
        r->replayed_from = r->step;
        r->replaying = true;
        r->replays_began = mass_seconds();
    }
    if (status == MASS_OK) status = t->record->replay(d->device, r->recording, error);
    if (status == MASS_OK) status = t->record->keep_up(d->device, REPLAYS_AHEAD, error);
    if (status != MASS_OK) return status;
    r->step += recorded_steps(r);
    if (fused(r) > 1) forget_ghosts(d); /* `fresh` may tell of the step before */
    /* Ranks whose replays meet stop after the same one, and do not go by what each happens to know. */
    return handle_stop(r, may_stop(r) && mass_share_is_cut(&d->share), error);
}

/* Where ranks meet in manages, each may have lost its recording, or cannot make one. *ran: whether all replayed. */
static mass_status replay_together(mass_stepper *r, bool *ran, mass_error *error)
{
    mass_domain *d = r->domain;
    mass_comm *comm = d->share.comm;
    const uint32_t stops = r->stops;
    int64_t have[] = {r->recording && is_recordable(r) && mass_population_is_prepared(d),
                      !r->recording || is_current(d, r->recorded_current)};
    *ran = false;
    mass_status status = comm->table->all_reduce(comm, MASS_REDUCE_LEAST, have, 2, error);
    if (status != MASS_OK) return status;
    if (!have[0]) {
        discard_recording(r);
        int64_t able = is_recordable(r) && mass_population_prepare_recording(d);
        status = comm->table->all_reduce(comm, MASS_REDUCE_LEAST, &able, 1, error);
        if (status == MASS_OK && able) status = mass_population_meet(d, error);
        if (status != MASS_OK || !able) return status;
    } else if (!have[1]) return MASS_OK;
    *ran = true;
    status = replay(r, error);
    if (status == MASS_OK && r->stops == stops && r->stops > 0) r->stops--;
    return status;
}

/* Runs some steps up to `to` as a program for small worlds, where that can be; *ran tells whether it did. The last step
 * is left to run_step, since tallies count in it. */
static mass_status run_small_worlds(mass_stepper *r, uint64_t to, uint64_t last, bool *ran, mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_device_table *t = d->device->table;
    mass_status status = MASS_OK;
    *ran = false;
    const bool every = r->watch && r->watch->every;
    const uint64_t left = to < last ? to - r->step : last - r->step - 1;
    if (d->until || every || r->profile || r->step < r->recordable_after || left < 2) return MASS_OK;
    if (!r->looked_for_worlds) {
        copy_current(d, r->worlds_current);
        r->looked_for_worlds = true;
        status = mass_world_program_create(d, r->plan, &r->worlds, error);
    }
    if (!r->worlds || !is_current(d, r->worlds_current)) return status;
    const uint64_t pairs = left / 2, most = PAIRS_AT_ONCE / (1 + (uint64_t)d->worlds / WORLDS_AT_ONCE);
    const uint64_t now = pairs < most ? pairs : most ? most : 1;
    *ran = true;
    r->replaying = false;
    status = t->small_worlds->steps(d->device, &r->worlds->program, r->step, now, error);
    if (status == MASS_OK) status = t->record->keep_up(d->device, REPLAYS_AHEAD, error);
    if (status == MASS_OK) r->step += 2 * now;
    return status;
}

/* ---- one step after the other, or several at once ---- */

/* Whether the next `fuse` steps may be done at once, up to `to` at most; they leave the last step, in which tallies
 * count. */
static bool can_fuse(const mass_stepper *r, uint64_t to, uint64_t last)
{
    const uint64_t left = to < last ? to - r->step : last - r->step - 1;
    return fused(r) > 1 && !is_timed(r) && left >= (uint64_t)fused(r);
}

static mass_status run_fused(mass_stepper *r, int32_t steps, mass_error *error)
{
    const mass_plan_step step = {.number = r->step + 1, .overlap = overlaps(r), .steps = steps};
    const mass_status status = run(r, &r->plan->step, 0, &step, error);
    if (status != MASS_OK) return status;
    r->step += (uint64_t)steps;
    handle_changes(r);
    return MASS_OK;
}

/* Whether the next pass is one of the trial of how many steps are fastest. */
static bool can_try(const mass_stepper *r, uint64_t to, uint64_t last)
{
    const uint64_t left = to < last ? to - r->step : last - r->step - 1;
    return r->trial.most && !is_observed(r) && !is_timed(r) && left >= (uint64_t)r->trial.now;
}

/* Ranks go by what the slowest of them takes, in nanoseconds. */
static mass_status agree_on_time(mass_stepper *r, double *seconds, mass_error *error)
{
    mass_comm *comm = r->domain->share.comm;
    int64_t most = (int64_t)(*seconds * 1e9);
    if (comm->size == 1) return MASS_OK;
    const mass_status status = comm->table->all_reduce(comm, MASS_REDUCE_MOST, &most, 1, error);
    *seconds = (double)most * 1e-9;
    return status;
}

static mass_status run_trial(mass_stepper *r, mass_error *error)
{
    mass_device *device = r->domain->device;
    mass_status status = device->table->launch->synchronise(device, error);
    const double began = mass_seconds();
    if (status == MASS_OK) status = run_fused(r, r->trial.now, error);
    if (status == MASS_OK) status = device->table->launch->synchronise(device, error);
    double seconds = mass_seconds() - began;
    if (status == MASS_OK) status = agree_on_time(r, &seconds, error);
    if (status == MASS_OK && mass_fuse_trial_note(&r->trial, seconds)) {
        r->fuse = r->trial.best;
        r->apart = r->trial.best_apart;
    }
    return status;
}

static mass_status run_step(mass_stepper *r, uint64_t last, mass_error *error)
{
    const uint64_t next = r->step + 1;
    mass_status status = MASS_OK;
    if (r->grows) {
        status = mass_population_check_room(r->domain, next, &r->scarce, error);
        r->out_of_room = status == MASS_NO_DEVICE;
    }
    /* Where memory is scarce, the step may turn out to be the last one. */
    const mass_plan_step step = {.number = next, .observed = r->scarce || next == last || is_observed(r),
                                 .overlap = overlaps(r)};
    if (status == MASS_OK) status = run(r, &r->plan->step, 0, &step, error);
    if (status != MASS_OK) return status;
    r->step = next;
    handle_changes(r);
    return find_held(r, error);
}

/* Exact sums of doubles carry before the contributions of more steps than they have room for. */
static mass_status carry_sums(mass_stepper *r, mass_error *error)
{
    const uint64_t most = mass_domain_steps_to_carry(r->domain);
    if (most == 0 || r->step - r->carried < most) return MASS_OK;
    r->carried = r->step;
    return mass_domain_carry_sums(r->domain, error);
}

/* Steps of this rank up to `to`, on the way to `last`. */
static mass_status advance(mass_stepper *r, uint64_t to, uint64_t last, mass_error *error)
{
    const mass_step_watch *watch = r->watch;
    mass_status status = MASS_OK;
    handle_changes(r);
    while (status == MASS_OK && r->step < to && !r->held) {
        if (watch && watch->stop && watch->stop(watch->context, r->step)) last = to = r->step + 1;
        bool ran;
        status = carry_sums(r, error);
        if (status == MASS_OK) status = run_small_worlds(r, to, last, &ran, error);
        if (status != MASS_OK || ran) continue;
        if (can_replay(r, to, last)) {
            ran = true;
            status = meets(r) ? replay_together(r, &ran, error) : replay(r, error);
            if (status != MASS_OK || ran) continue;
        }
        if (r->replaying) status = handle_stop(r, true, error);
        else if (can_try(r, to, last)) status = run_trial(r, error);
        else if (can_fuse(r, to, last)) status = run_fused(r, r->fuse, error);
        else status = run_step(r, last, error);
        if (status == MASS_OK && !r->replaying) status = stay_near(r, error);
    }
    return status == MASS_OK ? r->domain->device->table->launch->synchronise(r->domain->device, error) : status;
}

/* ---- over ranks ---- */

static const double CHUNK_SECONDS = 0.1; /* so long nobody asks whether the run is to end */
static const uint64_t CHUNK_GROWS = 8;   /* at most so many times from one to the next */

mass_status mass_stepper_advance_chunk(mass_stepper *r, const mass_call_advance *c, mass_error *error)
{
    const mass_step_watch *own = r->watch;
    const mass_step_watch watch = {.every = c->every, .on_input = own ? own->on_input : NULL,
                                   .context = own ? own->context : NULL};
    mass_comm *comm = r->domain->share.comm;
    mass_status status = mass_call_tell(comm, MASS_CALL_ADVANCE, c, sizeof *c, error);
    if (status != MASS_OK) return mass_call_abandon(comm, status, error);
    const double began = mass_balance_begin(r, c->timed);
    r->watch = &watch;
    status = advance(r, c->to, c->last, error);
    r->watch = own;
    mass_balance_end(r, c->timed, began);
    if (status == MASS_OK) status = mass_comm_hear_asked(comm, error);
    return mass_call_abandon(comm, status, error);
}

/* How many steps all ranks go without asking rank 0, from how long the last ones took; as many as can be replayed where
 * they are more. whole: these were not fewer for another reason. */
static void adapt_chunk(mass_stepper *r, uint64_t steps, bool whole, double seconds)
{
    const double fit = seconds > 0 ? (double)steps * CHUNK_SECONDS / seconds : 0x1p40;
    const double most = whole ? (double)steps * (double)CHUNK_GROWS : (double)r->chunk;
    r->chunk = (uint64_t)(fit < most ? fit : most);
    if (r->chunk > recorded_steps(r)) r->chunk -= r->chunk % recorded_steps(r);
    if (r->chunk == 0) r->chunk = 1;
}

static mass_status advance_ranks(mass_stepper *r, uint64_t last, mass_error *error)
{
    const mass_step_watch *watch = r->watch;
    mass_status status = MASS_OK;
    if (r->chunk == 0) r->chunk = 1;
    while (status == MASS_OK && r->step < last && !r->held) {
        if (watch && watch->stop && watch->stop(watch->context, r->step)) last = r->step + 1;
        if (mass_balance_is_due(r)) status = mass_balance_slabs(r, error);
        if (status != MASS_OK) return status;
        const uint64_t left = last - r->step, before = r->step;
        mass_call_advance c = {before + (left < r->chunk ? left : r->chunk), last, watch && watch->every, false};
        mass_balance_bound_chunk(r, &c);
        const double began = mass_seconds();
        status = mass_stepper_advance_chunk(r, &c, error);
        if (status == MASS_OK && c.to < last)
            adapt_chunk(r, r->step - before, c.to - before == r->chunk, mass_seconds() - began);
    }
    return status;
}

mass_status mass_stepper_advance(mass_stepper *r, uint64_t last, const mass_step_watch *watch, mass_error *error)
{
    r->watch = watch;
    return r->domain->share.comm->size > 1 ? advance_ranks(r, last, error) : advance(r, last, last, error);
}
