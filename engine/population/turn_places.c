/* SPDX-License-Identifier: Apache-2.0 */
#include "population/turn_places.h"
#include "model/shared_turns.h"
#include "ranks/rpc.h"

#include <stdlib.h>

/* Returns the bytes of an element of a copy. */
static size_t size_of(const mass_array_def *a) { return a->bits ? 1 : a->element_size; }

/* Returns the space of an array. */
static const mass_space_def *space_of(const mass_model *m, uint32_t array)
{
    return &m->spaces[m->attributes[m->arrays[array].attribute].space];
}

/* Returns the elements of a copy without the default. */
static size_t places_of(const mass_domain *d, const mass_turn_copies *c, uint32_t array)
{
    const mass_gidx places = c->part ? c->window.count * mass_turn_window_row(&c->window)
                                     : mass_space_places(space_of(d->model, array));
    return (size_t)places * (size_t)d->worlds;
}

/* Copies all partitions of an array to its copy or, with `back`, the copy to them. Queued. */
static mass_status copy_all(mass_domain *d, const mass_turn_copies *all, const mass_turn_copy *c, bool back,
                            mass_error *error)
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
        const uint32_t cut = mass_slab_axis(s);
        if (all->part) {
            w.origin[cut] = mass_turn_window_in_part(&all->window, w.origin[cut]);
            w.space[cut] = all->window.count;
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

/* Returns whether a turn needs copies of places: with several partitions, if ranks share the space, if its bodies name
 * bits, or if its order needs values by the numbers of places. It looks at all phases that share the turn. */
static bool needs_copies(const mass_domain *d, uint32_t phase)
{
    const mass_model *m = d->model;
    bool needs = d->partition_count > 1 || mass_share_is_split(&d->share);
    for (uint32_t k = mass_turn_begin(m, phase), end = mass_turn_end(m, phase); k < end; k++) {
        const mass_phase_def *p = &m->phases[k];
        needs |= mass_phase_turns_places(p) && p->turn_order == MASS_TURN_BY_VALUE;
        for (uint32_t i = 0; i < p->callback->field_count; i++)
            needs |= mass_phase_class(p, i) == MASS_CLASS_PLACES && m->arrays[p->targets[i].index].bits;
    }
    return needs;
}

/* Makes the memory of a copy, with the array's default behind the places. On failure there is no such copy, or one
 * that is freed with the others. */
static mass_status add(mass_domain *d, uint32_t array, mass_turn_copies *c, mass_error *error)
{
    const size_t size = size_of(&d->model->arrays[array]), places = places_of(d, c, array);
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

/* ---- layers of other ranks ---- */

/* A copy whose layers ranks send each other. */
typedef struct sent_copy {
    mass_domain *d;
    const mass_turn_window *window;
    const mass_space_def *space;
    mass_buffer memory;
    size_t layer; /* bytes */
} sent_copy;

/* Returns the layers that `to` needs of those of `from`. */
static uint32_t layers_between(const sent_copy *c, int32_t from, int32_t to, mass_turn_layers out[2])
{
    const mass_share *share = &c->d->share;
    const mass_turn_window w = mass_turn_window_of(share, c->space, to, c->window->more);
    return from == to ? 0 : mass_turn_window_meet(&w, mass_share_first_row(share, c->space, from),
                                                  mass_share_first_row(share, c->space, from + 1), out);
}

/* Returns the bytes of a message between two ranks. */
static size_t bytes_between(const sent_copy *c, int32_t from, int32_t to)
{
    mass_turn_layers layers[2];
    mass_gidx count = 0;
    for (uint32_t k = 0, n = layers_between(c, from, to, layers); k < n; k++) count += layers[k].end - layers[k].first;
    return (size_t)count * c->layer * (size_t)c->d->worlds;
}

/* Copies the layers of a message from the copy to the message if this rank is `from`, or from the message to the copy
 * if it is `to`. Waits for the device. */
static mass_status move_layers(const sent_copy *c, int32_t from, int32_t to, char *message, mass_error *error)
{
    const bool sends = from == c->d->share.comm->rank;
    mass_turn_layers layers[2];
    const uint32_t ranges = layers_between(c, from, to, layers);
    mass_status status = MASS_OK;
    for (int32_t world = 0; world < c->d->worlds; world++)
        for (uint32_t k = 0; status == MASS_OK && k < ranges; k++) {
            const mass_gidx at = world * c->window->count + mass_turn_window_in_part(c->window, layers[k].first);
            const size_t bytes = (size_t)(layers[k].end - layers[k].first) * c->layer;
            const mass_buffer there = mass_buffer_from(c->memory, (size_t)at * c->layer);
            status = sends ? mass_buffer_download(there, message, bytes, error)
                           : mass_buffer_upload(there, message, bytes, error);
            message += bytes;
        }
    return status;
}

/* Fills in the messages that this rank receives from each rank, or sends to it, and gives them their memory. Returns
 * the bytes of all of these. */
static size_t lay_out(const sent_copy *c, mass_message *messages, char *memory, bool receives)
{
    const int32_t ranks = c->d->share.comm->size, own = c->d->share.comm->rank;
    size_t bytes = 0;
    for (int32_t r = 0; r < ranks; r++) {
        messages[r] = (mass_message){r, memory, receives ? bytes_between(c, r, own) : bytes_between(c, own, r)};
        memory += messages[r].bytes;
        bytes += messages[r].bytes;
    }
    return bytes;
}

/* Returns the bytes of the messages that this rank sends and receives for a copy. */
static size_t bytes_of_messages(const sent_copy *c)
{
    const int32_t ranks = c->d->share.comm->size, own = c->d->share.comm->rank;
    size_t bytes = 0;
    for (int32_t r = 0; r < ranks; r++) bytes += bytes_between(c, own, r) + bytes_between(c, r, own);
    return bytes;
}

/* Gets the layers of other ranks that a copy needs. All ranks call it; `status` is this rank's until now, and
 * a failure of one ends all. */
static mass_status get_layers(mass_domain *d, const mass_turn_copies *all, const mass_turn_copy *copy,
                              mass_status status, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    const mass_space_def *space = copy ? space_of(d->model, copy->array) : NULL;
    const size_t ranks = (size_t)comm->size;
    mass_message *const sends = calloc(2 * ranks, sizeof *sends), *const receives = sends ? sends + ranks : NULL;
    char *memory = NULL;
    sent_copy c = {.d = d, .window = &all->window, .space = space};
    if (status == MASS_OK) {
        c.memory = copy->memory;
        c.layer = (size_t)mass_turn_window_row(&all->window) * size_of(&d->model->arrays[copy->array]);
        memory = malloc(bytes_of_messages(&c) + 1);
        if (!memory || !sends) status = mass_error_memory(error, bytes_of_messages(&c), "a phase in turn");
    }
    if (status == MASS_OK) lay_out(&c, receives, memory + lay_out(&c, sends, memory, false), true);
    for (size_t r = 0; status == MASS_OK && r < ranks; r++)
        status = move_layers(&c, comm->rank, (int32_t)r, sends[r].data, error);
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK) status = comm->table->all_to_all(comm, sends, receives, error);
    for (size_t r = 0; status == MASS_OK && r < ranks; r++)
        status = move_layers(&c, (int32_t)r, comm->rank, receives[r].data, error);
    free(memory);
    free(sends);
    return mass_rpc_abandon(comm, status, error);
}

/* ---- all copies ---- */

/* Removes a copy if it has not the present number of places. */
static void remove_other_size(const mass_domain *d, uint32_t array, mass_turn_copies *c)
{
    mass_turn_copy *const copy = find(c, array);
    if (!copy || copy->memory.bytes == (places_of(d, c, array) + 1) * size_of(&d->model->arrays[array])) return;
    mass_buffer_release(&copy->memory);
    *copy = c->list[--c->count];
}

/* Copies the places that a phase of a turn names, and marks those copies that it changes. part: gets the layers of
 * other ranks, too. */
static mass_status copy_for(mass_domain *d, const mass_phase_def *p, mass_turn_copies *c, const mass_turn_window *part,
                            mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < p->callback->field_count; i++) {
        const uint32_t array = p->targets[i].index;
        if (mass_phase_class(p, i) != MASS_CLASS_PLACES) continue;
        remove_other_size(d, array, c);
        if (!find(c, array)) status = add(d, array, c, error);
        if (status == MASS_OK) status = copy_all(d, c, find(c, array), false, error);
        if (part) status = get_layers(d, c, find(c, array), status, error);
        if (status == MASS_OK && mass_access_of(p->targets[i].access)->effect & MASS_EFFECT_WRITES)
            find(c, array)->changed = true;
    }
    return status;
}

