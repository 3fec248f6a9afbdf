/* SPDX-License-Identifier: Apache-2.0 */
#include "population/turn_rows.h"
#include "ranks/rpc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char WHAT[] = "a phase in turn";

/* The record of an agent. Its values follow, array by array without the ids, and without padding. */
typedef struct record {
    uint64_t id;
    mass_gidx place; /* of the space */
    int32_t world, unused;
} record;

/* Returns the bytes of an element of one of a population's arrays. */
static size_t size_of(const mass_domain *d, uint32_t population, uint32_t array)
{
    return d->model->arrays[d->model->populations[population].first_array + array].element_size;
}

/* Returns the bytes of an agent's record. */
static size_t record_size(const mass_domain *d, uint32_t population)
{
    size_t size = sizeof(record);
    for (uint32_t i = 1; i < d->model->populations[population].array_count; i++) size += size_of(d, population, i);
    return size;
}

/* Returns memory for so many elements: `old`, or in its place larger memory, without the contents. *room: the elements
 * that it has room for. NULL: there is none, and `old` is freed. */
static void *room_for(void *old, uint64_t *room, uint64_t count, size_t size)
{
    if (old && count <= *room) return old;
    free(old);
    *room = count + count / 4 + 1;
    return malloc(*room * size);
}

/* ---- columns ---- */

/* Frees the arrays of agents. */
static void free_agents(mass_turn_agents *a)
{
    for (uint32_t i = 0; a->columns && i < a->arrays; i++) free(a->columns[i]);
    free(a->columns);
    free(a->cell);
    *a = (mass_turn_agents){0};
}

/* Makes room for so many agents, and sets their count. Those of before are lost if there was too little. On failure the
 * caller frees what there is. */
static mass_status make_room(const mass_domain *d, uint32_t population, mass_turn_agents *a, uint64_t count,
                             mass_error *error)
{
    const uint32_t arrays = d->model->populations[population].array_count;
    a->count = count;
    if (a->columns && count <= a->room) return MASS_OK;
    free_agents(a);
    const uint64_t room = count + count / 4 + 1;
    a->columns = calloc(arrays, sizeof *a->columns);
    a->cell = malloc(room * sizeof *a->cell);
    if (!a->columns || !a->cell) return mass_error_memory(error, room * sizeof *a->cell, WHAT);
    a->arrays = arrays;
    for (uint32_t i = 0; i < arrays; i++) {
        a->columns[i] = malloc(room * size_of(d, population, i));
        if (!a->columns[i]) return mass_error_memory(error, room * size_of(d, population, i), WHAT);
    }
    a->count = count;
    a->room = room;
    return MASS_OK;
}

mass_status mass_turn_rows_read(mass_domain *d, uint32_t population, uint64_t count, mass_turn_rows *r,
                                mass_error *error)
{
    const mass_population_state *s = &d->populations[population];
    const uint32_t arrays = d->model->populations[population].array_count;
    const bool here = d->device->table->memory->in_host_memory;
    mass_status status = here ? d->device->table->launch->synchronise(d->device, error)
                              : make_room(d, population, &r->read, count, error);
    if (!r->from) r->from = calloc(arrays, sizeof *r->from);
    if (!r->from) return mass_error_memory(error, arrays * sizeof *r->from, WHAT);
    for (uint32_t i = 0; status == MASS_OK && i < arrays; i++) {
        const mass_buffer all = s->arrays[i].buffer[s->current];
        r->from[i] = here ? all.address : r->read.columns[i];
        if (!here && count)
            status = mass_buffer_download(all, r->read.columns[i], count * size_of(d, population, i), error);
    }
    return status;
}

/* ---- records ---- */

/* Returns memory for one more record that stays on this rank; NULL, with the error set, if memory is short. It may
 * move the others. */
static char *add_own(mass_turn_rows *r, size_t size, mass_error *error)
{
    if (r->own_count == r->own_room) {
        const uint64_t room = 2 * r->own_room + 64;
        char *const own = realloc(r->own, room * size);
        if (!own) {
            mass_error_memory(error, room * size, WHAT);
            return NULL;
        }
        r->own = own;
        r->own_room = room;
    }
    return r->own + r->own_count++ * size;
}

mass_status mass_turn_rows_send(mass_domain *d, uint32_t population, mass_turn_rows *r, const mass_turn_sent *sent,
                                mass_error *error)
{
    mass_comm *comm = d->share.comm;
    const record head = {.id = sent->id, .place = sent->place, .world = sent->world};
    if (r->sent.size == 0) {
        r->sent.comm = comm;
        r->sent.size = record_size(d, population);
    }
    char *to = sent->rank == comm->rank ? add_own(r, r->sent.size, error)
                                        : mass_record_buffers_add(&r->sent, sent->rank, error);
    if (!to) return error->status;
    memcpy(to, &head, sizeof head);
    to += sizeof head;
    for (uint32_t i = 1; i < d->model->populations[population].array_count; i++) {
        const size_t size = size_of(d, population, i);
        if (i == 1 && sent->child) memset(to, 0, size);
        else memcpy(to, r->from[i] + sent->row * size, size);
        to += size;
    }
    return MASS_OK;
}

