/* SPDX-License-Identifier: Apache-2.0 */
#include "run/stepper.h"
#include "comm/signal_reduction.h"
#include "plan/fuse.h"
#include "population/growth.h"
#include "process/crash.h"
#include "process/progress.h"
#include "ranks/rpc.h"
#include "run/repartition.h"
#include "run/replay.h"
#include "run/steps.h"
#include "run/block_program.h"
#include "state/stop_condition.h"
#include "state/stop_state.h"
#include "state/tally.h"

#include <stdlib.h>

enum {
    PAIRS_AT_ONCE = 128, /* pairs of steps in one launch of block-resident worlds, if there are fewer than ... */
    WORLDS_AT_ONCE = 1024, /* ... so many worlds */
    AHEAD = 2            /* launches of block-resident worlds that stay queued */
};

/* Prepares a callback for the device. The code of the engine's own callbacks is part of the device. */
static mass_status prepare(mass_device *device, const mass_phase_def *p, const void *plugin_code, mass_prepared **out,
                           mass_error *error)
{
    const void *code = p->schedule == MASS_OBSERVE ? device->table->launch->own_code : plugin_code;
    return device->table->launch->prepare(device, p->callback, code, out, error);
}

static const double CHUNK_SECONDS = 0.1; /* time between two checks for the end of a run over ranks */

mass_status mass_stepper_create(mass_domain *domain, const void *device_code, uint64_t step, mass_stepper **out,
                            mass_error *error)
{
    const mass_model *m = domain->model;
    mass_stepper *r = calloc(1, sizeof *r);
    if (!r) return mass_error_memory(error, sizeof *r, "the run");
    r->domain = domain;
    r->overlap = true;
    r->fuse = r->tallied = 1;
    r->chunk_seconds = CHUNK_SECONDS;
    r->step = step;
    r->carried = step;
    r->recordable_after = mass_replay_possible_from(m, step);
    r->grows = mass_population_can_grow(m);
    r->prepared = calloc(m->phase_count ? m->phase_count : 1, sizeof *r->prepared);
    r->rules = calloc(m->phase_count ? m->phase_count : 1, sizeof *r->rules);
    r->no_rule = calloc(m->phase_count ? m->phase_count : 1, sizeof *r->no_rule);
    r->recorded_current = calloc(m->array_count + m->population_count + 1, 1);
    r->worlds_current = calloc(m->array_count + m->population_count + 1, 1);
    const bool room = r->prepared && r->rules && r->no_rule && r->recorded_current && r->worlds_current;
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

/* Returns the reason that launches take one step. The model may fuse steps. */
static const char *why_one(const mass_stepper *r)
{
    const uint32_t phase = mass_fuse_phase(r->domain->model);
    return mass_fuse_why_one(r->domain, r->rules[phase] != NULL, r->no_rule[phase], r->no_bits);
}

/* Sets r->tallied to the most fused steps with tallies. The model may fuse steps. All ranks call it together. It is the
 * same on all ranks, because they exchange at the same steps. */
static mass_status find_tallied(mass_stepper *r, mass_error *error)
{
    mass_domain *d = r->domain;
    mass_comm *comm = d->share.comm;
    int64_t least = mass_fuse_most(d, r->prepared[mass_fuse_phase(d->model)], true);
    mass_status status = MASS_OK;
    if (comm->size > 1) status = comm->table->all_reduce(comm, MASS_REDUCE_LEAST, &least, 1, error);
    if (status == MASS_OK) r->tallied = (int32_t)least;
    return status;
}

bool mass_stepper_has_rows(const mass_stepper *r, bool *several)
{
    *several = r->tallied > 1;
    return mass_steps_can_hand_over(r);
}

mass_status mass_stepper_fuse(mass_stepper *r, int32_t steps, mass_error *error)
{
    const mass_domain *d = r->domain;
    mass_status status = mass_fuse_check(d->model, steps, error);
    if (status == MASS_OK && steps > 1) status = find_tallied(r, error);
    if (status != MASS_OK) return status;
    const int32_t most = steps > 1 ? mass_fuse_most(d, r->prepared[mass_fuse_phase(d->model)], false) : 1;
    if (steps > most)
        return mass_error_set(error, MASS_BAD_USAGE, "--fuse %d: %s takes %s of %s's steps at once%s%s", steps,
                              d->device->table->name(d->device), most > 1 ? "fewer" : "one", d->model->plugin,
                              most > 1 ? "" : ", as ", most > 1 ? "" : why_one(r));
    r->fuse = steps;
    return MASS_OK;
}

/* Returns true if steps have an exchange that may overlap with a launch, r->overlap allows it, and ranks are linked. */
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
    const int32_t takes = most > 1 ? mass_fuse_most(d, r->prepared[mass_fuse_phase(d->model)], false) : 1;
    const bool brief = !d->device->table->record || mass_share_is_split(&d->share);
    int64_t least[3] = {most < takes ? most : takes, has_overlap(r), brief};
    mass_status status = MASS_OK;
    if (most == 0) return MASS_OK;
    if (comm->size > 1) status = comm->table->all_reduce(comm, MASS_REDUCE_LEAST, least, 3, error);
    if (status == MASS_OK && most > 1) status = find_tallied(r, error);
    if (status == MASS_OK) r->trial = mass_fuse_tuner_begin((int32_t)least[0], least[1], least[2]);
    return status;
}