mass_status mass_turn_copies_make(mass_domain *d, uint32_t first, mass_turn_copies *c, const mass_turn_window *part,
                                  mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; i < c->count; i++) c->list[i].changed = false;
    c->part = part != NULL;
    if (part) c->window = *part;
    if (!needs_copies(d, first)) return MASS_OK;
    for (uint32_t k = first, end = mass_turn_end(d->model, first); status == MASS_OK && k < end; k++)
        status = copy_for(d, &d->model->phases[k], c, part, error);
    return status;
}

void mass_turn_copies_show(const mass_domain *d, uint32_t phase, const mass_turn_copies *c, mass_launch *launch,
                           void **fields, mass_field_memory *memory)
{
    const mass_phase_def *p = &d->model->phases[phase];
    const mass_space_def *s = &d->model->spaces[p->space];
    if (!needs_copies(d, phase)) return;
    launch->pitch = s->size[0];
    launch->plane = s->size[0] * s->size[1];
    launch->world_stride = 1;
    for (int a = 0; a < 3; a++) {
        launch->origin[a] = 0;
        launch->extent[a] = (mass_lidx)s->size[a];
        launch->ghost[a] = 0;
    }
    if (c->part) launch->extent[mass_slab_axis(s)] = (mass_lidx)c->window.count;
    for (int a = 0; a < 3; a++) launch->world_stride *= launch->extent[a];
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
        if (c->list[i].changed) status = copy_all(d, c, &c->list[i], true, error);
    return status;
}

mass_buffer mass_turn_copies_buffer(const mass_turn_copies *c, uint32_t array)
{
    uint32_t i = 0;
    while (c->list[i].array != array) i++;
    return c->list[i].memory;
}

void mass_turn_copies_free(mass_turn_copies *c)
{
    for (uint32_t i = 0; i < c->count; i++) mass_buffer_release(&c->list[i].memory);
    free(c->list);
    *c = (mass_turn_copies){0};
}
