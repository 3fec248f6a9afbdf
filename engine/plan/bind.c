/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/bind.h"
#include "model/list.h"
#include "model/anybody.h"
#include "model/network.h"
#include "plan/phase.h"
#include "population/anybody.h"
#include "population/nearby.h"
#include "population/population.h"
#include "population/positions.h"
#include "population/sprout_requests.h"
#include "state/edges.h"
#include "state/tally.h"

/* Sets the address and memory of a field of the agents of all ranks: their values, or the sums for them. */
static void bind_of_all(const mass_domain *d, const mass_operand *o, uint32_t population, void **field,
                        mass_field_memory *memory)
{
    const mass_population_state *s = &d->populations[population];
    const mass_agent_buffers *b = &s->arrays[o->index - d->model->populations[population].first_array];
    const mass_array_def *a = &d->model->arrays[o->index];
    *field = o->use & MASS_WRITES ? b->sums.address : b->of_all.address;
    *memory = (mass_field_memory){.start = *field, .element_size = a->element_size,
                                  .bytes = s->room_of_all * (size_t)a->element_size};
}

/* Sets the address and memory of a field of agents: their values, those for children or sprouts, copies from before the
 * phase, or sums. */
static void bind_agents(const mass_domain *d, const mass_operand *o, void **field, mass_field_memory *memory)
{
    const uint32_t population = (uint32_t)d->model->attributes[d->model->arrays[o->index].attribute].population;
    const size_t size = d->model->arrays[o->index].element_size, room = d->populations[population].room;
    const bool child = o->data == MASS_DATA_CHILDREN;
    if (o->of_all) {
        bind_of_all(d, o, population, field, memory);
        return;
    }
    if (o->data == MASS_DATA_SPROUTS) {
        const mass_buffer values = mass_population_sprout_values(d, population, o->index);
        *field = values.address;
        *memory = (mass_field_memory){.start = values.address, .element_size = size, .bytes = values.bytes,
            .attribute = &d->model->attributes[d->model->arrays[o->index].attribute]};
        return;
    }
    const bool apart = o->data == MASS_DATA_BEFORE || o->data == MASS_DATA_ADDED;
    const mass_buffer array = child   ? mass_population_child(d, population, o->index)
                              : apart ? mass_nearby_array(d, population, o->index, o->data == MASS_DATA_ADDED)
                                      : mass_population_array(d, population, o->index);
    *field = array.address;
    *memory = (mass_field_memory){.start = array.address, .element_size = size,
        .bytes = apart ? array.bytes
                       : room * size * (child ? mass_rows_of_children(&d->model->populations[population]) : 1),
        .attribute = o->data == MASS_DATA_ADDED ? NULL : &d->model->attributes[d->model->arrays[o->index].attribute]};
}

/* Sets the address and memory of a field of places in one partition. */
static void bind_places(const mass_domain *d, const mass_partition *p, const mass_operand *o, void **field,
                        mass_field_memory *memory)
{
    const mass_array_def *array = &d->model->arrays[o->index];
    const mass_buffer *buffer = &p->arrays[o->index].buffer[d->current[o->index] ^ (o->next ? 1u : 0u)];
    *field = mass_array_at(d, p, o->index, o->next);
    *memory = (mass_field_memory){.start = buffer->address, .bytes = buffer->bytes,
        .element_size = array->element_size,
        .attribute = &d->model->attributes[array->attribute]};
}

/* Sets the address and memory of a field of linked nodes, or of edges. */
static void bind_edges(const mass_domain *d, const mass_operand *o, size_t size, void **field,
                       mass_field_memory *memory)
{
    const mass_buffer b = o->data == MASS_DATA_LINKED ? mass_domain_linked(d, o->index)
                                                      : mass_domain_edge_values(d, o->index);
    *field = b.address;
    *memory = (mass_field_memory){.start = b.address, .element_size = size, .bytes = b.bytes};
}

/* Sets the address and layout of a tally's accumulators. */
static void bind_tally(const mass_domain *d, const mass_operand *o, void **field, mass_field_memory *memory)
{
    const mass_tally_def *tally = &d->model->tallies[o->index];
    *field = mass_domain_tally_at(d, o->index);
    *memory = (mass_field_memory){.words = tally->words, .method = tally->method,
                                  .doubles = mass_tally_is_kept(tally) && tally->kind == MASS_TALLY_REAL,
                                  .keys = tally->keys ? d->key_counts[o->index] : NULL};
}

/* Returns where the device has a parameter, a value of a reduction or a list, in words for each world. index: of the
 * parameter or list; values of reductions are numbered from parameters.count on. Lists follow all others. */
static size_t word_of(const mass_model *m, uint32_t index)
{
    const mass_parameters *list = &m->parameters;
    if (index >= list->count || !list->slots[index].list) return index;
    return list->count + mass_model_reduction_values(m) + mass_list_words_before(list, index);
}

