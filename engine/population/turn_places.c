/* SPDX-License-Identifier: Apache-2.0 */
#include "population/turn_places.h"
#include "bits.h"

#include <stdlib.h>
#include <string.h>

/* A row of a partition, in its array and in the copy. */
typedef struct copied_row {
    char *place, *copy;
    int64_t count;
    size_t size; /* of an element; 0: bits in the array, bytes in the copy */
} copied_row;

typedef void copy_row(const copied_row *r);

static void read_row(const copied_row *r)
{
    if (r->size) memcpy(r->copy, r->place, (size_t)r->count * r->size);
    else mass_bits_unpack((uint8_t *)r->copy, (const uint8_t *)r->place, r->count);
}

/* Leaves the bits behind a row, which are of ghosts, as they are. */
static void write_row(const copied_row *r)
{
    if (r->size) {
        memcpy(r->place, r->copy, (size_t)r->count * r->size);
        return;
    }
    const int64_t whole = r->count / 8 * 8;
    uint8_t *const last = (uint8_t *)r->place + r->count / 8;
    mass_bits_pack((uint8_t *)r->place, (const uint8_t *)r->copy, whole);
    for (int64_t i = whole; i < r->count; i++)
        *last = (uint8_t)((*last & ~(1u << (i - whole))) | (unsigned)(r->copy[i] != 0) << (i - whole));
}

/* Does something with all rows of a partition. */
static void visit(const mass_domain *d, const mass_turn_copy *c, const mass_partition *p, copy_row *visitor)
{
    const mass_array_def *a = &d->model->arrays[c->array];
    const mass_space_def *s = &d->model->spaces[d->model->attributes[a->attribute].space];
    const mass_layout *l = &p->layout;
    char *const first = mass_array_at(d, p, c->array, false);
    const size_t size = a->bits ? 1 : a->element_size;
    for (int32_t w = 0; w < d->worlds; w++)
        for (mass_lidx z = 0; z < l->extent[2]; z++)
            for (mass_lidx y = 0; y < l->extent[1]; y++) {
                const int64_t element = w * l->world_stride + z * l->plane + y * l->pitch;
                const int64_t place = w * mass_space_places(s) + l->origin[0] +
                                      ((l->origin[2] + z) * s->size[1] + l->origin[1] + y) * s->size[0];
                visitor(&(copied_row){first + mass_array_bytes(a, element), (char *)c->memory + place * (int64_t)size,
                                      l->extent[0], a->bits ? 0 : size});
            }
}

static void visit_all(const mass_domain *d, const mass_turn_copy *c, copy_row *visitor)
{
    const uint32_t space = d->model->attributes[d->model->arrays[c->array].attribute].space;
    for (int32_t k = 0; k < d->partition_count; k++) visit(d, c, &d->partitions[space][k], visitor);
}

/* Returns the copy of an array, or NULL. */
static mass_turn_copy *find(const mass_turn_copies *c, uint32_t array)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->list[i].array == array) return &c->list[i];
    return NULL;
}

/* Returns whether bodies cannot act on the arrays themselves. */
static bool needs_copies(const mass_domain *d, const mass_phase_def *p)
{
    bool needs = d->partition_count > 1;
    for (uint32_t i = 0; i < p->callback->field_count; i++)
        needs |= mass_phase_class(p, i) == MASS_CLASS_PLACES && d->model->arrays[p->targets[i].index].bits;
    return needs;
}

/* Copies one array, and its default. */
static mass_status add(const mass_domain *d, uint32_t array, mass_turn_copies *c, mass_error *error)
{
    const mass_array_def *a = &d->model->arrays[array];
    const mass_space_def *s = &d->model->spaces[d->model->attributes[a->attribute].space];
    const size_t size = a->bits ? 1 : a->element_size, places = (size_t)mass_space_places(s) * (size_t)d->worlds;
    uint8_t *initial = NULL;
    mass_status status = mass_array_initial(d->model, array, &initial, error);
    if (status != MASS_OK) return status;
    mass_turn_copy *const copy = &c->list[c->count];
    *copy = (mass_turn_copy){.array = array, .memory = malloc((places + 1) * size)};
    if (!copy->memory) status = mass_error_memory(error, places * size, "a phase in turn");
    else {
        memcpy((char *)copy->memory + places * size, initial, size);
        visit_all(d, copy, read_row);
        c->count++;
    }
    free(initial);
    return status;
}

mass_status mass_turn_copies_make(const mass_domain *d, uint32_t phase, mass_turn_copies *c, mass_error *error)
{
    const mass_phase_def *p = &d->model->phases[phase];
    mass_status status = MASS_OK;
    *c = (mass_turn_copies){0};
    if (!needs_copies(d, p)) return MASS_OK;
    c->list = calloc(p->callback->field_count + 1, sizeof *c->list);
    if (!c->list) return mass_error_memory(error, p->callback->field_count * sizeof *c->list, "a phase in turn");
    for (uint32_t i = 0; status == MASS_OK && i < p->callback->field_count; i++) {
        const uint32_t array = p->targets[i].index;
        if (mass_phase_class(p, i) != MASS_CLASS_PLACES) continue;
        if (!find(c, array)) status = add(d, array, c, error);
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
    if (!c->list) return;
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
        const mass_array_def *a = &d->model->arrays[p->targets[i].index];
        const size_t size = a->bits ? 1 : a->element_size;
        fields[i] = memory[i].start = find(c, p->targets[i].index)->memory;
        memory[i].element_size = size;
        memory[i].bytes = ((size_t)launch->world_stride * (size_t)d->worlds + 1) * size;
    }
}

void mass_turn_copies_write(const mass_domain *d, const mass_turn_copies *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->list[i].changed) visit_all(d, &c->list[i], write_row);
}

void mass_turn_copies_free(mass_turn_copies *c)
{
    for (uint32_t i = 0; i < c->count; i++) free(c->list[i].memory);
    free(c->list);
    *c = (mass_turn_copies){0};
}
