/* SPDX-License-Identifier: Apache-2.0 */
#include "run/stepper.h"
#include "domain/population.h"
#include "domain/until.h"
#include "process/crash.h"
#include "process/signals.h"
#include "run/phase.h"
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

/* The engine's own callbacks come with the device. */
static mass_status prepare(mass_device *device, const mass_phase_def *p, const void *plugin_code, mass_prepared **out,
                           mass_error *error)
{
    const void *code = p->schedule == MASS_OBSERVE ? device->table->launch->own_code : plugin_code;
    return device->table->launch->prepare(device, p->callback, code, out, error);
}

mass_status mass_stepper_create(mass_domain *domain, const void *device_code, uint64_t step, mass_stepper **out,
                            mass_error *error)
{
    const mass_model *m = domain->model;
    mass_stepper *r = calloc(1, sizeof *r);
    if (!r) return mass_error_memory(error, sizeof *r, "the run");
    r->domain = domain;
    r->step = step;
    r->carried = step;
    r->recordable_after = mass_model_counts_keys(m) ? UINT64_MAX : step + 2; /* tables that grow are waited for */
    r->grows = mass_population_can_grow(m);
    r->prepared = calloc(m->phase_count ? m->phase_count : 1, sizeof *r->prepared);
    r->recorded_current = calloc(m->array_count + m->population_count + 1, 1);
    r->worlds_current = calloc(m->array_count + m->population_count + 1, 1);
    const bool room = r->prepared && r->recorded_current && r->worlds_current;
    mass_status status = room ? MASS_OK : mass_error_memory(error, 1, "the run");
    for (uint32_t i = 0; status == MASS_OK && i < m->phase_count; i++)
        if (m->phases[i].callback)
            status = prepare(domain->device, &m->phases[i], device_code, &r->prepared[i], error);
    if (status == MASS_OK && m->stream.feed) status = mass_feeder_create(domain, &r->feeder, error);
    if (status != MASS_OK) {
        mass_stepper_free(r);
        return status;
    }
    *out = r;
    return MASS_OK;
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
    mass_world_program_free(r->domain, r->worlds);
    mass_feeder_free(r->feeder);
    free(r->worlds_current);
    free(r->recorded_current);
    free(r->prepared);
    free(r);
}

/* Recorded steps may stop. */
static mass_status set_gates(mass_domain *d, uint32_t phase, bool relative, mass_error *error)
{
    const mass_condition_def *c = &d->model->phases[phase].condition;
    const size_t worlds = (size_t)d->worlds;
    mass_gate_work w = {.worlds = d->worlds, .relation = c->relation,
                        .tally = mass_domain_tally_at(d, c->tally), .value = c->value,
                        .closed = relative ? d->closed.address : NULL, .gates = mass_phase_gates(d, phase)};
    if (c->parameter >= 0) {
        w.parameter = (const uint64_t *)d->parameters.address + (size_t)c->parameter * worlds;
        w.real = d->model->parameters.slots[c->parameter].type == MASS_REAL;
    }
    if (c->population >= 0) {
        w.start = d->populations[c->population].start.address;
        w.places = mass_space_places(&d->model->spaces[d->model->populations[c->population].space]);
    }
    return d->device->table->conditions->gate(d->device, &w, error);
}

static mass_status run_manage(mass_stepper *r, uint32_t index, uint64_t step, bool relative, bool observed,
                              mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_phase_def *phase = &d->model->phases[index];
    const mass_status status = phase->conditional ? set_gates(d, index, relative, error) : MASS_OK;
    if (status != MASS_OK) return status;
    return mass_population_manage(d, index, step, relative, mass_phase_gates(d, index), observed, error);
}

/* Before a phase or after it, what it adds to places. */
static mass_status for_scattered(mass_domain *d, const mass_phase_def *phase,
                                 mass_status (*act)(mass_domain *, uint32_t, int32_t, mass_error *), mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < phase->callback->field_count; i++)
        if (mass_access_of(phase->targets[i].access)->buffer == MASS_BUFFER_CLEARED)
            status = act(d, phase->targets[i].index, phase->reach, error);
    return status;
}

