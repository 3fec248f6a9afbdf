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

/* How many records go to each rank, and how many come from each. */
static mass_status exchange_counts(mass_parcels *p, uint64_t *to, uint64_t *from, mass_message *sends,
                                   mass_message *receives, mass_error *error)
{
    for (uint64_t i = 0; i < p->count; i++) to[p->ranks[i]]++;
    for (int32_t r = 0; r < p->comm->size; r++) {
        sends[r] = (mass_message){r, &to[r], sizeof *to};
        receives[r] = (mass_message){r, &from[r], sizeof *from};
    }
    return p->comm->table->all_to_all(p->comm, sends, receives, error);
}

/* The records in the order of the ranks that they go to. `next` is where the first one to each rank goes. */
static void sort_records(const mass_parcels *p, char *sorted, uint64_t *next)
{
    for (uint64_t i = 0; i < p->count; i++)
        memcpy(sorted + next[p->ranks[i]]++ * p->size, p->records + i * p->size, p->size);
}

/* to, from: [ranks] how many records; sends and receives: [ranks]. */
static mass_status exchange_records(mass_parcels *p, uint64_t *to, const uint64_t *from, mass_message *sends,
                                    mass_message *receives, mass_error *error)
{
    uint64_t arrived = 0, sent = 0;
    for (int32_t r = 0; r < p->comm->size; r++) arrived += from[r];
    char *sorted = malloc(p->count * p->size + 1), *arrivals = malloc(arrived * p->size + 1);
    mass_status status = MASS_OK;
    if (!sorted || !arrivals) status = mass_error_memory(error, (p->count + arrived) * p->size, WHAT);
    free(p->arrivals);
    p->arrivals = arrivals;
    p->arrived = 0;
    for (int32_t r = 0; status == MASS_OK && r < p->comm->size; r++) {
        sends[r] = (mass_message){r, sorted + sent * p->size, to[r] * p->size};
        receives[r] = (mass_message){r, arrivals + p->arrived * p->size, from[r] * p->size};
        p->first_of[r] = p->arrived;
        p->arrived += from[r];
        sent += to[r];
        to[r] = sent - to[r];
    }
    p->first_of[p->comm->size] = p->arrived;
    if (status == MASS_OK) {
        sort_records(p, sorted, to);
        status = p->comm->table->all_to_all(p->comm, sends, receives, error);
    }
    p->count = 0;
    free(sorted);
    return status;
}

mass_status mass_parcels_exchange(mass_parcels *p, mass_error *error)
{
    const size_t ranks = (size_t)p->comm->size;
    uint64_t *to = calloc(2 * ranks, sizeof *to);
    mass_message *messages = malloc(2 * ranks * sizeof *messages);
    if (!p->first_of) p->first_of = calloc(ranks + 1, sizeof *p->first_of);
    mass_status status = MASS_OK;
    if (!to || !messages || !p->first_of) status = mass_error_memory(error, 4 * ranks * sizeof *messages, WHAT);
    if (status == MASS_OK) status = exchange_counts(p, to, to + ranks, messages, messages + ranks, error);
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
    free(p->first_of);
    *p = (mass_parcels){.comm = p->comm, .size = p->size};
}
