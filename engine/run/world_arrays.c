/* SPDX-License-Identifier: Apache-2.0 */
/* What a block-resident world has in the block's memory: arrays of places, populations, and values. */
#include "run/block_program_builder.h"
#include "state/tally.h"

#include <mass/impl/reach.h>

#include <string.h>

enum { ALIGNMENT = 16, WIDTHS = 6, AGENTS_MAX = 8191 /* for AGENTS_MAX see mass_world_asked */ };

uint32_t mass_block_builder_take(mass_block_builder *k, uint64_t bytes)
{
    const uint32_t local = k->next;
    const uint64_t next = local + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (next > UINT32_MAX / 2) k->too_large = true;
    else k->next = (uint32_t)next;
    return local;
}

/* Reserves global memory for an array outside the block, and returns its marked offset. Sets k->too_large if that is
 * too much. */
static uint32_t take_beside(mass_block_builder *k, uint64_t bytes)
{
    const uint64_t local = k->next_beside;
    k->next_beside += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (k->next_beside >= MASS_WORLD_BESIDE) k->too_large = true;
    return (uint32_t)local | MASS_WORLD_BESIDE;
}

/* Adds an array to the program, in the block's memory or, if `beside`, in global memory, and returns its address there.
 * If there are too many, sets k->too_large and returns a scratch array. */
static mass_world_array *add_array(mass_block_builder *k, mass_world_array array, bool beside)
{
    static mass_world_array none;
    if (k->array_count == MASS_BLOCK_BUILDER_ARRAYS_MAX) {
        k->too_large = true;
        return &none;
    }
    const uint64_t bytes = (uint64_t)array.size * array.elements;
    array.local = beside ? take_beside(k, bytes) : mass_block_builder_take(k, bytes);
    k->arrays[k->array_count] = array;
    return &k->arrays[k->array_count++];
}

void mass_block_builder_set_spaces(mass_block_builder *k)
{
    for (uint32_t i = 0; i < k->d->model->space_count; i++) {
        const mass_layout *l = &k->d->partitions[i][0].layout;
        mass_world_space *s = &k->spaces[i];
        *s = (mass_world_space){.world_stride = l->world_stride, .plane = l->plane, .pitch = l->pitch};
        memcpy(s->extent, l->extent, sizeof s->extent);
        memcpy(s->ghost, l->ghost, sizeof s->ghost);
        s->local_pitch = s->extent[0] + 2 * s->ghost[0];
        s->local_plane = s->local_pitch * (s->extent[1] + 2 * s->ghost[1]);
    }
    k->spaces[k->d->model->space_count] = (mass_world_space){.extent = {1, 1, 1}};
}

/* Returns the element with an array's default, counted from place (0, 0, 0). The SDK defines it. */
static int64_t default_element(const mass_domain *d, uint32_t space)
{
    const mass_layout *l = &d->partitions[space][0].layout;
    const mass_launch launch = {.worlds = d->worlds, .world_stride = l->world_stride, .plane = l->plane,
        .pitch = l->pitch, .ghost = {l->ghost[0], l->ghost[1], l->ghost[2]}};
    return mass_default_element(&launch);
}

/* Adds the default of an array of places directly after it, where mass_default_element expects it. The block treats
 * it as an array of its own. global: the default's address on the device. Its space is number `space_count`, which has
 * a single place. */
static void add_default(mass_block_builder *k, const mass_world_array *places, void *global, bool beside)
{
    const uint32_t behind = places->local + places->size * places->elements;
    const mass_world_array one = {.global = global, .kind = MASS_WORLD_PLACES, .owner = k->d->model->space_count,
                                  .size = places->size, .elements = 1};
    mass_world_array *const a = add_array(k, one, beside);
    if (!k->too_large) a->local = behind;
}

uint32_t mass_block_builder_places(mass_block_builder *k, uint32_t space, uint32_t array, uint32_t buffer, bool written)
{
    const mass_domain *d = k->d;
    const mass_world_space *s = &k->spaces[space];
    const mass_partition *p = &d->partitions[space][0];
    const uint32_t size = (uint32_t)d->model->arrays[array].element_size;
    uint32_t *placed = &k->placed[buffer * d->model->array_count + array];
    if (!*placed) {
        const double elements = (double)s->local_plane * (s->extent[2] + 2 * s->ghost[2]);
        if (elements > MASS_BLOCK_BUILDER_PLACES_MAX) k->too_large = true;
        char *first = (char *)p->arrays[array].buffer[buffer].address + (size_t)p->layout.first * size;
        add_array(k, (mass_world_array){.global = first, .kind = MASS_WORLD_PLACES, .owner = space, .size = size,
                                        .elements = k->too_large ? 0 : (uint32_t)elements}, k->beside[array]);
        *placed = k->array_count;
        add_default(k, &k->arrays[*placed - 1], first + default_element(d, space) * size, k->beside[array]);
    }
    if (k->too_large) return 0;
    mass_world_array *a = &k->arrays[*placed - 1];
    a->stored |= written;
    const int64_t first = s->ghost[2] * s->local_plane + s->ghost[1] * s->local_pitch + s->ghost[0];
    return a->local + (uint32_t)first * size;
}

/* Returns the first operation of that kind and index that runs in every step, or NULL. */
static const mass_plan_operation *find(const mass_block_builder *k, mass_plan_kind kind, uint32_t index)
{
    for (uint32_t i = 0; i < k->step->count; i++) {
        const mass_plan_operation *op = &k->step->list[i];
        if (op->kind == kind && op->index == index && op->when == MASS_ALWAYS) return op;
    }
    return NULL;
}

