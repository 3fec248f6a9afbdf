/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/parcels.h"

#include <stdlib.h>
#include <string.h>

static const char WHAT[] = "what ranks send each other";

void *mass_parcels_add(mass_parcels *p, int32_t rank, mass_error *error)
{
    if (p->count == p->room) {
        const uint64_t room = p->room ? 2 * p->room : 64;
        int32_t *ranks = realloc(p->ranks, room * sizeof *ranks);
        if (ranks) p->ranks = ranks;
        char *records = realloc(p->records, room * p->size);
        if (records) p->records = records;
        if (!ranks || !records) {
            mass_error_memory(error, room * (p->size + sizeof *ranks), WHAT);
            return NULL;
        }
        p->room = room;
    }
    p->ranks[p->count] = rank;
    return p->records + p->count++ * p->size;
}

typedef struct header {
    uint64_t count, note;
} header;

/* How many records go to each rank, and how many come from each. */
static mass_status exchange_headers(mass_parcels *p, header *to, header *from, mass_message *sends,
                                    mass_message *receives, mass_error *error)
{
    for (uint64_t i = 0; i < p->count; i++) to[p->ranks[i]].count++;
    for (int32_t r = 0; r < p->comm->size; r++) {
        to[r].note = p->note;
        sends[r] = (mass_message){r, &to[r], sizeof *to};
        receives[r] = (mass_message){r, &from[r], sizeof *from};
    }
    const mass_status status = p->comm->table->all_to_all(p->comm, sends, receives, error);
    for (int32_t r = 0; r < p->comm->size; r++) p->note |= from[r].note;
    return status;
}

/* The records in the order of the ranks that they go to. The count of `next` is where the first one to each goes. */
static void sort_records(const mass_parcels *p, char *sorted, header *next)
{
    for (uint64_t i = 0; i < p->count; i++)
        memcpy(sorted + next[p->ranks[i]].count++ * p->size, p->records + i * p->size, p->size);
}

static mass_status make_room(mass_parcels *p, uint64_t arrivals, mass_error *error)
{
    if (arrivals <= p->arrival_room) return MASS_OK;
    const uint64_t room = arrivals + arrivals / 4;
    free(p->arrivals);
    p->arrivals = malloc(room * p->size);
    p->arrival_room = p->arrivals ? room : 0;
    return p->arrivals ? MASS_OK : mass_error_memory(error, room * p->size, WHAT);
}

/* sends and receives: [ranks]. */
static mass_status exchange_records(mass_parcels *p, header *to, const header *from, mass_message *sends,
                                    mass_message *receives, mass_error *error)
{
    uint64_t arrived = 0, sent = 0;
    uint32_t send_count = 0, receive_count = 0;
    for (int32_t r = 0; r < p->comm->size; r++) arrived += from[r].count;
    char *sorted = malloc(p->count * p->size + 1);
    mass_status status = make_room(p, arrived, error);
    if (!sorted) status = mass_error_memory(error, p->count * p->size, WHAT);
    p->arrived = 0;
    for (int32_t r = 0; status == MASS_OK && r < p->comm->size; r++) {
        const uint64_t n = to[r].count;
        if (n) sends[send_count++] = (mass_message){r, sorted + sent * p->size, n * p->size};
        if (from[r].count)
            receives[receive_count++] = (mass_message){r, p->arrivals + p->arrived * p->size, from[r].count * p->size};
        p->arrived += from[r].count;
        to[r].count = sent;
        sent += n;
    }
    if (status == MASS_OK) {
        sort_records(p, sorted, to);
        status = p->comm->table->exchange(p->comm, sends, send_count, receives, receive_count, error);
    }
    p->count = 0;
    free(sorted);
    return status;
}

mass_status mass_parcels_exchange(mass_parcels *p, mass_error *error)
{
    const size_t ranks = (size_t)p->comm->size;
    header *to = calloc(2 * ranks, sizeof *to);
    mass_message *messages = malloc(2 * ranks * sizeof *messages);
    mass_status status = MASS_OK;
    if (!to || !messages) status = mass_error_memory(error, 4 * ranks * sizeof *messages, WHAT);
    if (status == MASS_OK) status = exchange_headers(p, to, to + ranks, messages, messages + ranks, error);
    if (status == MASS_OK) status = exchange_records(p, to, to + ranks, messages, messages + ranks, error);
    free(to);
    free(messages);
    return status;
}

void mass_parcels_free(mass_parcels *p)
{
    free(p->ranks);
    free(p->records);
    free(p->arrivals);
    *p = (mass_parcels){.comm = p->comm, .size = p->size};
}
