/* SPDX-License-Identifier: Apache-2.0 */
#include "run/block_program.h"
#include "model/kept.h"
#include "model/network.h"
#include "model/turns.h"
#include "plan/phase.h"
#include "run/block_program_builder.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16 };

/* Returns true if the operand has .flush. Launch records of blocks cannot express that. */
static bool is_flushed(const mass_model *m, const mass_operand *o)
{
    const bool array = o->data == MASS_DATA_PLACES || o->data == MASS_DATA_AGENTS;
    return array && m->attributes[m->arrays[o->index].attribute].flushed;
}

/* Returns the reason that a block cannot run the launch, or NULL. */
static const char *why_not_launch(const mass_domain *d, const mass_plan_operation *op)
{
    const mass_callback *c = d->model->phases[op->phase].callback;
    if (c->field_count > MASS_WORLD_FIELDS) return "a callback has too many fields";
    if (mass_callback_has_kept(c)) return "bodies read or write world attributes";
    if (mass_callback_is_of_nodes(c)) return "a callback is over the nodes of a network";
    if (c->population_count > 1) return "a callback sees several populations";
    for (uint32_t i = 0; i < c->field_count; i++)
        if (c->fields[i].type == MASS_BIT) return "an attribute is of bits";
    for (uint32_t i = 0; i < c->field_count; i++)
        if (mass_access_is_nearby(c->fields[i].access, c->over)) return "a callback names other agents";
    for (uint32_t i = 0; i < op->operand_count; i++)
        if (op->operands[i].data == MASS_DATA_PARAMETER && c->fields[i].type == MASS_STRUCT)
            return "a callback has a list of parameters";
    for (uint32_t i = 0; i < op->operand_count; i++) {
        if (op->counts == MASS_ALWAYS && mass_block_builder_is_wide(d->model, &op->operands[i]))
            return "bins or exact sums count in every step";
        if (op->counts == MASS_ALWAYS && op->operands[i].data == MASS_DATA_TALLY &&
            mass_tally_is_fixed_sum(&d->model->tallies[op->operands[i].index]))
            return "sums in fixed point count in every step";
        if (op->operands[i].data == MASS_DATA_CHILDREN) return "a callback says what children start with";
        if (is_flushed(d->model, &op->operands[i])) return "an attribute has .flush";
    }
    const int number = d->device->table->small_worlds->callback(d->device, c->name);
    if (number >= MASS_WORLD_CALLS) return "the plugin's MASS_WORLD_STEPS has too many callbacks";
    if (number >= 0) return NULL;
    return "the plugin has no MASS_WORLD_STEPS with all of its callbacks";
}

/* Returns the reason that a block cannot run the operation, or NULL. */
static const char *why_not_operation(const mass_domain *d, const mass_plan_operation *op)
{
    const mass_model *m = d->model;
    const mass_space_def *s = op->phase == MASS_NO_PHASE ? NULL : &m->spaces[m->phases[op->phase].space];
    if (op->kind == MASS_PLAN_READ) return "the input is a stream";
    if (op->kind == MASS_PLAN_SETTLE) return "bodies read totals";
    if (op->kind == MASS_PLAN_CENSUS) return "a condition looks at the number of agents";
    if (s && mass_space_places(s) > MASS_BLOCK_BUILDER_PLACES_MAX) return "a space is too large";
    if (s && s->scattered) return "places are added to by others"; /* a block cannot fill such ghosts */
    return op->kind == MASS_PLAN_LAUNCH ? why_not_launch(d, op) : NULL;
}

