/* SPDX-License-Identifier: Apache-2.0 */
/* Any agents of the world if ranks split the space: each rank gets all of them. Canonical order is by world, and within
 * a world rank after rank. */
#include "population/anybody.h"
#include "population/gather.h"
#include "population/population.h"
#include "ranks/rpc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The agents of all ranks, by rank and world. */
typedef struct gathering {
    mass_domain *d;
    const mass_population_def *p;
    mass_population_state *s;
    uint64_t *counts; /* [ranks][worlds] */
    uint64_t own, all; /* agents of this rank; of all */
} gathering;

/* Returns the number of a rank's agents in a world. */
static uint64_t count_of(const gathering *c, int32_t rank, int32_t world)
{
    return c->counts[(size_t)rank * (size_t)c->d->worlds + (size_t)world];
}

/* Returns the number of a rank's agents in all worlds. */
static uint64_t count_of_rank(const gathering *c, int32_t rank)
{
    uint64_t count = 0;
    for (int32_t w = 0; w < c->d->worlds; w++) count += count_of(c, rank, w);
    return count;
}

/* Returns the agents of a world on the ranks before this one. */
static uint64_t count_before(const gathering *c, int32_t world)
{
    uint64_t count = 0;
    for (int32_t r = 0; r < c->d->share.comm->rank; r++) count += count_of(c, r, world);
    return count;
}

/* Sets *c: counts the agents of all ranks. Refuses more than 2^32 - 3. The caller frees c->counts, on failure
 * too. All ranks fail if one does. */
static mass_status count_agents(mass_domain *d, uint32_t population, gathering *c, mass_error *error)
{
    *c = (gathering){.d = d, .p = &d->model->populations[population], .s = &d->populations[population]};
    const mass_status status = mass_population_count_ranks(d, population, &c->counts, error);
    if (status != MASS_OK) return status;
    for (int32_t r = 0; r < d->share.comm->size; r++) c->all += count_of_rank(c, r);
    c->own = count_of_rank(c, d->share.comm->rank);
    if (c->all < UINT32_MAX - 1) return MASS_OK;
    return mass_error_set(error, MASS_BAD_USAGE, "callbacks name any agents of population %s, which has %" PRIu64
                          " over all ranks: 2^32 - 3 are the most", c->p->name, c->all);
}

/* Makes room for the agents of all ranks, and for a quarter more: in the arrays, the sums and the index. If there was
 * too little, former values are lost. */
static mass_status make_room_for_all(const gathering *c, mass_error *error)
{
    const uint64_t more = c->all + c->all / 4 + 1, room = more < UINT32_MAX ? more : UINT32_MAX;
    mass_status status = MASS_OK;
    if (c->all < c->s->room_of_all) return MASS_OK;
    mass_anybody_free_room(c->p, c->s);
    for (uint32_t i = 0; status == MASS_OK && i < c->p->array_count; i++) {
        const mass_array_def *a = &c->d->model->arrays[c->p->first_array + i];
        if (i == 0 || a->anywhere)
            status = mass_buffer_allocate(c->d->device, room * a->element_size, &c->s->arrays[i].of_all, error);
        if (status == MASS_OK && a->added_anywhere)
            status = mass_buffer_allocate(c->d->device, room * a->element_size, &c->s->arrays[i].sums, error);
    }
    if (status == MASS_OK && c->p->found_by_id) status = mass_anybody_make_slots(c->d, c->s, room, error);
    if (status == MASS_OK) c->s->room_of_all = (uint32_t)room;
    return status;
}

/* Sets world_starts, the first agent of each world, and `moved`, the distance of this rank's agents from their own
 * indices. */
static mass_status set_starts(const gathering *c, mass_error *error)
{
    const size_t worlds = (size_t)c->d->worlds, size = sizeof(uint32_t);
    uint32_t *start = calloc(2 * worlds + 1, size), *moved = start + worlds + 1;
    if (!start) return mass_error_memory(error, 2 * worlds * size, "agents of all ranks");
    uint64_t own = 0;
    for (int32_t w = 0; w < c->d->worlds; w++) {
        uint64_t all = 0;
        for (int32_t r = 0; r < c->d->share.comm->size; r++) all += count_of(c, r, w);
        start[w + 1] = (uint32_t)(start[w] + all);
        moved[w] = (uint32_t)(start[w] + count_before(c, w) - own);
        own += count_of(c, c->d->share.comm->rank, w);
    }
    mass_status status = mass_buffer_upload(c->s->world_starts, start, (worlds + 1) * size, error);
    if (status == MASS_OK) status = mass_buffer_upload(c->s->moved, moved, worlds * size, error);
    free(start);
    return status;
}

