/* SPDX-License-Identifier: Apache-2.0 */
#include "population/capacity.h"
#include "population/anybody.h"

#include <mass/impl/points.h>

#include <inttypes.h>
#include <stdlib.h>

/* Allocates `count` elements of `size` bytes on the domain's device. */
static mass_status allocate(mass_domain *d, size_t count, size_t size, mass_buffer *out, mass_error *error)
{
    return mass_buffer_allocate(d->device, count * size, out, error);
}

void mass_population_free_room(const mass_population_def *p, mass_population_state *s)
{
    for (uint32_t i = 0; s->arrays && i < p->array_count; i++) {
        for (int b = 0; b < 2; b++) mass_buffer_release(&s->arrays[i].buffer[b]);
        mass_buffer_release(&s->arrays[i].child);
        mass_buffer_release(&s->arrays[i].before);
        mass_buffer_release(&s->arrays[i].added);
    }
    mass_anybody_free_room(p, s);
    for (int b = 0; b < 2; b++) mass_buffer_release(&s->cell[b]);
    mass_buffer_release(&s->move);
    mass_buffer_release(&s->asked);
    mass_buffer_release(&s->child_cell);
    mass_buffer_release(&s->remote_move);
    mass_buffer_release(&s->remote_child);
}

/* Returns the most agents that arrays can hold. */
static uint32_t room_most(const mass_domain *d, const mass_population_def *p)
{
    const uint64_t most = d->device->table->agents->room_most, born = p->children > 2 ? 2 * most / p->children : most;
    return most ? (uint32_t)born : UINT32_MAX - 2;
}

/* Returns `room`, limited to the most that arrays can hold, but at least `agents`. */
static uint32_t find_room(const mass_domain *d, const mass_population_def *p, uint64_t agents, uint64_t room)
{
    const uint32_t most = room_most(d, p);
    return (uint32_t)(room <= most ? room : agents < most ? most : agents);
}

/* Allocates empty buffers for `room` agents, and sets s->room. On failure *s has none. A window gets none for children.
 * Both buffers of cells have valid cells. After a replay stops, its remaining launches may still look up an agent's
 * gate by its cell, in either buffer. */
static mass_status make_room(mass_domain *d, const mass_population_def *p, mass_population_state *s, uint32_t room,
                             mass_error *error)
{
    mass_status status = MASS_OK;
    if (room > room_most(d, p))
        return mass_error_set(error, MASS_NO_DEVICE, "population %s would have %" PRIu32 " agents, and %s can have %"
                              PRIu32 " of them: use more --ranks, each with a GPU, or --device cpu", p->name, room,
                              d->device->table->name(d->device), room_most(d, p));
    for (uint32_t i = 0; status == MASS_OK && i < p->array_count; i++) {
        const mass_array_def *a = &d->model->arrays[p->first_array + i];
        const bool position = p->position >= 0 && a == &d->model->arrays[d->model->attributes[p->position].first_array];
        for (int b = 0; status == MASS_OK && b < 2; b++)
            status = allocate(d, (size_t)room + (position ? MASS_POINTS_READ - 1 : 0), a->element_size,
                              &s->arrays[i].buffer[b], error);
        if (s->window) continue;
        if (status == MASS_OK && a->child)
            status = allocate(d, (size_t)room * mass_rows_of_children(p), a->element_size, &s->arrays[i].child, error);
        if (status == MASS_OK && a->before && !s->first_place)
            status = allocate(d, room, a->element_size, &s->arrays[i].before, error);
        if (status == MASS_OK && a->added && !s->first_place)
            status = allocate(d, room, a->element_size, &s->arrays[i].added, error);
    }
    for (int b = 0; status == MASS_OK && b < 2; b++) {
        static const uint32_t first = 0;
        status = allocate(d, room, sizeof first, &s->cell[b], error);
        if (status != MASS_OK) break;
        status = mass_buffer_fill(s->cell[b], &first, sizeof first, room, error);
    }
    if (status == MASS_OK) status = allocate(d, room, sizeof(uint32_t), &s->move, error);
    if (status == MASS_OK) status = allocate(d, room, sizeof(uint32_t), &s->asked, error);
    if (status == MASS_OK && !s->window)
        status = allocate(d, (size_t)room * p->children, sizeof(uint32_t), &s->child_cell, error);
    if (status == MASS_OK && s->first_place) status = allocate(d, room, sizeof(int64_t), &s->remote_move, error);
    if (status == MASS_OK && s->first_place)
        status = allocate(d, (size_t)room * p->children, sizeof(int64_t), &s->remote_child, error);
    if (status == MASS_OK && p->found_by_id && !s->first_place && !s->window)
        status = mass_anybody_make_slots(d, s, room, error);
    if (status == MASS_OK) s->room = room;
    else mass_population_free_room(p, s);
    return status;
}

/* Records that a population has new arrays. Recordings are made again. Memory was taken, so no number of agents is
 * safe until the next check. */
static void note_move(mass_domain *d)
{
    d->changes++;
    for (uint32_t p = 0; p < d->model->population_count; p++) d->populations[p].safe_count = 0;
}

mass_status mass_population_renew_room(mass_domain *d, uint32_t population, uint32_t agents, uint64_t room,
                                       mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    mass_population_state *s = &d->populations[population];
    mass_population_free_room(p, s);
    s->current = 0;
    const mass_status status = make_room(d, p, s, find_room(d, p, agents, room), error);
    note_move(d);
    return status;
}