/* ---- canonical order ---- */

/* Returns record i. Those that stay come first, then those that arrived. */
static const char *record_at(const mass_turn_rows *r, uint64_t i)
{
    return i < r->own_count ? r->own + i * r->sent.size : r->sent.arrivals + (i - r->own_count) * r->sent.size;
}

/* Returns the cell of a record in a part of the space. */
static uint32_t cell_of(const char *at, const mass_turn_part *part, mass_gidx places)
{
    record head;
    memcpy(&head, at, sizeof head);
    const mass_gidx place = head.place < part->low_end ? head.place : head.place - part->gap;
    return (uint32_t)(head.world * places + place);
}

/* Returns the id in a record. */
static uint64_t id_of(const char *at)
{
    record head;
    memcpy(&head, at, sizeof head);
    return head.id;
}

/* Sorts the records of one cell by id. They are few. */
static void sort_cell(const char **list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const char *const at = list[i];
        uint32_t k = i;
        for (; k > 0 && id_of(list[k - 1]) > id_of(at); k--) list[k] = list[k - 1];
        list[k] = at;
    }
}

/* Sorts all records, this rank's and those that have arrived, by cell and then by id, into r->sorted. r->starts gets
 * the end of each cell. */
static mass_status sort(mass_turn_rows *r, const mass_turn_part *part, mass_gidx places, int32_t worlds,
                        mass_error *error)
{
    const uint64_t count = r->own_count + r->sent.arrived, cells = (uint64_t)places * (uint64_t)worlds;
    r->sorted = room_for(r->sorted, &r->sorted_room, count, sizeof *r->sorted);
    r->starts = room_for(r->starts, &r->starts_room, cells + 1, sizeof *r->starts);
    if (!r->sorted || !r->starts) return mass_error_memory(error, (count + cells) * sizeof *r->sorted, WHAT);
    memset(r->starts, 0, (cells + 1) * sizeof *r->starts);
    for (uint64_t i = 0; i < count; i++) r->starts[cell_of(record_at(r, i), part, places) + 1]++;
    for (uint64_t c = 0; c < cells; c++) r->starts[c + 1] += r->starts[c];
    for (uint64_t i = 0; i < count; i++) {
        const char *const at = record_at(r, i);
        r->sorted[r->starts[cell_of(at, part, places)]++] = at; /* then starts[c] is the end of cell c */
    }
    for (uint64_t i = 0; i < count;) {
        const uint64_t end = r->starts[cell_of(r->sorted[i], part, places)];
        sort_cell(r->sorted + i, (uint32_t)(end - i));
        i = end;
    }
    return MASS_OK;
}

/* Writes the values and cells of the sorted records to r->agents, which has its count and room. */
static void unpack(const mass_domain *d, uint32_t population, mass_turn_rows *r, const mass_turn_part *part,
                   mass_gidx places)
{
    mass_turn_agents *const a = &r->agents;
    size_t at = sizeof(record);
    for (uint64_t k = 0; k < a->count; k++) {
        const uint64_t id = id_of(r->sorted[k]);
        memcpy(a->columns[0] + k * sizeof id, &id, sizeof id);
        a->cell[k] = cell_of(r->sorted[k], part, places);
    }
    for (uint32_t i = 1; i < a->arrays; i++) {
        const size_t size = size_of(d, population, i);
        for (uint64_t k = 0; k < a->count; k++) memcpy(a->columns[i] + k * size, r->sorted[k] + at, size);
        at += size;
    }
}

mass_status mass_turn_rows_exchange(mass_domain *d, uint32_t population, mass_turn_rows *r, const mass_turn_part *part,
                                    mass_gidx places, mass_error *error)
{
    if (r->sent.size == 0) {
        r->sent.comm = d->share.comm;
        r->sent.size = record_size(d, population);
    }
    mass_status status = mass_record_buffers_exchange(&r->sent, error);
    if (status != MASS_OK) return mass_rpc_abandon(d->share.comm, status, error);
    const uint64_t count = r->own_count + r->sent.arrived;
    if (status == MASS_OK && count >= MASS_CELL_REMOTE)
        status = mass_error_set(error, MASS_NO_DEVICE, "population %s would have %" PRIu64 " agents in a part of the "
                                "space that a rank plays in turn, more than 2^32 - 4: use more ranks",
                                d->model->populations[population].name, count);
    if (status == MASS_OK) status = sort(r, part, places, d->worlds, error);
    if (status == MASS_OK) status = make_room(d, population, &r->agents, count, error);
    if (status == MASS_OK) unpack(d, population, r, part, places);
    r->own_count = 0;
    return status;
}

void mass_turn_rows_free(mass_turn_rows *r)
{
    free_agents(&r->agents);
    free_agents(&r->read);
    free(r->from);
    if (r->sent.comm) mass_record_buffers_free(&r->sent);
    free(r->own);
    free(r->sorted);
    free(r->starts);
    *r = (mass_turn_rows){0};
}