void mass_stepper_free(mass_stepper *r)
{
    if (!r) return;
    mass_replay_discard(r);
    mass_block_program_free(r->worlds);
    mass_input_reader_free(r->input);
    mass_profile_free(r->profile);
    mass_plan_free(r->plan);
    for (uint32_t i = 0; r->rules && i < r->domain->model->phase_count; i++) mass_world_rules_free(r->rules[i]);
    free(r->rules);
    free(r->no_rule);
    free(r->repartition.row_times);
    free(r->worlds_current);
    free(r->recorded_current);
    free(r->prepared);
    free(r);
}

mass_status mass_stepper_follow_rules(mass_stepper *r, mass_error *error)
{
    return mass_rules_attach(r->domain, r->prepared, r->rules, r->no_rule, error);
}

mass_status mass_stepper_profile(mass_stepper *r, mass_error *error)
{
    mass_status status = mass_rpc_tell(r->domain->share.comm, MASS_RPC_PROFILE, NULL, 0, error);
    if (status == MASS_OK && !r->profile)
        status = mass_profile_create(r->domain, &r->plan->step, &r->profile, error);
    return mass_rpc_agree(r->domain->share.comm, status, error);
}

/* Runs a list outside of steps, with tallies, and waits for the device. number: of the step. All ranks call it. If the
 * space is split, a rank that fails ends all ranks, because others may wait for it. */
static mass_status run_once(mass_stepper *r, const mass_plan_list *list, uint64_t number, mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_plan_step step = {.number = number, .observed = true};
    mass_crash_step(d->model->plugin, number);
    mass_status status = mass_steps_run(r, list, 0, &step, error);
    if (status == MASS_OK) status = d->device->table->launch->synchronise(d->device, error);
    mass_crash_step(NULL, number);
    if (mass_share_is_split(&d->share)) return mass_rpc_abandon(d->share.comm, status, error);
    return mass_rpc_agree(d->share.comm, status, error);
}

mass_status mass_stepper_start(mass_stepper *r, mass_error *error)
{
    const mass_status status = mass_rpc_tell(r->domain->share.comm, MASS_RPC_START, NULL, 0, error);
    return status == MASS_OK ? run_once(r, &r->plan->start, 0, error) : status;
}

mass_status mass_stepper_resume(mass_stepper *r, mass_error *error)
{
    mass_status status = mass_rpc_tell(r->domain->share.comm, MASS_RPC_RESUME, NULL, 0, error);
    if (status == MASS_OK) status = run_once(r, &r->plan->observe, r->step, error);
    return status == MASS_OK ? mass_steps_find_held(r, error) : status;
}

