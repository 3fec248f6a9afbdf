#include "run/stepper.h"
#include "domain/population.h"
#include "domain/until.h"
#include "run/crash.h"

#include <stdlib.h>
#include <string.h>

enum {
    RECORDED_STEPS = 32, /* even, so that buffers stand at its end as at its start */
    REPLAYS_AHEAD = 2
};

mass_status mass_stepper_create(mass_domain *domain, const void *device_code, uint64_t step, mass_stepper **out,
                            mass_error *error)
{
    const mass_model *m = domain->model;
    mass_stepper *r = calloc(1, sizeof *r);
    if (!r) return mass_error_memory(error, sizeof *r, "the run");
    r->domain = domain;
    r->step = step;
    r->recordable_after = step + 2;
    r->prepared = calloc(m->phase_count ? m->phase_count : 1, sizeof *r->prepared);
    r->recorded_current = calloc(m->array_count + m->population_count + 1, 1);
    mass_status status = r->prepared && r->recorded_current ? MASS_OK : mass_error_memory(error, 1, "the run");
    for (uint32_t i = 0; status == MASS_OK && i < m->phase_count; i++)
        if (m->phases[i].callback)
            status = domain->device->table->prepare(domain->device, m->phases[i].callback, device_code, &r->prepared[i],
                                                    error);
    if (status != MASS_OK) {
        mass_stepper_free(r);
        return status;
    }
    *out = r;
    return MASS_OK;
}

void mass_stepper_free(mass_stepper *r)
{
    if (!r) return;
    if (r->recording) r->domain->device->table->discard(r->domain->device, r->recording);
    free(r->recorded_current);
    free(r->prepared);
    free(r);
}

/* Whether a phase reads the old values of an array and writes its new ones. */
static bool swaps(const mass_phase_def *phase, const mass_model *m, uint32_t i)
{
    if (phase->callback->over == MASS_OVER_AGENTS || phase->targets[i].access != MASS_WRITE ||
        !m->arrays[phase->targets[i].index].buffered)
        return false;
    for (uint32_t k = 0; k < phase->callback->field_count; k++)
        if (phase->targets[k].access == MASS_READ && phase->targets[k].index == phase->targets[i].index) return true;
    return false;
}

/* Whether a field is of the population's agents. */
static bool of_agents(const mass_phase_def *phase, uint32_t access)
{
    if (phase->callback->over == MASS_OVER_AGENTS) return access != MASS_PLACE;
    return access == MASS_RESIDENT || access == MASS_RESIDENT_UPDATE;
}

static bool writes_places(const mass_phase_def *phase, uint32_t access)
{
    return (access == MASS_WRITE || access == MASS_UPDATE) && !of_agents(phase, access);
}

static bool reads_around(const mass_phase_def *phase, uint32_t access)
{
    return phase->reach > 0 && (access == MASS_PLACE || (access == MASS_READ && !of_agents(phase, access)));
}

static void bind_agents(const mass_domain *d, const mass_phase_def *phase, uint32_t i, void **fields,
                        mass_field_memory *memory)
{
    const mass_target *t = &phase->targets[i];
    const uint32_t population = (uint32_t)phase->population;
    const size_t size = d->model->arrays[t->index].element_size, room = d->populations[population].room;
    const bool child = t->access == MASS_CHILD;
    fields[i] = child ? mass_population_child(d, population, t->index) : mass_population_array(d, population, t->index);
    memory[i] = (mass_field_memory){fields[i], room * size * (child ? d->model->populations[population].children : 1),
                                    size, &d->model->attributes[d->model->arrays[t->index].attribute]};
}