uint32_t mass_block_builder_world_value(mass_block_builder *k, const void *global, const mass_tally_def *tally)
{
    for (uint32_t i = 0; i < k->value_count; i++)
        if (k->values[i].global == global) return k->values[i].local;
    if (k->value_count == MASS_BLOCK_BUILDER_VALUES_MAX) {
        k->too_large = true;
        return 0;
    }
    k->values[k->value_count++] = (mass_world_value){.global = (int64_t *)global, .access = tally ? tally->access : 0,
        .local = mass_block_builder_take(k, (tally ? MASS_WORLD_WARPS : 1) * sizeof(int64_t)),
        .neutral = tally ? mass_tally_neutral(tally) : 0,
        .restarts = tally && find(k, MASS_PLAN_RESET, (uint32_t)(tally - k->d->model->tallies))};
    return k->values[k->value_count - 1].local;
}

uint32_t mass_block_builder_tally(mass_block_builder *k, uint32_t index)
{
    return mass_block_builder_world_value(k, mass_domain_tally_at(k->d, index), &k->d->model->tallies[index]);
}

uint32_t mass_block_builder_parameter(mass_block_builder *k, uint32_t index)
{
    const uint64_t *const all = k->d->parameters.address;
    return mass_block_builder_world_value(k, all + (size_t)index * (size_t)k->d->worlds, NULL);
}

/* Returns true if a callback runs over the places that a population occupies. */
static bool has_occupied(const mass_block_builder *k, uint32_t population)
{
    for (uint32_t i = 0; i < k->step->count; i++) {
        const mass_plan_operation *op = &k->step->list[i];
        if (op->when != MASS_ALWAYS || op->kind != MASS_PLAN_LAUNCH) continue;
        const mass_phase_def *def = &k->d->model->phases[op->phase];
        if (def->callback->over == MASS_OVER_OCCUPIED && def->population == (int32_t)population) return true;
    }
    return false;
}

/* Returns the width class of a column, from 0 on: 1, 2, 4, 8, 16 bytes, or other. Columns of one class are contiguous,
 * so one loop can copy an agent's values in all of them. */
static uint32_t width_of(uint32_t size)
{
    uint32_t width = 0;
    while (width < WIDTHS - 1 && size != 1u << width) width++;
    return width;
}

/* Places the columns of a population one after another. Then it reserves as much memory again, to which a manage
 * writes them, and the other memory of a manage. */
void mass_block_builder_set_population(mass_block_builder *k, uint32_t index)
{
    const mass_domain *d = k->d;
    const mass_population_def *p = &d->model->populations[index];
    const mass_population_state *s = &d->populations[index];
    mass_world_population *g = &k->populations[index];
    *g = (mass_world_population){.start = s->start.address, .places = mass_space_places(&d->model->spaces[p->space]),
                                 .columns = k->next};
    g->fours = (uint32_t)(g->places / 4 + 1);
    g->fours_a_thread = (g->fours + k->threads - 1) / k->threads;
    mass_world_array column = {.kind = MASS_WORLD_AGENTS, .owner = index, .elements = s->most, .stored = 1};
    for (uint32_t width = 0; width < WIDTHS; width++) {
        g->wider[width] = k->array_count;
        for (uint32_t i = 0; i < p->array_count; i++) {
            column.size = (uint32_t)d->model->arrays[p->first_array + i].element_size;
            column.global = s->arrays[i].buffer[s->current].address;
            if (i != MASS_AGENT_LOST && width_of(column.size) == width)
                k->columns[p->first_array + i] = add_array(k, column, false)->local;
        }
    }
    g->wider[WIDTHS] = k->array_count;
    g->id = k->columns[p->first_array + MASS_AGENT_ID];
    column.size = sizeof(uint8_t);
    column.global = s->arrays[MASS_AGENT_LOST].buffer[s->current].address;
    g->lost = add_array(k, column, false)->local;
    g->cell = add_array(k, (mass_world_array){.global = s->cell[s->current].address, .kind = MASS_WORLD_CELLS,
                                              .owner = index, .size = sizeof(uint32_t), .elements = s->most,
                                              .stored = 1}, false)->local;
    g->bytes = k->next - g->columns;
    g->spare = mass_block_builder_take(k, g->bytes);
    if (g->places > MASS_BLOCK_BUILDER_PLACES_MAX || s->most > AGENTS_MAX) k->too_large = true;
    g->starts = add_array(k, (mass_world_array){.global = s->start.address, .kind = MASS_WORLD_STARTS, .owner = index,
                                                .size = sizeof(uint32_t), .elements = (uint32_t)g->places + 1,
                                                .stored = 1}, false)->local;
    g->move = mass_block_builder_take(k, (uint64_t)s->most * sizeof(uint32_t));
    g->asked = mass_block_builder_take(k, (uint64_t)s->most * sizeof(uint32_t));
    g->order = mass_block_builder_take(k, (uint64_t)s->most * sizeof(uint32_t));
    g->stays = mass_block_builder_take(k, ((uint64_t)s->most / 32 + 1) * sizeof(uint32_t));
    const mass_plan_operation *drop = find(k, MASS_PLAN_DISCARD, index);
    g->drops = !drop ? 0 : drop->ignored ? 2 : 1;
    g->place_counts = mass_block_builder_take(k, ((uint64_t)g->places + 1) * sizeof(uint32_t));
    const uint64_t occupied = g->places < s->most ? (uint64_t)g->places : s->most;
    g->occupied = has_occupied(k, index) ? mass_block_builder_take(k,
                                                                   (occupied + 1) * sizeof(uint32_t)) : MASS_WORLD_NONE;
}