/* One phase over all partitions. `relative` steps count from the device's clock. */
static mass_status run_phase(mass_stepper *r, uint32_t index, uint64_t step, bool relative, bool observed,
                             mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_phase_def *phase = &d->model->phases[index];
    const mass_callback *c = phase->callback;
    const bool counts = phase->tallies && (observed || mass_phase_counts_always(d->model, phase));
    if (phase->keys && !counts) return MASS_OK;
    mass_status status = phase->conditional ? set_gates(d, index, relative, error) : MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < c->field_count; i++)
        if (mass_phase_reads_around(phase, phase->targets[i].access))
            status = mass_ghosts_refresh(d, phase->targets[i].index, error);
    if (status == MASS_OK) status = for_scattered(d, phase, mass_ghosts_clear, error);

    mass_crash_where(d->model->plugin, c->name, step);
    for (int32_t k = 0; status == MASS_OK && k < d->partition_count; k++) {
        const mass_partition *p = &d->partitions[phase->space][k];
        if (d->live && d->live[k] == 0) continue;
        void *fields[256];
        mass_field_memory memory[256];
        mass_phase_bind(d, phase, p, fields, memory);
        const mass_launch launch = mass_phase_launch(d, index, p, step, relative);
        const mass_work work = {r->prepared[index], &launch, fields, memory, counts, step};
        status = d->device->table->launch->launch(d->device, &work, error);
    }
    mass_crash_where(d->model->plugin, NULL, step);
    if (status == MASS_OK) status = for_scattered(d, phase, mass_ghosts_add, error);
    if (status != MASS_OK) return status;

    const uint32_t pushed = c->over == MASS_OVER_AGENTS ? 0 : d->device->table->launch->pushed_axes;
    const uint32_t fresh = mass_phase_own_axes(d, &d->model->spaces[phase->space]) & pushed;
    for (uint32_t i = 0; i < c->field_count; i++) {
        if (!mass_phase_writes_places(phase, phase->targets[i].access)) continue;
        const uint32_t array = phase->targets[i].index;
        if (mass_phase_swaps(phase, d->model, i)) d->current[array] ^= 1;
        const uint32_t its = mass_access_of(phase->targets[i].access)->buffer == MASS_BUFFER_CLEARED ? 0 : fresh;
        for (int32_t k = 0; k < d->partition_count; k++) d->partitions[phase->space][k].arrays[array].fresh = its;
    }
    return MASS_OK;
}

/* A population is there before the first phase that concerns it. */
static mass_status populate_for(mass_domain *d, const mass_phase_def *phase, mass_error *error)
{
    const int concerned[2] = {phase->population, phase->conditional ? phase->condition.population : -1};
    mass_status status = MASS_OK;
    for (int i = 0; status == MASS_OK && i < 2; i++)
        if (concerned[i] >= 0 && !d->populations[concerned[i]].populated)
            status = mass_population_populate(d, (uint32_t)concerned[i], error);
    return status;
}

/* The phases of a schedule from `first` on, and what comes after the last of them. */
static mass_status run_phases(mass_stepper *r, uint32_t schedule, uint32_t first, uint64_t step, bool relative,
                              bool observed, mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_model *m = d->model;
    mass_status status = MASS_OK;
    for (uint32_t i = first; status == MASS_OK && i < m->phase_count; i++) {
        if (m->phases[i].schedule != schedule || m->phases[i].replaced) continue;
        if (schedule == MASS_START) status = populate_for(d, &m->phases[i], error);
        if (status != MASS_OK) return status;
        status = m->phases[i].callback ? run_phase(r, i, step, relative, observed, error)
                                       : run_manage(r, i, step, relative, observed, error);
    }
    for (uint32_t p = 0; status == MASS_OK && p < m->population_count; p++) {
        if (!d->populations[p].populated) status = mass_population_populate(d, p, error);
        if (status == MASS_OK && mass_schedule_leaves_requests(m, p, schedule))
            status = mass_population_drop_requests(d, p, mass_schedule_lacks_manage(m, p, schedule), error);
        if (status == MASS_OK && observed) status = mass_population_census(d, p, error);
    }
    return status;
}