static void bind(const mass_domain *d, const mass_phase_def *phase, const mass_partition *p, void **fields,
                 mass_field_memory *memory)
{
    for (uint32_t i = 0; i < phase->callback->field_count; i++) {
        const mass_target *t = &phase->targets[i];
        memory[i] = (mass_field_memory){0};
        if (t->access == MASS_PARAM) fields[i] = d->parameters + (size_t)t->index * (size_t)d->worlds;
        else if (t->access >= MASS_SUM && t->access <= MASS_MAX)
            fields[i] = d->tallies + (size_t)t->index * (size_t)d->worlds;
        else if (of_agents(phase, t->access)) bind_agents(d, phase, i, fields, memory);
        else {
            const bool next = swaps(phase, d->model, i);
            fields[i] = mass_array_at(d, p, t->index, next);
            const mass_array_def *array = &d->model->arrays[t->index];
            memory[i] = (mass_field_memory){p->arrays[t->index].buffer[d->current[t->index] ^ (next ? 1u : 0u)],
                                            p->arrays[t->index].bytes, array->element_size,
                                            &d->model->attributes[array->attribute]};
        }
    }
}

/* Axes whose ghosts a partition can fill from its own places: those that wrap and are not cut. */
static uint32_t own_axes(const mass_domain *d, const mass_space_def *s)
{
    const uint32_t cut = d->partition_count > 1 ? 1u << mass_slab_axis(s) : 0;
    return s->torus & ~cut;
}

/* The gates of a conditional phase, NULL of another. */
static uint32_t *gates_of(const mass_domain *d, uint32_t phase)
{
    return d->model->phases[phase].conditional ? d->gates + (size_t)phase * (size_t)d->worlds : NULL;
}

static mass_status set_gates(mass_domain *d, uint32_t phase, mass_error *error)
{
    const mass_condition_def *c = &d->model->phases[phase].condition;
    const size_t worlds = (size_t)d->worlds;
    mass_gate_work w = {.worlds = d->worlds, .relation = c->relation, .tally = d->tallies + c->tally * worlds,
                        .value = c->value, .gates = gates_of(d, phase)};
    if (c->parameter >= 0) {
        w.parameter = d->parameters + (size_t)c->parameter * worlds;
        w.real = d->model->parameters.slots[c->parameter].type == MASS_REAL;
    }
    if (c->population >= 0) {
        w.start = d->populations[c->population].start;
        w.places = mass_space_places(&d->model->spaces[d->model->populations[c->population].space]);
    }
    return d->device->table->gate(d->device, &w, error);
}

static mass_launch make_launch(const mass_domain *d, uint32_t phase, const mass_partition *p, uint64_t step,
                               bool relative)
{
    const mass_space_def *s = &d->model->spaces[d->model->phases[phase].space];
    const mass_layout *l = &p->layout;
    mass_launch launch = {.struct_size = sizeof launch, .phase = phase, .step = step,
        .clock = relative ? d->clock : NULL, .keys = d->keys, .world_stride = l->world_stride, .plane = l->plane,
        .pitch = l->pitch, .first_world = d->first_world, .worlds = d->worlds, .torus = s->torus,
        .push = own_axes(d, s) & d->device->table->pushed_axes, .gates = gates_of(d, phase)};
    const mass_phase_def *def = &d->model->phases[phase];
    if (def->callback->over == MASS_OVER_AGENTS) launch.push = 0;
    if (def->population >= 0) launch.agents = mass_population_agents(d, def);
    for (int a = 0; a < 3; a++) {
        launch.origin[a] = l->origin[a];
        launch.size[a] = s->size[a];
        launch.extent[a] = l->extent[a];
        launch.ghost[a] = l->ghost[a];
    }
    return launch;
}

/* Whether a phase adds to tallies in a step that nobody looks at. */
static bool counts_always(const mass_model *m, const mass_phase_def *phase)
{
    bool needed = phase->cumulative;
    for (uint32_t i = 0; i < phase->callback->field_count; i++)
        needed |= phase->targets[i].access >= MASS_SUM && phase->targets[i].access <= MASS_MAX &&
                  m->tallies[phase->targets[i].index].needed;
    return needed;
}

static mass_status run_manage(mass_stepper *r, uint32_t index, uint64_t step, bool relative, bool observed,
                              mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_phase_def *phase = &d->model->phases[index];
    const mass_status status = phase->conditional ? set_gates(d, index, error) : MASS_OK;
    return status == MASS_OK ? mass_population_manage(d, index, step, relative, gates_of(d, index), observed, error)
                             : status;
}

