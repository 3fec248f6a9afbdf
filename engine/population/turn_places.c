/* SPDX-License-Identifier: Apache-2.0 */
#include "population/turn_places.h"

#include <stdlib.h>

/* Returns the bytes of an element of a copy. */
static size_t size_of(const mass_array_def *a) { return a->bits ? 1 : a->element_size; }

static const mass_space_def *space_of(const mass_model *m, uint32_t array)
{
    return &m->spaces[m->attributes[m->arrays[array].attribute].space];
}

/* Returns the elements of a copy without the default. */
static size_t places_of(const mass_domain *d, uint32_t array)
{
    return (size_t)mass_space_places(space_of(d->model, array)) * (size_t)d->worlds;
}

/* Copies all partitions of an array to its copy, or back. */
static mass_status copy_all(mass_domain *d, const mass_turn_copy *c, bool back, mass_error *error)
{
    const mass_array_def *a = &d->model->arrays[c->array];
    const mass_space_def *s = space_of(d->model, c->array);
    const uint32_t space = d->model->attributes[a->attribute].space;
    mass_status status = MASS_OK;
    for (int32_t k = 0; status == MASS_OK && k < d->partition_count; k++) {
        const mass_partition *p = &d->partitions[space][k];
        const mass_layout *l = &p->layout;
        mass_turn_places_work w = {.place = mass_array_at(d, p, c->array, false), .copy = c->memory.address,
                                   .size = a->bits ? 0 : a->element_size, .worlds = d->worlds,
                                   .world_stride = l->world_stride, .plane = l->plane, .pitch = l->pitch};
        for (int axis = 0; axis < 3; axis++) {
            w.origin[axis] = l->origin[axis];
            w.extent[axis] = l->extent[axis];
            w.space[axis] = s->size[axis];
        }
        status = d->device->table->agents->turn->copy_places(d->device, &w, back, error);
    }
    return status;
}

/* Returns the copy of an array, or NULL. */
static mass_turn_copy *find(const mass_turn_copies *c, uint32_t array)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->list[i].array == array) return &c->list[i];
    return NULL;
}

/* Returns whether bodies cannot act on the arrays themselves, or the order needs values by the numbers of places. */
static bool needs_copies(const mass_domain *d, const mass_phase_def *p)
{
    bool needs = d->partition_count > 1 || (mass_phase_turns_places(p) && p->turn_order == MASS_TURN_BY_VALUE);
    for (uint32_t i = 0; i < p->callback->field_count; i++)
        needs |= mass_phase_class(p, i) == MASS_CLASS_PLACES && d->model->arrays[p->targets[i].index].bits;
    return needs;
}

/* Makes the memory of a copy, with the array's default. */
static mass_status add(mass_domain *d, uint32_t array, mass_turn_copies *c, mass_error *error)
{
    const size_t size = size_of(&d->model->arrays[array]), places = places_of(d, array);
    mass_turn_copy *const list = realloc(c->list, (c->count + 1) * sizeof *list);
    if (!list) return mass_error_memory(error, (c->count + 1) * sizeof *list, "a phase in turn");
    c->list = list;
    mass_turn_copy *const copy = &list[c->count];
    *copy = (mass_turn_copy){.array = array};
    uint8_t *initial = NULL;
    mass_status status = mass_array_initial(d->model, array, &initial, error);
    if (status == MASS_OK) status = mass_buffer_allocate(d->device, (places + 1) * size, &copy->memory, error);
    if (status == MASS_OK) {
        c->count++;
        status = mass_buffer_upload(mass_buffer_from(copy->memory, places * size), initial, size, error);
    }
    free(initial);
    return status;
}

mass_status mass_turn_copies_make(mass_domain *d, uint32_t phase, mass_turn_copies *c, mass_error *error)
{
    const mass_phase_def *p = &d->model->phases[phase];
    mass_status status = MASS_OK;
    for (uint32_t i = 0; i < c->count; i++) c->list[i].changed = false;
    if (!needs_copies(d, p)) return MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < p->callback->field_count; i++) {
        const uint32_t array = p->targets[i].index;
        if (mass_phase_class(p, i) != MASS_CLASS_PLACES) continue;
        if (!find(c, array)) status = add(d, array, c, error);
        if (status == MASS_OK) status = copy_all(d, find(c, array), false, error);
        if (status == MASS_OK && mass_access_of(p->targets[i].access)->effect & MASS_EFFECT_WRITES)
            find(c, array)->changed = true;
    }
    return status;
}

void mass_turn_copies_show(const mass_domain *d, uint32_t phase, const mass_turn_copies *c, mass_launch *launch,
                           void **fields, mass_field_memory *memory)
{
    const mass_phase_def *p = &d->model->phases[phase];
    const mass_space_def *s = &d->model->spaces[p->space];
    if (!needs_copies(d, p)) return;
    launch->pitch = s->size[0];
    launch->plane = s->size[0] * s->size[1];
    launch->world_stride = mass_space_places(s);
    for (int a = 0; a < 3; a++) {
        launch->origin[a] = 0;
        launch->extent[a] = (mass_lidx)s->size[a];
        launch->ghost[a] = 0;
    }
    for (uint32_t i = 0; i < p->callback->field_count; i++) {
        if (mass_phase_class(p, i) != MASS_CLASS_PLACES) continue;
        const size_t size = size_of(&d->model->arrays[p->targets[i].index]);
        fields[i] = memory[i].start = find(c, p->targets[i].index)->memory.address;
        memory[i].element_size = size;
        memory[i].bytes = ((size_t)launch->world_stride * (size_t)d->worlds + 1) * size;
    }
}

mass_status mass_turn_copies_write(mass_domain *d, mass_turn_copies *c, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < c->count; i++)
        if (c->list[i].changed) status = copy_all(d, &c->list[i], true, error);
    return status;
}

const void *mass_turn_copies_at(const mass_turn_copies *c, uint32_t array)
{
    uint32_t i = 0;
    while (c->list[i].array != array) i++;
    return c->list[i].memory.address;
}

void mass_turn_copies_free(mass_turn_copies *c)
{
    for (uint32_t i = 0; i < c->count; i++) mass_buffer_release(&c->list[i].memory);
    free(c->list);
    *c = (mass_turn_copies){0};
}