/* Runs some steps up to `to`, an even number, as block-resident worlds, if that is possible. *ran: it did, and advanced
 * r->step. The first such call makes their program. It leaves the last step to run_step, because tallies count in that
 * one. */
static mass_status run_block_worlds(mass_stepper *r, uint64_t to, uint64_t last, bool *ran, mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_device_table *t = d->device->table;
    mass_status status = MASS_OK;
    *ran = false;
    const bool every = r->watch && r->watch->every;
    const uint64_t left = mass_steps_left(r, to, last);
    if (r->no_block || d->until || every || r->profile || r->step < r->recordable_after || left < 2) return MASS_OK;
    if (!r->looked_for_worlds) {
        mass_steps_copy_current(d, r->worlds_current);
        r->looked_for_worlds = true;
        status = mass_block_program_create(d, r->plan, &r->worlds, error);
    }
    if (!r->worlds || !mass_steps_are_current(d, r->worlds_current)) return status;
    const uint64_t pairs = left / 2, most = PAIRS_AT_ONCE / (1 + (uint64_t)d->worlds / WORLDS_AT_ONCE);
    const uint64_t now = pairs < most ? pairs : most ? most : 1;
    *ran = true;
    r->replaying = false;
    status = t->small_worlds->steps(d->device, &r->worlds->program, r->step, now, error);
    if (status == MASS_OK) status = t->record->keep_up(d->device, AHEAD, error);
    if (status == MASS_OK) r->step += 2 * now;
    return status;
}

/* ---- one step or several in a launch ---- */

/* Returns true if the next steps up to `to` can be fused. The last step is not, because tallies count in it. */
static bool can_fuse(const mass_stepper *r, uint64_t to, uint64_t last)
{
    const uint64_t left = mass_steps_left(r, to, last);
    return mass_steps_at_once(r) > 1 && !mass_steps_are_timed(r) && left >= (uint64_t)mass_steps_at_once(r);
}

/* Ends fused steps whose tallies count, of which r->step is the last: hands the tallies over, and ends the run at the
 * step in which the stop condition held. If that is an earlier one, the engine repeats the steps up to it from the old
 * buffers. */
static mass_status end_observed(mass_stepper *r, int32_t steps, mass_error *error)
{
    mass_domain *d = r->domain;
    uint64_t held = MASS_NOT_HELD;
    mass_status status = mass_steps_hand_over(r, r->step + 1 - (uint64_t)steps, r->step, error);
    if (status == MASS_OK && d->until) status = mass_until_held(d, &held, error);
    if (status != MASS_OK || held == MASS_NOT_HELD) return status;
    r->held = true;
    if (held >= r->step) return MASS_OK;
    mass_plan_swap(d, &r->plan->step, 0, r->plan->step.count);
    r->step -= (uint64_t)steps;
    return mass_steps_take_again(r, held, error);
}

/* Runs `steps` steps in one pass of the plan, and advances r->step. If a stop condition held at one of them, ends the
 * run at that step, whose state it restores (end_observed). */
static mass_status run_fused(mass_stepper *r, int32_t steps, mass_error *error)
{
    const bool observed = mass_steps_are_observed(r);
    const mass_plan_step step = {.number = r->step + 1, .observed = observed, .overlap = mass_steps_overlap(r),
                                 .steps = steps};
    const mass_status status = mass_steps_run(r, &r->plan->step, 0, &step, error);
    if (status != MASS_OK) return status;
    r->step += (uint64_t)steps;
    mass_replay_handle_changes(r);
    return observed ? end_observed(r, steps, error) : MASS_OK;
}

/* Returns how many passes of the tuner's trial come next, as many as fit up to `to` and before step `last`; 0 if it has
 * none, or operations are timed one by one. */
static int32_t passes_to_try(const mass_stepper *r, uint64_t to, uint64_t last)
{
    if (!mass_steps_are_tried(r) || mass_steps_are_timed(r)) return 0;
    const uint64_t room = mass_steps_left(r, to, last) / (uint64_t)r->trial.now;
    return room < (uint64_t)r->trial.runs ? (int32_t)room : r->trial.runs;
}