/* One phase over all partitions. `relative` steps count from the device's clock. */
static mass_status run_phase(mass_stepper *r, uint32_t index, uint64_t step, bool relative, bool observed,
                             mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_phase_def *phase = &d->model->phases[index];
    const mass_callback *c = phase->callback;
    mass_status status = phase->conditional ? set_gates(d, index, error) : MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < c->field_count; i++)
        if (reads_around(phase, phase->targets[i].access))
            status = mass_ghosts_refresh(d, phase->targets[i].index, error);

    mass_crash_where(d->model->plugin, c->name, step);
    for (int32_t k = 0; status == MASS_OK && k < d->partition_count; k++) {
        const mass_partition *p = &d->partitions[phase->space][k];
        void *fields[256];
        mass_field_memory memory[256];
        bind(d, phase, p, fields, memory);
        const mass_launch launch = make_launch(d, index, p, step, relative);
        const mass_work work = {r->prepared[index], &launch, fields, memory,
                                phase->tallies && (observed || counts_always(d->model, phase)), step};
        status = d->device->table->launch(d->device, &work, error);
    }
    mass_crash_where(d->model->plugin, NULL, step);
    if (status != MASS_OK) return status;

    const uint32_t fresh = own_axes(d, &d->model->spaces[phase->space]) & d->device->table->pushed_axes;
    for (uint32_t i = 0; i < c->field_count; i++) {
        if (!writes_places(phase, phase->targets[i].access)) continue;
        const uint32_t array = phase->targets[i].index;
        if (swaps(phase, d->model, i)) d->current[array] ^= 1;
        for (int32_t k = 0; k < d->partition_count; k++) d->partitions[phase->space][k].arrays[array].fresh = fresh;
    }
    return MASS_OK;
}

static bool looks_at_tallies(const mass_model *m)
{
    for (uint32_t i = 0; i < m->tally_count; i++)
        if (m->tallies[i].needed) return true;
    return false;
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

/* Whether agents may have asked for something that no manage of the schedule has carried out: such
 * requests end with it. */
static bool leaves_requests(const mass_model *m, uint32_t population, uint32_t schedule)
{
    bool left = false;
    for (uint32_t i = 0; i < m->phase_count; i++) {
        const mass_phase_def *p = &m->phases[i];
        if (p->schedule != schedule || p->population != (int32_t)population) continue;
        if (p->callback) left |= p->callback->over == MASS_OVER_AGENTS;
        else if (!p->conditional) left = false;
    }
    return left;
}

static mass_status run_schedule(mass_stepper *r, uint32_t schedule, uint64_t step, bool relative, bool observed,
                                mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_model *m = d->model;
    mass_status status = observed || looks_at_tallies(m) ? mass_domain_reset_tallies(d, schedule == MASS_START, error)
                                                         : MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < m->phase_count; i++) {
        if (m->phases[i].schedule != schedule) continue;
        if (schedule == MASS_START) status = populate_for(d, &m->phases[i], error);
        if (status != MASS_OK) return status;
        status = m->phases[i].callback ? run_phase(r, i, step, relative, observed, error)
                                       : run_manage(r, i, step, relative, observed, error);
    }
    for (uint32_t p = 0; status == MASS_OK && p < m->population_count; p++) {
        if (!d->populations[p].populated) status = mass_population_populate(d, p, error);
        if (status == MASS_OK && leaves_requests(m, p, schedule)) status = mass_population_drop_requests(d, p, error);
        if (status == MASS_OK && observed) status = mass_population_census(d, p, error);
    }
    return status;
}

mass_status mass_stepper_start(mass_stepper *r, mass_error *error)
{
    const mass_status status = run_schedule(r, MASS_START, 0, false, true, error);
    return status == MASS_OK ? r->domain->device->table->synchronise(r->domain->device, error) : status;
}

/* Which buffers hold the present values. */
static void copy_current(const mass_domain *d, uint8_t *out)
{
    memcpy(out, d->current, d->model->array_count);
    for (uint32_t p = 0; p < d->model->population_count; p++) out[d->model->array_count + p] = d->populations[p].current;
}