/* Sends the bytes at `own` to all ranks, this one too, and gets those of rank r at received[r], of lengths[r] bytes. */
static mass_status send_to_all(mass_comm *comm, void *own, size_t bytes, char *const *received, const size_t *lengths,
                               mass_error *error)
{
    const size_t ranks = (size_t)comm->size;
    mass_message *messages = calloc(2 * ranks, sizeof *messages);
    if (!messages) return mass_error_memory(error, ranks * sizeof *messages, "agents of all ranks");
    for (int32_t r = 0; r < comm->size; r++) {
        messages[r] = (mass_message){r, own, bytes};
        messages[ranks + (size_t)r] = (mass_message){r, received[r], lengths[r]};
    }
    const mass_status status = comm->table->all_to_all(comm, messages, messages + ranks, error);
    free(messages);
    return status;
}

/* Puts the parts of all ranks in canonical order: by world, then by rank. */
static void put_in_order(const gathering *c, char *to, char *const *parts, size_t size)
{
    const int32_t ranks = c->d->share.comm->size;
    for (int32_t w = 0; w < c->d->worlds; w++)
        for (int32_t r = 0; r < ranks; r++) {
            size_t before = 0;
            for (int32_t v = 0; v < w; v++) before += (size_t)count_of(c, r, v);
            const size_t bytes = (size_t)count_of(c, r, w) * size;
            if (bytes) memcpy(to, parts[r] + before * size, bytes);
            to += bytes;
        }
}

/* Gets array i of the agents of all ranks, in canonical order, into its buffer of_all. All ranks call it; a failure of
 * one ends all. */
static mass_status gather_array(const gathering *c, uint32_t i, mass_error *error)
{
    mass_comm *comm = c->d->share.comm;
    const size_t size = c->d->model->arrays[c->p->first_array + i].element_size, ranks = (size_t)comm->size;
    const size_t own = (size_t)c->own * size, all = (size_t)c->all * size;
    char *memory = malloc(own + 2 * all + 1), **parts = calloc(ranks, sizeof *parts);
    size_t *lengths = calloc(ranks, sizeof *lengths);
    mass_status status = memory && parts && lengths ? MASS_OK
                                                    : mass_error_memory(error, 3 * all, "agents of all ranks");
    for (size_t r = 0, at = own; status == MASS_OK && r < ranks; at += lengths[r++]) {
        parts[r] = memory + at;
        lengths[r] = (size_t)count_of_rank(c, (int32_t)r) * size;
    }
    if (status == MASS_OK && own)
        status = mass_buffer_download(c->s->arrays[i].buffer[c->s->current], memory, own, error);
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK) status = send_to_all(comm, memory, own, parts, lengths, error);
    if (status == MASS_OK) put_in_order(c, memory + own + all, parts, size);
    if (status == MASS_OK && all) status = mass_buffer_upload(c->s->arrays[i].of_all, memory + own + all, all, error);
    free(memory);
    free(parts);
    free(lengths);
    return mass_rpc_abandon(comm, status, error);
}

mass_status mass_anybody_gather(mass_domain *d, uint32_t population, mass_error *error)
{
    static const uint8_t nothing = 0;
    gathering c;
    mass_status status = count_agents(d, population, &c, error);
    if (status == MASS_OK) status = make_room_for_all(&c, error);
    if (status == MASS_OK) status = set_starts(&c, error);
    status = mass_rpc_agree(d->share.comm, status, error);
    for (uint32_t i = 0; status == MASS_OK && i < c.p->array_count; i++) {
        const mass_array_def *a = &d->model->arrays[c.p->first_array + i];
        if (i == 0 || a->anywhere) status = gather_array(&c, i, error);
        if (status == MASS_OK && a->added_anywhere && c.all)
            status = mass_buffer_fill(c.s->arrays[i].sums, &nothing, 1, (size_t)c.all * a->element_size, error);
    }
    free(c.counts);
    return status;
}

/* ---- sums ---- */

/* Returns integer i of an array of integers of 32 or 64 bits. */
static int64_t number_at(const char *values, size_t size, size_t i)
{
    int32_t narrow;
    int64_t wide;
    if (size == sizeof wide) memcpy(&wide, values + i * size, size);
    else memcpy(&narrow, values + i * size, size), wide = narrow;
    return wide;
}

/* Adds to this rank's agents, `values`, their parts of the sums, which are of the agents of all ranks. */
static void add_sums(const gathering *c, char *values, const int64_t *sums, size_t size)
{
    size_t own = 0, start = 0;
    for (int32_t w = 0; w < c->d->worlds; w++) {
        const size_t first = start + (size_t)count_before(c, w);
        for (size_t k = 0; k < count_of(c, c->d->share.comm->rank, w); k++, own++) {
            const uint64_t sum = (uint64_t)number_at(values, size, own) + (uint64_t)sums[first + k];
            const uint32_t narrow = (uint32_t)sum;
            memcpy(values + own * size, size == sizeof sum ? (const void *)&sum : &narrow, size);
        }
        for (int32_t r = 0; r < c->d->share.comm->size; r++) start += (size_t)count_of(c, r, w);
    }
}