const char *mass_block_program_why_not(const mass_domain *d, const mass_plan *plan)
{
    const mass_model *m = d->model;
    uint32_t phases = 1; /* the end of a step */
    bool managed = false;
    const char *why = NULL;
    if (!d->device->table->small_worlds) return "the device has no blocks";
    if (d->share.partitions > 1) return "the space is cut";
    if (m->racy) return "the model has races";
    if (mass_model_sprouts(m)) return "places bring forth agents";
    if (mass_turns_first(m)) return "a phase is in turn";
    if (mass_model_counts_keys(m)) return "a tally counts by key";
    for (uint32_t p = 0; p < m->population_count; p++) {
        if (m->populations[p].position >= 0) return "agents have positions";
        if (m->populations[p].anywhere) return "callbacks name any agents of the world";
        if (!m->populations[p].constant) return "agents are born or die";
        if (m->populations[p].capacity) return "places hold a limited number of agents";
    }
    for (uint32_t i = 0; !why && i < plan->step.count; i++) {
        if (plan->step.list[i].when != MASS_ALWAYS) continue;
        managed |= plan->step.list[i].kind == MASS_PLAN_MANAGE;
        phases += plan->step.list[i].kind == MASS_PLAN_MANAGE || plan->step.list[i].kind == MASS_PLAN_LAUNCH;
        why = why_not_operation(d, &plan->step.list[i]);
    }
    if (!why && phases > MASS_WORLD_PHASES) return "a step has too many phases";
    return why || managed ? why : "no agents move";
}

/* Builds the tables of two steps, in place of those of an earlier call, and places the arrays from offset `tables` on.
 * Sets k->too_large if they do not fit. k->spaces, threads and beside are set before. */
static void make(mass_block_builder *k, uint32_t tables)
{
    k->next = tables;
    k->next_beside = 0;
    k->too_large = false;
    k->phase_count = k->bound_count = k->array_count = k->value_count = 0;
    memset(k->calls, 0, sizeof k->calls);
    memset(k->called, 0, sizeof k->called);
    memset(k->phases, 0, sizeof k->phases);
    memset(k->turned, 0, sizeof k->turned);
    memset(k->swapped, 0, k->d->model->array_count);
    memset(k->placed, 0, 2 * (size_t)k->d->model->array_count * sizeof *k->placed);
    for (uint32_t p = 0; p < k->d->model->population_count; p++) mass_block_builder_set_population(k, p);
    mass_block_builder_add_step(k);
    mass_block_builder_add_step(k);
    mass_block_builder_set_waits(k);
}

/* Appends a table at *end, and moves *end behind it, to a multiple of ALIGNMENT. Returns the table's offset in the
 * block's memory. tables NULL: counts its bytes only. */
