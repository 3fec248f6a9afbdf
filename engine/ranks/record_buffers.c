/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/record_buffers.h"

#include <stdlib.h>
#include <string.h>

static const char WHAT[] = "what ranks send each other";

void *mass_record_buffers_add(mass_record_buffers *p, int32_t rank, mass_error *error)
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

/* The beginning of a first message. more: the sender has records for some rank that do not fit its first messages. */
typedef struct header {
    uint64_t count, note, more;
} header;

/* Returns how many records the next first message can hold: some more than in this exchange, but at most an eighth
 * fewer than before. Both ranks of a pair compute the same number, as both know the earlier counts. */
static uint64_t usual_after(uint64_t usual, uint64_t count)
{
    enum { FEW = 4 };
    const uint64_t more = count + count / 4 + FEW, before = usual - usual / 8;
    return more > before ? more : before;
}

/* Returns the bytes of a first message: a header and the usual number of records. */
static size_t first_bytes(const mass_record_buffers *p, uint64_t usual) { return sizeof(header) + usual * p->size; }

/* Ensures that *memory has `bytes`; its contents are lost if it grows. */
static mass_status reserve(char **memory, uint64_t *room, uint64_t bytes, mass_error *error)
{
    if (bytes <= *room) return MASS_OK;
    free(*memory);
    *room = 0;
    *memory = malloc(bytes + bytes / 4);
    if (!*memory) return mass_error_memory(error, bytes, WHAT);
    *room = bytes + bytes / 4;
    return MASS_OK;
}

/* Assigns memory to the messages to and from all ranks, one after the other, then to the records that do not fit.
 * The pairs' `sent` is counted before. */
static mass_status lay_out(mass_record_buffers *p, mass_error *error)
{
    uint64_t out = 0, in = 0;
    const uint64_t rest = p->count * p->size;
    for (int32_t r = 0; r < p->comm->size; r++) {
        out += first_bytes(p, p->pairs[r].usual_sent);
        in += first_bytes(p, p->pairs[r].usual_received);
    }
    mass_status status = reserve(&p->out, &p->out_room, out + rest, error);
    if (status == MASS_OK) status = reserve(&p->in, &p->in_room, in, error);
    if (status != MASS_OK) return status;
    char *to = p->out, *from = p->in, *more = p->out + out;
    for (int32_t r = 0; r < p->comm->size; r++) {
        mass_record_buffer_pair *const pair = &p->pairs[r];
        pair->out = to, pair->in = from, pair->rest = more;
        to += first_bytes(p, pair->usual_sent);
        from += first_bytes(p, pair->usual_received);
        if (pair->sent > pair->usual_sent) more += (pair->sent - pair->usual_sent) * p->size;
    }
    return MASS_OK;
}

/* Fills in the first messages, and copies the records that do not fit to the pairs' rests. */
static void pack(mass_record_buffers *p)
{
    uint64_t more = 0;
    for (int32_t r = 0; r < p->comm->size; r++) more |= p->pairs[r].sent > p->pairs[r].usual_sent;
    for (int32_t r = 0; r < p->comm->size; r++) {
        const header h = {p->pairs[r].sent, p->note, more};
        memcpy(p->pairs[r].out, &h, sizeof h);
        p->pairs[r].packed = 0;
    }
    for (uint64_t i = 0; i < p->count; i++) {
        mass_record_buffer_pair *const pair = &p->pairs[p->ranks[i]];
        const uint64_t k = pair->packed++;
        char *const to = k < pair->usual_sent ? pair->out + first_bytes(p, k)
                                              : pair->rest + (k - pair->usual_sent) * p->size;
        memcpy(to, p->records + i * p->size, p->size);
    }
}

/* Exchanges the first messages, ORs the ranks' notes, and reserves space for the arrivals, which it counts. *more,
 * false before: some rank has further records. */
static mass_status exchange_first(mass_record_buffers *p, bool *more, mass_error *error)
{
    for (int32_t r = 0; r < p->comm->size; r++) {
        mass_record_buffer_pair *const pair = &p->pairs[r];
        p->sends[r] = (mass_message){r, pair->out, first_bytes(p, pair->usual_sent)};
        p->receives[r] = (mass_message){r, pair->in, first_bytes(p, pair->usual_received)};
    }
    const mass_status status = p->comm->table->all_to_all(p->comm, p->sends, p->receives, error);
    uint64_t arrived = 0;
    for (int32_t r = 0; status == MASS_OK && r < p->comm->size; r++) {
        header h;
        memcpy(&h, p->pairs[r].in, sizeof h);
        p->note |= h.note;
        *more |= h.more != 0;
        arrived += p->pairs[r].received = h.count;
    }
    p->arrived = arrived;
    return status == MASS_OK ? reserve(&p->arrivals, &p->arrival_room, arrived * p->size, error) : status;
}

/* Copies the records of first messages to `arrivals`, in the order of ranks, and exchanges the others. Mostly there are
 * no others. Sets what is usual for the next exchange. All ranks call it together. */
static mass_status exchange_rest(mass_record_buffers *p, bool more, mass_error *error)
{
    uint32_t sends = 0, receives = 0;
    char *to = p->arrivals;
    for (int32_t r = 0; r < p->comm->size; r++) {
        mass_record_buffer_pair *const pair = &p->pairs[r];
        const uint64_t n = pair->received, first = n < pair->usual_received ? n : pair->usual_received;
        if (pair->sent > pair->usual_sent)
            p->sends[sends++] = (mass_message){r, pair->rest, (pair->sent - pair->usual_sent) * p->size};
        if (first) memcpy(to, pair->in + sizeof(header), first * p->size);
        if (n > first) p->receives[receives++] = (mass_message){r, to + first * p->size, (n - first) * p->size};
        to += n * p->size;
        pair->usual_sent = usual_after(pair->usual_sent, pair->sent);
        pair->usual_received = usual_after(pair->usual_received, n);
    }
    if (!more) return MASS_OK;
    return p->comm->table->exchange(p->comm, p->sends, sends, p->receives, receives, error);
}

/* Allocates a pair of buffers for each rank and the messages, once. On failure mass_record_buffers_free frees them. */
static mass_status make_pairs(mass_record_buffers *p, mass_error *error)
{
    const size_t ranks = (size_t)p->comm->size;
    if (p->pairs) return MASS_OK;
    p->pairs = calloc(ranks, sizeof *p->pairs);
    p->sends = malloc(2 * ranks * sizeof *p->sends);
    p->receives = p->sends ? p->sends + ranks : NULL;
    return p->pairs && p->sends ? MASS_OK : mass_error_memory(error, ranks * sizeof *p->pairs, WHAT);
}

mass_status mass_record_buffers_exchange(mass_record_buffers *p, mass_error *error)
{
    bool more = false;
    mass_status status = make_pairs(p, error);
    for (int32_t r = 0; status == MASS_OK && r < p->comm->size; r++) p->pairs[r].sent = 0;
    for (uint64_t i = 0; status == MASS_OK && i < p->count; i++) p->pairs[p->ranks[i]].sent++;
    if (status == MASS_OK) status = lay_out(p, error);
    if (status == MASS_OK) {
        pack(p);
        status = exchange_first(p, &more, error);
    }
    if (status == MASS_OK) status = exchange_rest(p, more, error);
    p->count = 0;
    return status;
}

void mass_record_buffers_free(mass_record_buffers *p)
{
    free(p->ranks);
    free(p->records);
    free(p->arrivals);
    free(p->pairs);
    free(p->sends);
    free(p->out);
    free(p->in);
    *p = (mass_record_buffers){.comm = p->comm, .size = p->size};
}