mass_status mass_population_reserve(mass_domain *d, uint32_t population, uint64_t agents, mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    mass_population_state *s = &d->populations[population];
    if (agents >= UINT32_MAX - 1)
        return mass_error_set(error, MASS_NO_DEVICE, "population %s would have %" PRIu64 " agents, more than 2^32 - 3",
                              p->name, agents);
    if (agents <= s->room && s->room > 0) return MASS_OK;
    const uint32_t room = find_room(d, p, agents, agents + agents / 4 + 1);
    mass_status status = d->device->table->launch->synchronise(d->device, error);
    mass_population_free_room(p, s);
    s->current = 0;
    if (status == MASS_OK) status = make_room(d, p, s, room, error);
    if (status == MASS_NO_DEVICE && room > agents) {
        *error = (mass_error){0};
        status = make_room(d, p, s, (uint32_t)agents, error);
    }
    note_move(d);
    return status;
}

/* ---- larger buffers ---- */

/* Copies `rows` rows of `count` elements. The distance of rows is the capacity of each side. */
static mass_status copy_rows(mass_domain *d, mass_buffer to, uint32_t to_room, mass_buffer from, uint32_t from_room,
                             size_t size, uint32_t count, uint32_t rows, mass_error *error)
{
    const mass_strided c = {to.address, from.address, count * size, {rows, 1, 1}, {(int64_t)(to_room * size)},
                            {(int64_t)(from_room * size)}};
    return count && rows ? d->device->table->memory->copy(d->device, &c, error) : MASS_OK;
}

/* Copies the requests of `count` agents to larger buffers; those to other ranks only if ranks share the space. */
static mass_status copy_requests(mass_domain *d, const mass_population_state *to, const mass_population_state *from,
                                 uint32_t count, uint32_t children, mass_error *error)
{
    const size_t word = sizeof(uint32_t), place = sizeof(int64_t);
    mass_status status = copy_rows(d, to->move, to->room, from->move, from->room, word, count, 1, error);
    if (status == MASS_OK) status = copy_rows(d, to->asked, to->room, from->asked, from->room, word, count, 1, error);
    if (status == MASS_OK && !from->window)
        status = copy_rows(d, to->child_cell, to->room, from->child_cell, from->room, word, count, children, error);
    if (status != MASS_OK || !from->first_place) return status;
    status = copy_rows(d, to->remote_move, to->room, from->remote_move, from->room, place, count, 1, error);
    if (status != MASS_OK) return status;
    return copy_rows(d, to->remote_child, to->room, from->remote_child, from->room, place, count, children, error);
}

/* Copies where agents ask to move (population/positions.h). */
static mass_status copy_points(mass_domain *d, uint32_t population, const mass_population_state *to, uint32_t count,
                               mass_error *error)
{
    const mass_population_state *from = &d->populations[population];
    const uint32_t array = d->model->attributes[d->model->populations[population].position].first_array;
    const uint32_t i = array - d->model->populations[population].first_array, next = from->current ^ 1u;
    return copy_rows(d, to->arrays[i].buffer[next], to->room, from->arrays[i].buffer[next], from->room,
                     d->model->arrays[array].element_size, count, 1, error);
}

mass_status mass_population_enlarge(mass_domain *d, uint32_t population, uint64_t agents, mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    mass_population_state *s = &d->populations[population], larger = *s;
    if (agents >= UINT32_MAX - 1)
        return mass_error_set(error, MASS_NO_DEVICE, "population %s would have %" PRIu64 " agents, more than 2^32 - 3",
                              p->name, agents);
    const uint32_t room = find_room(d, p, agents, agents + agents / 2);
    larger.arrays = calloc(p->array_count, sizeof *larger.arrays);
    if (!larger.arrays) return mass_error_memory(error, p->array_count, "a population");
    for (uint32_t i = 0; i < p->array_count; i++) {
        larger.arrays[i].initial = s->arrays[i].initial;
        larger.arrays[i].sprout = s->arrays[i].sprout;
    }
    larger.cell[0] = larger.cell[1] = larger.move = larger.asked = larger.child_cell = (mass_buffer){0};
    larger.remote_move = larger.remote_child = larger.slots = (mass_buffer){0};
    larger.room_of_all = 0;
    uint32_t n;
    mass_status status = mass_buffer_download(s->count, &n, sizeof n, error);
    if (status == MASS_OK) status = make_room(d, p, &larger, room, error);
    if (status == MASS_NO_DEVICE && room > agents) {
        *error = (mass_error){0};
        status = make_room(d, p, &larger, (uint32_t)agents, error);
    }
    const uint32_t now = s->current;
    for (uint32_t i = 0; status == MASS_OK && i < p->array_count; i++) {
        const size_t size = d->model->arrays[p->first_array + i].element_size;
        status = copy_rows(d, larger.arrays[i].buffer[now], larger.room, s->arrays[i].buffer[now], s->room, size, n, 1,
                           error);
        if (status == MASS_OK && s->arrays[i].child.device)
            status = copy_rows(d, larger.arrays[i].child, larger.room, s->arrays[i].child, s->room, size, n,
                               p->children, error);
    }
    if (status == MASS_OK)
        status = copy_rows(d, larger.cell[now], larger.room, s->cell[now], s->room, sizeof(uint32_t), n, 1, error);
    if (status == MASS_OK) status = copy_requests(d, &larger, s, n, p->children, error);
    if (status == MASS_OK && p->position >= 0) status = copy_points(d, population, &larger, n, error);
    if (status == MASS_OK) status = d->device->table->launch->synchronise(d->device, error);
    if (status == MASS_OK) {
        const mass_population_state old = *s;
        *s = larger;
        larger = old;
        note_move(d);
    }
    mass_population_free_room(p, &larger);
    free(larger.arrays);
    return status;
}