static bool is_current(const mass_domain *d, const uint8_t *recorded)
{
    bool same = memcmp(recorded, d->current, d->model->array_count) == 0;
    for (uint32_t p = 0; p < d->model->population_count; p++)
        same &= recorded[d->model->array_count + p] == d->populations[p].current;
    return same;
}

/* Births may take more room, which the host has to see to before the next phase. */
static bool can_grow(const mass_model *m)
{
    for (uint32_t p = 0; p < m->population_count; p++)
        if (m->populations[p].children) return true;
    return false;
}

static mass_status record(mass_stepper *r, mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_device_table *t = d->device->table;
    copy_current(d, r->recorded_current);
    mass_status status = t->record(d->device, error);
    for (uint64_t i = 1; status == MASS_OK && i <= RECORDED_STEPS; i++)
        status = run_schedule(r, MASS_STEP, i, true, false, error);
    return status == MASS_OK ? t->recorded(d->device, d->clock, RECORDED_STEPS, &r->recording, error) : status;
}

/* Whether the next RECORDED_STEPS can be a replay; they must leave at least the last step to run. */
static bool can_replay(const mass_stepper *r, uint64_t last)
{
    const mass_domain *d = r->domain;
    if (!d->device->table->record || d->until || can_grow(d->model) || last - r->step <= RECORDED_STEPS ||
        r->step < r->recordable_after)
        return false;
    return !r->recording || is_current(d, r->recorded_current);
}

static mass_status replay(mass_stepper *r, bool *clock_is_set, mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_device_table *t = d->device->table;
    mass_status status = r->recording ? MASS_OK : record(r, error);
    if (status == MASS_OK && !*clock_is_set) status = t->upload(d->device, d->clock, &r->step, sizeof r->step, error);
    *clock_is_set = true;
    if (status == MASS_OK) status = t->replay(d->device, r->recording, error);
    if (status == MASS_OK) status = t->keep_up(d->device, REPLAYS_AHEAD, error);
    if (status == MASS_OK) r->step += RECORDED_STEPS;
    return status;
}

/* *scarce: the step may turn out to be the last one. */
static mass_status check_room(mass_stepper *r, bool *scarce, mass_error *error)
{
    mass_domain *d = r->domain;
    mass_status status = MASS_OK;
    for (uint32_t p = 0; status == MASS_OK && p < d->model->population_count; p++)
        if (d->model->populations[p].children) status = mass_population_check_room(d, p, r->step + 1, scarce, error);
    r->out_of_room = status == MASS_NO_DEVICE;
    return status;
}

/* After a step: whether that was the last one. */
static mass_status look(mass_stepper *r, mass_error *error)
{
    uint64_t held = MASS_NOT_HELD;
    mass_status status = r->domain->until ? mass_until_look(r->domain, r->step, error) : MASS_OK;
    if (status == MASS_OK && r->domain->until) status = mass_until_held(r->domain, &held, error);
    r->held = held != MASS_NOT_HELD;
    return status;
}

mass_status mass_stepper_advance(mass_stepper *r, uint64_t last, const mass_step_watch *watch, mass_error *error)
{
    mass_status status = MASS_OK;
    bool clock_is_set = false;
    while (status == MASS_OK && r->step < last && !r->held) {
        if (watch && watch->stop(watch->context, r->step)) last = r->step + 1;
        if (can_replay(r, last)) {
            status = replay(r, &clock_is_set, error);
            continue;
        }
        bool scarce = false;
        status = check_room(r, &scarce, error);
        if (status != MASS_OK) break;
        const bool observed = scarce || r->step + 1 == last || r->domain->until;
        status = run_schedule(r, MASS_STEP, r->step + 1, false, observed, error);
        if (status == MASS_OK) r->step++;
        if (status == MASS_OK) status = look(r, error);
        clock_is_set = false;
    }
    return status == MASS_OK ? r->domain->device->table->synchronise(r->domain->device, error) : status;
}
