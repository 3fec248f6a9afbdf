/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/all_to_all.h"
#include "ranks/transfer.h"

#include <stdlib.h>

/* The messages of one direction. Their data is stored one after the other. */
typedef struct side {
    const int64_t *elements; /* [ranks] elements to or from each */
    char *data;
    mass_message *messages; /* [ranks] the messages of this round that are not empty */
    uint32_t count;
} side;

typedef struct rounds {
    mass_comm *comm;
    const mass_all_to_all *flow;
    int64_t chunk, count; /* most elements of a message; number of rounds */
    side out, in;
} rounds;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Agrees on the elements of a message and the number of rounds, r->chunk and r->count. With them both sides know the
 * length of each message. All ranks call it together. */
static mass_status agree_on_pieces(rounds *r, mass_error *error)
{
    const mass_all_to_all *f = r->flow;
    int64_t most[2] = {1, 0}; /* partners of a rank, and itself; elements from one rank to another */
    int64_t *partners = &most[0], *elements = &most[1];
    for (int32_t i = 0; i < r->comm->size; i++) {
        if (i == r->comm->rank) continue;
        *partners += f->gives[i] > 0 || f->takes[i] > 0;
        if (f->gives[i] > *elements) *elements = f->gives[i];
    }
    const mass_status status = r->comm->table->all_reduce(r->comm, MASS_REDUCE_MOST, most, 2, error);
    if (status != MASS_OK) return status;
    r->chunk = (int64_t)(mass_transfer_limit / f->size) / *partners;
    if (r->chunk == 0) r->chunk = 1;
    r->count = (*elements + r->chunk - 1) / r->chunk;
    return MASS_OK;
}

/* Allocates one round's data, up to a chunk for each rank, and messages of one side. The caller frees both on failure.
 * */
static mass_status allocate(const rounds *r, side *s, mass_error *error)
{
    size_t bytes = 0;
    for (int32_t i = 0; i < r->comm->size; i++) bytes += (size_t)least(s->elements[i], r->chunk) * r->flow->size;
    s->data = malloc(bytes + 1);
    s->messages = calloc((size_t)r->comm->size, sizeof *s->messages);
    return s->data && s->messages ? MASS_OK : mass_error_memory(error, bytes, "what ranks exchange");
}

/* Lists the messages of a round in one direction: one for each other rank that has elements left. Their data fills
 * s->data from its begin, since it has room for one round. */
static void list_messages(const rounds *r, side *s, int64_t round)
{
    char *at = s->data;
    s->count = 0;
    for (int32_t i = 0; i < r->comm->size; i++) {
        const int64_t left = s->elements[i] - round * r->chunk;
        const size_t bytes = left > 0 ? (size_t)least(left, r->chunk) * r->flow->size : 0;
        if (i == r->comm->rank || bytes == 0) continue;
        s->messages[s->count++] = (mass_message){i, at, bytes};
        at += bytes;
    }
}

/* Calls `give`, exchanges the messages of one round, and calls `take`. All ranks call it together. */
static mass_status run_round(rounds *r, int64_t round, mass_error *error)
{
    const mass_all_to_all *f = r->flow;
    side *out = &r->out, *in = &r->in;
    mass_status status = MASS_OK;
    list_messages(r, out, round);
    list_messages(r, in, round);
    for (uint32_t i = 0; status == MASS_OK && i < out->count; i++) {
        const mass_message *m = &out->messages[i];
        status = f->give(f->context, m->rank, round * r->chunk, (int64_t)(m->bytes / f->size), m->data, error);
    }
    if (status == MASS_OK)
        status = r->comm->table->exchange(r->comm, out->messages, out->count, in->messages, in->count, error);
    for (uint32_t i = 0; status == MASS_OK && i < in->count; i++) {
        const mass_message *m = &in->messages[i];
        status = f->take(f->context, m->rank, round * r->chunk, (int64_t)(m->bytes / f->size), m->data, error);
    }
    return status;
}

/* Passes this rank's own elements from `give` to `take`, in chunks, without a message. */
static mass_status keep_own(const rounds *r, mass_error *error)
{
    const mass_all_to_all *f = r->flow;
    const int32_t own = r->comm->rank;
    mass_status status = MASS_OK;
    for (int64_t done = 0; status == MASS_OK && done < f->gives[own]; done += r->chunk) {
        const int64_t count = least(f->gives[own] - done, r->chunk);
        status = f->give(f->context, own, done, count, r->out.data, error);
        if (status == MASS_OK) status = f->take(f->context, own, done, count, r->out.data, error);
    }
    return status;
}

mass_status mass_all_to_all_run(mass_comm *comm, const mass_all_to_all *flow, mass_error *error)
{
    rounds r = {.comm = comm, .flow = flow, .out = {.elements = flow->gives}, .in = {.elements = flow->takes}};
    mass_status status = agree_on_pieces(&r, error);
    if (status == MASS_OK) status = allocate(&r, &r.out, error);
    if (status == MASS_OK) status = allocate(&r, &r.in, error);
    if (status == MASS_OK) status = keep_own(&r, error);
    for (int64_t i = 0; status == MASS_OK && i < r.count; i++) status = run_round(&r, i, error);
    free(r.out.data);
    free(r.out.messages);
    free(r.in.data);
    free(r.in.messages);
    return status;
}