void mass_launch_bind(const mass_domain *d, const mass_plan_operation *launch, const mass_partition *p, void **fields,
                      mass_field_memory *memory)
{
    const mass_phase_def *phase = &d->model->phases[launch->phase];
    for (uint32_t i = 0; i < phase->callback->field_count; i++) {
        const mass_operand *o = &launch->operands[i];
        if (o->data == MASS_DATA_PLACES) bind_places(d, p, o, &fields[i], &memory[i]);
        else if (o->data == MASS_DATA_TALLY) bind_tally(d, o, &fields[i], &memory[i]);
        else if (o->data == MASS_DATA_LINKED || o->data == MASS_DATA_EDGES)
            bind_edges(d, o, phase->callback->fields[i].size, &fields[i], &memory[i]);
        else if (o->data == MASS_DATA_SETTLED) {
            fields[i] = mass_domain_settled_at(d, o->index);
            memory[i] = (mass_field_memory){0};
        } else if (o->data != MASS_DATA_PARAMETER) bind_agents(d, o, &fields[i], &memory[i]);
        else {
            fields[i] = (uint64_t *)d->parameters.address + word_of(d->model, o->index) * (size_t)d->worlds;
            memory[i] = (mass_field_memory){0};
        }
    }
}

/* Makes the launch one of a single place in each world, the same in every partition of every rank. Its size is that of
 * the space. */
static void show_worlds(mass_launch *launch, const mass_space_def *s)
{
    launch->push = 0;
    launch->world_stride = launch->plane = launch->pitch = 1;
    for (int a = 0; a < 3; a++) {
        launch->extent[a] = 1;
        launch->size[a] = s->size[a];
    }
}

mass_launch mass_launch_record(const mass_domain *d, uint32_t phase, const mass_partition *p, uint64_t step,
                               bool relative)
{
    const mass_space_def *s = &d->model->spaces[d->model->phases[phase].space];
    const mass_layout *l = &p->layout;
    const uint32_t *gates = mass_phase_gates(d, phase);
    mass_launch launch = {.struct_size = sizeof launch, .phase = phase, .step = step,
        .clock = relative ? d->clock.address : NULL, .random_keys = d->random_keys.address,
        .world_stride = l->world_stride, .plane = l->plane, .pitch = l->pitch, .first_world = d->first_world,
        .worlds = d->worlds, .torus = s->torus,
        .push = mass_phase_own_axes(d, s) & d->device->table->launch->pushed_axes,
        .gates = gates || !relative ? gates : d->closed.address};
    const mass_phase_def *def = &d->model->phases[phase];
    if (def->callback->over == MASS_OVER_AGENTS || mass_phase_is_in_turn(def)) launch.push = 0;
    if (def->callback->over == MASS_OVER_WORLDS) show_worlds(&launch, s);
    launch.edges = mass_domain_edges(d, def->space);
    for (uint32_t k = 0; k < def->callback->set_count; k++)
        launch.sets[k] = mass_domain_edges_numbered(d, mass_phase_edges(d->model, def, k + 1));
    launch.reach = def->reach;
    launch.cell = s->cell;
    launch.flush_floats = def->flush_floats;
    launch.flush_doubles = def->flush_doubles;
    launch.diagnostics = (mass_diagnostics *)d->diagnostics.address + phase;
    for (uint32_t k = 0; k < def->population_count; k++) {
        launch.populations[k] = mass_population_agents(d, def->populations[k], def->reach);
        mass_nearby_show(d, phase, def->populations[k], &launch.populations[k]);
        launch.sprouts[k] = mass_population_sprouts(d, def->populations[k]);
        launch.positions[k] = mass_population_positions(d, def->populations[k]);
        if (mass_phase_meets_anybody(def, def->populations[k]))
            launch.everybody[k] = mass_anybody_record(d, def->populations[k]);
    }
    if (mass_phase_seeks_places(def)) launch.full = mass_anybody_full(d, (uint32_t)def->population);
    for (uint32_t i = 0, k = 0, sums = 0; i < def->callback->field_count; i++) {
        const uint32_t access = def->targets[i].access;
        if (access != MASS_BINS && access != MASS_SUM) continue;
        const mass_tally_def *t = &d->model->tallies[def->targets[i].index];
        const bool fixed = mass_tally_is_fixed_sum(t);
        if (access == MASS_SUM) launch.fixed_sums |= (uint64_t)fixed << sums++;
        else launch.bins[k++] = (mass_bins){.length = t->bins, .count = t->bins, .local = MASS_BINS_GLOBAL,
                                            .fixed = fixed};
    }
    if (def->callback->over == MASS_OVER_WORLDS) return launch;
    if (d->live) launch.extent[0] = (mass_lidx)d->live[p - d->partitions[def->space]];
    for (int a = d->live ? 1 : 0; a < 3; a++) launch.extent[a] = l->extent[a];
    for (int a = 0; a < 3; a++) {
        launch.origin[a] = l->origin[a];
        launch.size[a] = s->size[a];
        launch.ghost[a] = l->ghost[a];
    }
    return launch;
}