/* All reductions, of the state as it is. */
static mass_status reduce(mass_stepper *r, uint64_t step, bool relative, mass_error *error)
{
    const mass_model *m = r->domain->model;
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < m->tally_count; i++)
        if (m->tallies[i].reduced) status = mass_domain_reset_tally(r->domain, i, error);
    for (uint32_t i = 0; status == MASS_OK && i < m->phase_count; i++)
        if (m->phases[i].schedule == MASS_OBSERVE) status = run_phase(r, i, step, relative, true, error);
    return status;
}

/* Of a pass that has ended. */
static mass_status count_items(mass_stepper *r, mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_model *m = d->model;
    if (m->stream.total < 0) return MASS_OK;
    const mass_tally_def *t = &m->tallies[m->stream.total];
    const uint64_t items = t->cumulative ? mass_feeder_total(r->feeder) : mass_feeder_given(r->feeder);
    return mass_buffer_fill(mass_domain_tally(d, (uint32_t)m->stream.total), &items, sizeof items, 1, error);
}

/* A pass may take hours, and its state is that of no step. */
static mass_status check_pass(const mass_stepper *r, uint64_t step, mass_error *error)
{
    if (!mass_signals_end_is_due()) return MASS_OK;
    return mass_error_set(error, MASS_INTERRUPTED, "interrupted in step %" PRIu64 ", after %" PRIu64 " items of its "
                          "input: a run resumes from its last checkpoint", step, mass_feeder_given(r->feeder));
}

/* The phases over one piece of the input after the other. */
static mass_status run_pass(mass_stepper *r, uint64_t step, bool observed, mass_error *error)
{
    bool more = true;
    mass_status status = MASS_OK;
    while (status == MASS_OK && more) {
        status = mass_feeder_next(r->feeder, &more, error);
        if (status == MASS_OK && more) status = run_phases(r, MASS_STEP, 0, step, false, observed, error);
        if (status == MASS_OK && more) status = mass_feeder_done(r->feeder, error);
        if (status == MASS_OK && !more) status = count_items(r, error);
        else if (status == MASS_OK) status = check_pass(r, step, error);
        if (r->watch && r->watch->fed) r->watch->fed(r->watch->context, r->step, mass_feeder_given(r->feeder));
    }
    return status;
}

static mass_status run_schedule(mass_stepper *r, uint32_t schedule, uint64_t step, bool relative, bool observed,
                                mass_error *error)
{
    mass_domain *d = r->domain;
    mass_status status = MASS_OK;
    if (observed || mass_schedule_looks_at_tallies(d->model))
        status = mass_domain_reset_tallies(d, schedule == MASS_START, error);
    if (status == MASS_OK && r->feeder && schedule == MASS_STEP) status = run_pass(r, step, observed, error);
    else if (status == MASS_OK) status = run_phases(r, schedule, 0, step, relative, observed, error);
    return status == MASS_OK && observed ? reduce(r, step, relative, error) : status;
}

mass_status mass_stepper_start(mass_stepper *r, mass_error *error)
{
    const mass_status status = run_schedule(r, MASS_START, 0, false, true, error);
    return status == MASS_OK ? r->domain->device->table->launch->synchronise(r->domain->device, error) : status;
}