/* Applies the result of the tuner: the steps of a launch, and whether exchanges come before it, without overlap. */
static void end_trial(mass_stepper *r)
{
    r->fuse = r->trial.best;
    r->apart = r->trial.best_apart;
}

/* Makes *seconds the time of the slowest rank. Ranks exchange nanoseconds. All ranks call it together. */
static mass_status agree_on_time(mass_stepper *r, double *seconds, mass_error *error)
{
    mass_comm *comm = r->domain->share.comm;
    int64_t most = (int64_t)(*seconds * 1e9);
    if (comm->size == 1) return MASS_OK;
    const mass_status status = comm->table->all_reduce(comm, MASS_REDUCE_MOST, &most, 1, error);
    *seconds = (double)most * 1e-9;
    return status;
}

/* Runs some passes, fewer if the stop condition holds, and gives their time, of the slowest rank, to the tuner.
 * Waits for the device before and after. Ends the trial if the tuner is done. */
static mass_status run_trial(mass_stepper *r, int32_t passes, mass_error *error)
{
    mass_device *device = r->domain->device;
    mass_status status = device->table->launch->synchronise(device, error);
    const double began = mass_seconds();
    int32_t ran = 0;
    for (; status == MASS_OK && ran < passes && !r->held; ran++) status = run_fused(r, r->trial.now, error);
    if (status == MASS_OK) status = device->table->launch->synchronise(device, error);
    double seconds = mass_seconds() - began;
    if (status == MASS_OK) status = agree_on_time(r, &seconds, error);
    if (status == MASS_OK && mass_fuse_tuner_note(&r->trial, ran, seconds)) end_trial(r);
    return status;
}

/* Runs one step operation by operation, and advances r->step. Checks first that there is memory for births; if not,
 * sets r->out_of_room and fails. Hands tallies over and tests the stop condition if due. Tallies count in step
 * `last`. */
static mass_status run_step(mass_stepper *r, uint64_t last, mass_error *error)
{
    const uint64_t next = r->step + 1;
    mass_status status = MASS_OK;
    if (r->grows) {
        status = mass_population_check_room(r->domain, next, &r->scarce, error);
        r->out_of_room = status == MASS_NO_DEVICE;
    }
    /* If memory is scarce, the step may become the last one. */
    const mass_plan_step step = {.number = next, .observed = r->scarce || next == last || mass_steps_are_observed(r),
                                 .overlap = mass_steps_overlap(r)};
    if (status == MASS_OK) status = mass_steps_run(r, &r->plan->step, 0, &step, error);
    if (status != MASS_OK) return status;
    r->step = next;
    mass_replay_handle_changes(r);
    if (step.observed && status == MASS_OK) status = mass_steps_hand_over(r, r->step, r->step, error);
    return status == MASS_OK ? mass_steps_find_held(r, error) : status;
}

/* Carries exact sums of doubles before more steps contribute than the sums have spare bits for. Mostly does nothing. */
static mass_status carry_sums(mass_stepper *r, mass_error *error)
{
    const uint64_t most = mass_domain_steps_to_carry(r->domain);
    if (most == 0 || r->step - r->carried < most) return MASS_OK;
    r->carried = r->step;
    return mass_domain_carry_sums(r->domain, error);
}

/* Runs steps of this rank up to `to`, each in the fastest possible way: in blocks, replayed, fused or alone. The run
 * ends at `last`, once the stop condition holds, or a step after the watch asks for an end. Waits for the device at
 * the end. */
