/* SPDX-License-Identifier: Apache-2.0 */
#include "run/phase.h"
#include "domain/population.h"

bool mass_phase_swaps(const mass_phase_def *phase, const mass_model *m, uint32_t i)
{
    const mass_target *new = &phase->targets[i];
    if (mass_access_of(new->access)->buffer != MASS_BUFFER_NEW || !m->arrays[new->index].buffered) return false;
    for (uint32_t k = 0; k < phase->callback->field_count; k++)
        if (mass_access_keeps_apart(phase->targets[k].access, new->access, phase->callback->over) &&
            phase->targets[k].index == new->index)
            return true;
    return false;
}

bool mass_phase_is_of_agents(const mass_phase_def *phase, uint32_t access)
{
    return mass_access_is_of_agents(access, phase->callback->over);
}

bool mass_phase_writes_places(const mass_phase_def *phase, uint32_t access)
{
    return mass_access_does_to_places(access, phase->callback->over, MASS_EFFECT_WRITES | MASS_EFFECT_ADDS);
}

bool mass_phase_reads_around(const mass_phase_def *phase, uint32_t access)
{
    return phase->reach != 0 && mass_access_of(access)->reach == MASS_REACH_AROUND &&
           mass_access_does_to_places(access, phase->callback->over, MASS_EFFECT_READS);
}

static void bind_agents(const mass_domain *d, const mass_phase_def *phase, uint32_t i, void **fields,
                        mass_field_memory *memory)
{
    const mass_target *t = &phase->targets[i];
    const uint32_t population = (uint32_t)phase->population;
    const size_t size = d->model->arrays[t->index].element_size, room = d->populations[population].room;
    const bool child = mass_phase_class(phase, i) == MASS_CLASS_REQUEST;
    const mass_buffer array = child ? mass_population_child(d, population, t->index)
                                    : mass_population_array(d, population, t->index);
    fields[i] = array.address;
    memory[i] = (mass_field_memory){.start = array.address, .element_size = size,
        .bytes = room * size * (child ? mass_rows_of_children(&d->model->populations[population]) : 1),
        .attribute = &d->model->attributes[d->model->arrays[t->index].attribute]};
}

void mass_phase_bind(const mass_domain *d, const mass_phase_def *phase, const mass_partition *p, void **fields,
                     mass_field_memory *memory)
{
    for (uint32_t i = 0; i < phase->callback->field_count; i++) {
        const mass_target *t = &phase->targets[i];
        memory[i] = (mass_field_memory){0};
        const mass_access_class class = mass_phase_class(phase, i);
        if (class == MASS_CLASS_WORLD)
            fields[i] = (uint64_t *)d->parameters.address + (size_t)t->index * (size_t)d->worlds;
        else if (class == MASS_CLASS_ACCUMULATOR) {
            const mass_tally_def *tally = &d->model->tallies[t->index];
            fields[i] = mass_domain_tally_at(d, t->index);
            memory[i] = (mass_field_memory){.words = tally->words, .method = tally->method,
                                            .keys = tally->keys ? d->key_counts[t->index] : NULL};
        } else if (class != MASS_CLASS_PLACES) bind_agents(d, phase, i, fields, memory);
        else {
            const bool next = mass_phase_swaps(phase, d->model, i);
            fields[i] = mass_array_at(d, p, t->index, next);
            const mass_array_def *array = &d->model->arrays[t->index];
            const mass_buffer *buffer = &p->arrays[t->index].buffer[d->current[t->index] ^ (next ? 1u : 0u)];
            memory[i] = (mass_field_memory){.start = buffer->address, .bytes = buffer->bytes,
                .element_size = array->element_size,
                .attribute = &d->model->attributes[array->attribute]};
        }
    }
}

uint32_t mass_phase_own_axes(const mass_domain *d, const mass_space_def *s)
{
    const uint32_t cut = d->partition_count > 1 ? 1u << mass_slab_axis(s) : 0;
    return s->torus & ~cut;
}

uint32_t *mass_phase_gates(const mass_domain *d, uint32_t phase)
{
    uint32_t *const gates = d->gates.address;
    return d->model->phases[phase].conditional ? gates + (size_t)phase * (size_t)d->worlds : NULL;
}

mass_launch mass_phase_launch(const mass_domain *d, uint32_t phase, const mass_partition *p, uint64_t step,
                               bool relative)
{
    const mass_space_def *s = &d->model->spaces[d->model->phases[phase].space];
    const mass_layout *l = &p->layout;
    const uint32_t *gates = mass_phase_gates(d, phase);
    mass_launch launch = {.struct_size = sizeof launch, .phase = phase, .step = step,
        .clock = relative ? d->clock.address : NULL, .keys = d->keys.address, .world_stride = l->world_stride,
        .plane = l->plane, .pitch = l->pitch, .first_world = d->first_world, .worlds = d->worlds, .torus = s->torus,
        .push = mass_phase_own_axes(d, s) & d->device->table->launch->pushed_axes,
        .gates = gates || !relative ? gates : d->closed.address};
    const mass_phase_def *def = &d->model->phases[phase];
    if (def->callback->over == MASS_OVER_AGENTS) launch.push = 0;
    launch.reach = def->reach;
    launch.stray = (mass_stray *)d->strays.address + phase;
    if (def->population >= 0) launch.agents = mass_population_agents(d, def);
    for (uint32_t i = 0, k = 0; i < def->callback->field_count; i++) {
        if (def->targets[i].access != MASS_BINS) continue;
        const uint32_t bins = d->model->tallies[def->targets[i].index].bins;
        launch.bins[k++] = (mass_bins){.length = bins, .count = bins, .local = MASS_BINS_GLOBAL};
    }
    if (d->live) launch.extent[0] = (mass_lidx)d->live[p - d->partitions[def->space]];
    for (int a = d->live ? 1 : 0; a < 3; a++) launch.extent[a] = l->extent[a];
    for (int a = 0; a < 3; a++) {
        launch.origin[a] = l->origin[a];
        launch.size[a] = s->size[a];
        launch.ghost[a] = l->ghost[a];
    }
    return launch;
}

bool mass_phase_counts_always(const mass_model *m, const mass_phase_def *phase)
{
    bool needed = phase->cumulative;
    for (uint32_t i = 0; i < phase->callback->field_count; i++)
        needed |= mass_access_is_tally(phase->targets[i].access) && m->tallies[phase->targets[i].index].needed;
    return needed;
}

bool mass_schedule_looks_at_tallies(const mass_model *m)
{
    for (uint32_t i = 0; i < m->tally_count; i++)
        if (m->tallies[i].needed) return true;
    return false;
}

bool mass_schedule_leaves_requests(const mass_model *m, uint32_t population, uint32_t schedule)
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

bool mass_schedule_lacks_manage(const mass_model *m, uint32_t population, uint32_t schedule)
{
    bool conditional = false;
    for (uint32_t i = 0; i < m->phase_count; i++)
        conditional |= !m->phases[i].callback && m->phases[i].conditional && m->phases[i].schedule == schedule &&
                       m->phases[i].population == (int32_t)population;
    return !conditional && mass_schedule_leaves_requests(m, population, schedule);
}