mass_status mass_stepper_resume(mass_stepper *r, mass_error *error)
{
    const mass_status status = reduce(r, r->step, false, error);
    return status == MASS_OK ? r->domain->device->table->launch->synchronise(r->domain->device, error) : status;
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

/* After a step: whether that was the last one. */
static mass_status look(mass_stepper *r, mass_error *error)
{
    if (!r->domain->until) return MASS_OK;
    uint64_t held = MASS_NOT_HELD;
    mass_status status = mass_until_look(r->domain, r->step, false, error);
    if (status == MASS_OK) status = mass_until_held(r->domain, &held, error);
    r->held = held != MASS_NOT_HELD;
    return status;
}

/* ---- recorded steps ---- */

/* With a stop condition, tallies count in every step. */
static bool is_observed(const mass_stepper *r) { return r->domain->until || (r->watch && r->watch->every); }

static bool may_stop(const mass_stepper *r) { return r->grows || r->domain->until; }

/* Populations that went to other arrays end what was recorded. */
static void heed_changes(mass_stepper *r)
{
    if (r->changes == r->domain->changes) return;
    discard_recording(r);
    r->changes = r->domain->changes;
    r->recordable_after = r->step + 2;
}

static mass_status record(mass_stepper *r, mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_device_table *t = d->device->table;
    copy_current(d, r->recorded_current);
    mass_status status = t->record->begin(d->device, error);
    for (uint64_t i = 1; status == MASS_OK && i <= RECORDED_STEPS; i++) {
        if (r->grows) status = mass_population_guard(d, i, error);
        if (status == MASS_OK) status = run_schedule(r, MASS_STEP, i, true, is_observed(r), error);
        if (status == MASS_OK && d->until) status = mass_until_look(d, i, true, error);
    }
    if (status != MASS_OK) return status;
    return t->record->end(d->device, d->clock.address, RECORDED_STEPS, &r->recording, error);
}

/* Whether the next RECORDED_STEPS can be a replay; they must leave at least the last step to run. */
static bool can_replay(const mass_stepper *r, uint64_t last)
{
    const mass_device_table *t = r->domain->device->table;
    if (!t->record || r->feeder || (r->watch && r->watch->every) || (may_stop(r) && !t->record->take_stop) ||
        r->scarce || last - r->step <= RECORDED_STEPS || r->step < r->recordable_after)
        return false;
    return !r->recording || is_current(r->domain, r->recorded_current);
}

/* What a phase turns round. */
static void turn_buffers(mass_domain *d, const mass_phase_def *phase)
{
    if (!phase->callback) d->populations[phase->population].current ^= 1;
    for (uint32_t i = 0; phase->callback && i < phase->callback->field_count; i++)
        if (mass_phase_swaps(phase, d->model, i)) d->current[phase->targets[i].index] ^= 1;
}

/* To where the device stands: in the step after `step`, before `phase`. */
static void go_back(mass_stepper *r, uint64_t step, uint32_t phase)
{
    mass_domain *d = r->domain;
    const mass_model *m = d->model;
    const bool odd = (step - r->replayed_from) % 2;
    for (uint32_t i = 0; i < m->phase_count; i++) {
        if (m->phases[i].schedule != MASS_STEP) continue;
        if (odd) turn_buffers(d, &m->phases[i]);
        if (i < phase) turn_buffers(d, &m->phases[i]);
    }
    r->step = step;
}

/* In the middle of a step, ghosts are not those of its end. */
static void forget_ghosts(mass_domain *d)
{
    for (uint32_t s = 0; s < d->model->space_count; s++)
        for (int32_t k = 0; k < d->partition_count; k++)
            for (uint32_t i = 0; i < d->model->array_count; i++) d->partitions[s][k].arrays[i].fresh = 0;
}

/* If replays have stopped: completes the step that they stopped in, with more room. Before a step, it leaves that
 * to check_room, or the run ends. Looks only at what is known already, unless it may wait. */
static mass_status heed_stop(mass_stepper *r, bool wait, mass_error *error)
{
    static const uint32_t open = 0;
    mass_domain *d = r->domain;
    const mass_device_table *t = d->device->table;
    mass_stop stop = {0};
    mass_status status = may_stop(r) ? t->record->take_stop(d->device, wait, &stop, error) : MASS_OK;
    if (wait || stop.stopped) r->replaying = false;
    if (status != MASS_OK || !stop.stopped) return status;
    r->held = stop.phase == MASS_HELD;
    r->scarce = stop.phase == MASS_BEFORE_STEP;
    const bool complete = r->held || r->scarce;
    go_back(r, stop.step - 1, complete ? 0 : stop.phase);
    status = mass_buffer_fill(d->closed, &open, sizeof open, (size_t)d->worlds, error);
    if (status != MASS_OK || complete) return status;
    forget_ghosts(d);
    status = run_phases(r, MASS_STEP, stop.phase, stop.step, false, is_observed(r), error);
    if (status == MASS_OK && is_observed(r)) status = reduce(r, stop.step, false, error);
    if (status != MASS_OK) return status;
    r->step++;
    heed_changes(r);
    return look(r, error);
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
    }
    if (status == MASS_OK) status = t->record->replay(d->device, r->recording, error);
    if (status == MASS_OK) status = t->record->keep_up(d->device, REPLAYS_AHEAD, error);
    if (status != MASS_OK) return status;
    r->step += RECORDED_STEPS;
    return heed_stop(r, false, error);
}