mass_status mass_anybody_collect(mass_domain *d, uint32_t array, mass_error *error)
{
    const uint32_t population = (uint32_t)d->model->attributes[d->model->arrays[array].attribute].population;
    const size_t size = d->model->arrays[array].element_size;
    mass_comm *comm = d->share.comm;
    gathering c;
    mass_status status = count_agents(d, population, &c, error);
    mass_agent_buffers *b = &c.s->arrays[array - c.p->first_array];
    const size_t all = (size_t)c.all, own = (size_t)c.own;
    char *values = malloc((all + own) * size + 1);
    int64_t *sums = malloc((all + 1) * sizeof *sums);
    if (status == MASS_OK && (!values || !sums)) status = mass_error_memory(error, all * 16, "sums of all ranks");
    if (status == MASS_OK && all) status = mass_buffer_download(b->sums, values, all * size, error);
    for (size_t i = 0; status == MASS_OK && i < all; i++) sums[i] = number_at(values, size, i);
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK && all) status = comm->table->all_reduce(comm, MASS_REDUCE_SUM, sums, all, error);
    const mass_buffer now = b->buffer[c.s->current];
    if (status == MASS_OK && own) status = mass_buffer_download(now, values, own * size, error);
    if (status == MASS_OK) add_sums(&c, values, sums, size);
    if (status == MASS_OK && own) status = mass_buffer_upload(now, values, own * size, error);
    free(values);
    free(sums);
    free(c.counts);
    return mass_rpc_abandon(comm, status, error);
}

/* ---- full places ---- */

/* Returns the words of a bitmap of so many cells, at least 1. */
static size_t words_of(uint64_t cells) { return (size_t)(cells / 32 + 1); }

/* Joins the bitmaps of the ranks, each of its own places in all worlds, to that of the space, which is all 0 before.
 * Sets its counts, too. */
static void join_full(const mass_domain *d, const mass_population_state *s, char *const *parts, mass_seats *to)
{
    const int32_t ranks = d->share.comm->size;
    const uint64_t places = (uint64_t)s->first_place[ranks];
    uint32_t before = 0;
    for (int32_t r = 0; r < ranks; r++) {
        const mass_seats *from = (const void *)parts[r];
        const uint64_t first = (uint64_t)s->first_place[r], count = (uint64_t)s->first_place[r + 1] - first;
        for (uint64_t i = 0; i < count * (uint64_t)d->worlds; i++)
            if (from[i / 32].held >> i % 32 & 1) {
                const uint64_t cell = i / count * places + first + i % count;
                to[cell / 32].held |= 1u << cell % 32;
            }
    }
    for (size_t w = 0; w < words_of(places * (uint64_t)d->worlds); w++) {
        to[w].before = before;
        before += (uint32_t)__builtin_popcount(to[w].held);
    }
}

mass_status mass_anybody_gather_full(mass_domain *d, uint32_t population, mass_error *error)
{
    const mass_population_state *s = &d->populations[population];
    mass_comm *comm = d->share.comm;
    const size_t ranks = (size_t)comm->size, size = sizeof(mass_seats), worlds = (size_t)d->worlds;
    const size_t all = words_of((uint64_t)s->first_place[ranks] * worlds) * size;
    const size_t own = words_of((uint64_t)s->places * worlds) * size;
    char *memory = calloc(own + 2 * all + ranks * size, 1), **parts = calloc(ranks, sizeof *parts);
    size_t *lengths = calloc(ranks, sizeof *lengths);
    mass_status status = memory && parts && lengths ? MASS_OK : mass_error_memory(error, 3 * all, "free places");
    for (size_t r = 0, at = own + all; status == MASS_OK && r < ranks; at += lengths[r++]) {
        parts[r] = memory + at;
        lengths[r] = words_of((uint64_t)(s->first_place[r + 1] - s->first_place[r]) * worlds) * size;
    }
    if (status == MASS_OK) status = mass_anybody_find_full(d, population, error);
    if (status == MASS_OK) status = mass_buffer_download(s->full, memory, own, error);
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK) status = send_to_all(comm, memory, own, parts, lengths, error);
    if (status == MASS_OK) join_full(d, s, parts, (mass_seats *)(memory + own));
    if (status == MASS_OK) status = mass_buffer_upload(s->full, memory + own, all, error);
    free(memory);
    free(parts);
    free(lengths);
    return mass_rpc_abandon(comm, status, error);
}