static uint32_t append(uint8_t *tables, uint32_t *end, const void *table, size_t bytes)
{
    const uint32_t at = *end;
    if (tables && bytes) memcpy(tables + at, table, bytes);
    *end += (uint32_t)((bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    return at;
}

/* Places the tables in the block's memory, and sets in *p their offsets and lengths, the calls, and the phases. tables
 * NULL: copies nothing. The numbers of agents come after them: sets k->counts, and p->bytes to the end of both. */
static void lay_out(mass_block_builder *k, uint8_t *tables, mass_block_program *p)
{
    const mass_model *m = k->d->model;
    uint32_t end = 0;
    memcpy(p->calls, k->calls, sizeof p->calls);
    memcpy(p->phases, k->phases, sizeof p->phases);
    p->phase_count = k->phase_count / 2;
    p->bounds = append(tables, &end, k->bounds, k->bound_count * sizeof *k->bounds);
    p->bound_count = k->bound_count;
    p->arrays = append(tables, &end, k->arrays, k->array_count * sizeof *k->arrays);
    p->array_count = k->array_count;
    p->values = append(tables, &end, k->values, k->value_count * sizeof *k->values);
    p->value_count = k->value_count;
    p->spaces = append(tables, &end, k->spaces, (m->space_count + 1) * sizeof *k->spaces);
    p->populations = append(tables, &end, k->populations, m->population_count * sizeof *k->populations);
    p->population_count = m->population_count;
    p->table_bytes = end;
    k->counts = p->counts = append(NULL, &end, NULL, m->population_count * sizeof(uint32_t));
    p->bytes = end;
}

/* Uploads the tables, and allocates the global memory of arrays outside the blocks. lay_out has set
 * out->program before. On failure the caller frees what *out has. */
static mass_status upload(const mass_domain *d, mass_block_builder *k, mass_block_worlds *out, mass_error *error)
{
    mass_block_program *p = &out->program;
    uint8_t *tables = calloc(p->table_bytes, 1);
    if (!tables) return mass_error_memory(error, p->table_bytes, "the steps of small worlds");
    lay_out(k, tables, p);
    p->bytes = k->next;
    p->threads = k->threads;
    p->beside_bytes = k->next_beside;
    mass_status status = mass_buffer_allocate(d->device, p->table_bytes, &out->tables, error);
    if (status == MASS_OK && p->beside_bytes)
        status = mass_buffer_allocate(d->device, p->beside_bytes * (size_t)d->worlds, &out->beside, error);
    p->tables = out->tables.address;
    p->beside = out->beside.address;
    if (status == MASS_OK) status = mass_buffer_upload(out->tables, tables, p->table_bytes, error);
    free(tables);
    return status;
}

/* Returns the threads of a block, enough for the phase with most work: one for each place or agent. If agents are
 * few, a manage needs one for every four cells that it counts. A multiple of 32, MASS_WORLD_THREADS at the most. */
static uint32_t threads_of(const mass_block_builder *k)
{
    int64_t most = 1;
    for (uint32_t i = 0; i < k->step->count; i++) {
        const mass_plan_operation *op = &k->step->list[i];
        if (op->when != MASS_ALWAYS || (op->kind != MASS_PLAN_LAUNCH && op->kind != MASS_PLAN_MANAGE)) continue;
        const mass_phase_def *p = &k->d->model->phases[op->phase];
        const int64_t places = mass_space_places(&k->d->model->spaces[p->space]);
        const int64_t agents = p->population >= 0 ? k->d->populations[p->population].most : 0;
        const bool over_places = p->callback && p->callback->over != MASS_OVER_AGENTS &&
                                 p->callback->over != MASS_OVER_OCCUPIED;
        const int64_t work = over_places ? places : p->callback || agents > places / 8 ? agents : places / 4 + 1;
        if (work > most) most = work;
    }
    return most < MASS_WORLD_THREADS ? (uint32_t)((most + 31) / 32 * 32) : MASS_WORLD_THREADS;
}

/* Builds the tables. Returns false if the program does not fit into `memory`. Offsets of arrays depend on the length
 * of the tables, so it builds twice. */
static bool make_within(mass_block_builder *k, size_t memory, mass_block_program *p)
{
    make(k, 0);
    lay_out(k, NULL, p);
    make(k, p->bytes);
    return !k->too_large && k->next <= memory;
}

/* Returns true if the array may move to global memory: callbacks only write or update it, each at its own place. */
static bool can_lie_beside(const mass_block_builder *k, uint32_t array)
{
    for (uint32_t i = 0; i < k->step->count; i++) {
        const mass_plan_operation *op = &k->step->list[i];
        if (op->when != MASS_ALWAYS || op->kind != MASS_PLAN_LAUNCH) continue;
        const mass_callback *c = k->d->model->phases[op->phase].callback;
        for (uint32_t f = 0; f < c->field_count; f++) {
            const mass_operand *o = &op->operands[f];
            if (o->data == MASS_DATA_PLACES && o->index == array && !mass_block_builder_is_value(c, f, o)) return false;
        }
    }
    return true;
}

/* Returns the largest array of places that may still move to global memory, by its number in the model, or -1. The
 * tables have been built. */
static int64_t next_beside(const mass_block_builder *k)
{
    const mass_domain *d = k->d;
    uint64_t most = 0;
    int64_t found = -1;
    for (uint32_t i = 0; i < d->model->array_count; i++) {
        const uint32_t placed = k->placed[i] ? k->placed[i] : k->placed[d->model->array_count + i];
        if (!placed || k->beside[i] || !can_lie_beside(k, i)) continue;
        const mass_world_array *a = &k->arrays[placed - 1];
        const uint64_t bytes = (uint64_t)a->size * a->elements;
        if (bytes > most) most = bytes, found = i;
    }
    return found;
}

/* Tries to make the program so small that two blocks fit on a processor, if there are more worlds than processors.
 * Moves the largest arrays to global memory until they do. One block's work then hides the other's waits. Returns
 * false if that is impossible; then no array has moved. beside: [arrays of the model], all false before. */
static bool make_for_two(mass_block_builder *k, bool *beside, mass_block_program *p)
{
    const mass_block_world_operations *small = k->d->device->table->small_worlds;
    const size_t memory = small->memory_of_two ? small->memory_of_two(k->d->device, k->d->worlds, k->threads) : 0;
    if (memory == 0) return false;
    while (!make_within(k, memory, p)) {
        const int64_t array = k->too_large ? -1 : next_beside(k);
        if (array < 0) {
            memset(beside, 0, k->d->model->array_count * sizeof *beside);
            return false;
        }
        beside[array] = true;
    }
    return true;
}

/* Makes the program of small worlds, if a block's memory suffices for them. Otherwise returns MASS_OK and leaves *out
 * alone. beside: [arrays of the model], all false before. */
static mass_status create(const mass_domain *d, mass_block_builder *k, bool *beside, mass_block_worlds **out,
                          mass_error *error)
{
    mass_diagnostics *const diagnostics = d->diagnostics.address;
    mass_block_program p = {.struct_size = sizeof p, .worlds = d->worlds, .first_world = d->first_world,
        .diagnostics = diagnostics, .of_populations = diagnostics + d->model->phase_count};
    const mass_block_world_operations *small = d->device->table->small_worlds;
    k->threads = threads_of(k);
    k->beside = beside;
    mass_block_builder_set_spaces(k);
    if (!make_for_two(k, beside, &p) && !make_within(k, small->memory(d->device), &p)) return MASS_OK;
    mass_block_worlds *made = malloc(sizeof *made);
    if (!made) return mass_error_memory(error, sizeof *made, "the steps of small worlds");
    *made = (mass_block_worlds){.program = p};
    const mass_status status = upload(d, k, made, error);
    if (status == MASS_OK) *out = made;
    else mass_block_program_free(made);
    return status;
}

mass_status mass_block_program_create(const mass_domain *d, const mass_plan *plan, mass_block_worlds **out,
                                      mass_error *error)
{
    const uint32_t arrays = d->model->array_count + 1;
    *out = NULL;
    if (mass_block_program_why_not(d, plan)) return MASS_OK;
    mass_block_builder k = {.d = d, .step = &plan->step,
                    .arrays = calloc(MASS_BLOCK_BUILDER_ARRAYS_MAX, sizeof *k.arrays),
                    .values = calloc(MASS_BLOCK_BUILDER_VALUES_MAX, sizeof *k.values), .swapped = calloc(arrays, 1),
                    .columns = calloc(arrays, sizeof *k.columns),
                    .placed = calloc(2 * (size_t)arrays, sizeof *k.placed)};
    bool *beside = calloc(arrays, sizeof *beside);
    const bool ready = k.arrays && k.values && k.swapped && k.placed && k.columns && beside;
    const size_t bytes = MASS_BLOCK_BUILDER_ARRAYS_MAX * sizeof *k.arrays;
    const mass_status status = ready ? create(d, &k, beside, out, error)
                                     : mass_error_memory(error, bytes, "steps of small worlds");
    free(k.arrays);
    free(k.values);
    free(k.swapped);
    free(k.columns);
    free(k.placed);
    free(beside);
    return status;
}

void mass_block_program_free(mass_block_worlds *p)
{
    if (!p) return;
    mass_buffer_release(&p->tables);
    mass_buffer_release(&p->beside);
    free(p);
}