/* Small worlds run on their own as far as they can; *ran tells whether they did. At least the last step is left
 * to be looked at. */
static mass_status run_small_worlds(mass_stepper *r, uint64_t last, bool *ran, mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_device_table *t = d->device->table;
    mass_status status = MASS_OK;
    *ran = false;
    const bool every = r->watch && r->watch->every;
    if (d->until || every || r->step < r->recordable_after || last - r->step < 3) return MASS_OK;
    if (!r->looked_for_worlds) {
        copy_current(d, r->worlds_current);
        r->looked_for_worlds = true;
        status = mass_world_program_create(d, &r->worlds, error);
    }
    if (!r->worlds || !is_current(d, r->worlds_current)) return status;
    const uint64_t pairs = (last - 1 - r->step) / 2, most = PAIRS_AT_ONCE / (1 + (uint64_t)d->worlds / WORLDS_AT_ONCE);
    const uint64_t now = pairs < most ? pairs : most ? most : 1;
    *ran = true;
    r->replaying = false;
    status = t->small_worlds->steps(d->device, r->worlds, r->step, now, error);
    if (status == MASS_OK) status = t->record->keep_up(d->device, REPLAYS_AHEAD, error);
    if (status == MASS_OK) r->step += 2 * now;
    return status;
}

/* ---- one step after the other ---- */

static mass_status run_step(mass_stepper *r, uint64_t last, mass_error *error)
{
    const uint64_t next = r->step + 1;
    mass_status status = MASS_OK;
    if (r->grows) {
        status = mass_population_check_room(r->domain, next, &r->scarce, error);
        r->out_of_room = status == MASS_NO_DEVICE;
    }
    /* Where memory is scarce, the step may turn out to be the last one. */
    const bool observed = r->scarce || next == last || is_observed(r);
    if (status == MASS_OK) status = run_schedule(r, MASS_STEP, next, false, observed, error);
    if (status != MASS_OK) return status;
    r->step = next;
    heed_changes(r);
    return look(r, error);
}

/* A sum of doubles has room for so many steps. */
static mass_status carry_sums(mass_stepper *r, mass_error *error)
{
    const uint64_t most = mass_domain_steps_to_carry(r->domain);
    if (most == 0 || r->step - r->carried < most) return MASS_OK;
    r->carried = r->step;
    return mass_domain_carry_sums(r->domain, error);
}

mass_status mass_stepper_advance(mass_stepper *r, uint64_t last, const mass_step_watch *watch, mass_error *error)
{
    mass_status status = MASS_OK;
    r->watch = watch;
    heed_changes(r);
    while (status == MASS_OK && r->step < last && !r->held) {
        if (watch && watch->stop && watch->stop(watch->context, r->step)) last = r->step + 1;
        bool ran;
        status = carry_sums(r, error);
        if (status == MASS_OK) status = run_small_worlds(r, last, &ran, error);
        if (status != MASS_OK || ran) continue;
        if (can_replay(r, last)) status = replay(r, error);
        else if (r->replaying) status = heed_stop(r, true, error);
        else status = run_step(r, last, error);
    }
    return status == MASS_OK ? r->domain->device->table->launch->synchronise(r->domain->device, error) : status;
}