static mass_status advance(mass_stepper *r, uint64_t to, uint64_t last, mass_error *error)
{
    const mass_step_watch *watch = r->watch;
    mass_status status = MASS_OK;
    mass_replay_handle_changes(r);
    mass_replay_mark_near(r);
    if (mass_steps_are_tried(r) && r->step < to && mass_fuse_tuner_note_left(&r->trial, mass_steps_left(r, to, last)))
        end_trial(r);
    while (status == MASS_OK && r->step < to && !r->held) {
        if (watch && watch->stop && watch->stop(watch->context, r->step)) last = to = r->step + 1;
        mass_crash_step(r->domain->model->plugin, r->step + 1);
        bool ran;
        status = carry_sums(r, error);
        if (status == MASS_OK) status = run_block_worlds(r, to, last, &ran, error);
        if (status != MASS_OK || ran) continue;
        if (mass_replay_is_next(r, to, last)) {
            status = mass_replay_run(r, &ran, error);
            if (status != MASS_OK || ran) continue;
        }
        if (r->replaying) status = mass_replay_handle_stop(r, true, error);
        else if (passes_to_try(r, to, last)) status = run_trial(r, passes_to_try(r, to, last), error);
        else if (can_fuse(r, to, last)) status = run_fused(r, mass_steps_at_once(r), error);
        else status = run_step(r, last, error);
        if (status == MASS_OK) status = mass_replay_stay_near(r, error);
    }
    return status == MASS_OK ? r->domain->device->table->launch->synchronise(r->domain->device, error) : status;
}

/* ---- over ranks ---- */

static const uint64_t CHUNK_GROWS = 8;   /* most growth of a chunk over the one before */

mass_status mass_stepper_advance_chunk(mass_stepper *r, const mass_rpc_advance *c, mass_error *error)
{
    const mass_step_watch *own = r->watch;
    const mass_step_watch watch = {.every = c->every, .on_input = own ? own->on_input : NULL,
                                   .context = own ? own->context : NULL};
    mass_comm *comm = r->domain->share.comm;
    mass_status status = mass_rpc_tell(comm, MASS_RPC_ADVANCE, c, sizeof *c, error);
    if (status != MASS_OK) return mass_rpc_abandon(comm, status, error);
    const double began = mass_repartition_begin_timing(r, c->timed);
    r->watch = &watch;
    status = advance(r, c->to, c->last, error);
    r->watch = own;
    mass_repartition_end_timing(r, c->timed, began);
    if (status == MASS_OK) status = mass_comm_reduce_signals(comm, error);
    return mass_rpc_abandon(comm, status, error);
}

/* Sets the steps of the next chunk, in which ranks do not ask rank 0, from the steps and seconds of the last one. A
 * long chunk is a multiple of a replay's steps, a short one of a pass. whole: the last chunk was not cut short. */
static void adapt_chunk(mass_stepper *r, uint64_t steps, bool whole, double seconds)
{
    const double fit = seconds > 0 ? (double)steps * r->chunk_seconds / seconds : 0x1p40;
    const double most = whole ? (double)steps * (double)CHUNK_GROWS : (double)r->chunk;
    r->chunk = (uint64_t)(fit < most ? fit : most);
    const uint64_t pass = (uint64_t)(mass_steps_are_tried(r) ? r->trial.now * r->trial.runs : mass_steps_at_once(r));
    r->chunk -= r->chunk % (r->chunk > mass_replay_steps(r) ? mass_replay_steps(r) : pass);
    if (r->chunk < pass) r->chunk = pass;
}

/* Runs steps up to `last` on all ranks, in chunks. In between it asks the watch for an end, and may divide slabs again.
 * Rank 0 calls it. */
static mass_status advance_ranks(mass_stepper *r, uint64_t last, mass_error *error)
{
    const mass_step_watch *watch = r->watch;
    mass_status status = MASS_OK;
    if (r->chunk == 0) r->chunk = 1;
    while (status == MASS_OK && r->step < last && !r->held) {
        if (watch && watch->stop && watch->stop(watch->context, r->step)) last = r->step + 1;
        if (mass_repartition_is_due(r)) status = mass_repartition_slabs(r, error);
        if (status != MASS_OK) return status;
        const uint64_t left = last - r->step, before = r->step;
        mass_rpc_advance c = {before + (left < r->chunk ? left : r->chunk), last, watch && watch->every, false};
        mass_repartition_limit_chunk(r, &c);
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
    const mass_status status = r->domain->share.comm->size > 1 ? advance_ranks(r, last, error)
                                                                 : advance(r, last, last, error);
    mass_crash_step(NULL, r->step);
    return status;
}
