/* SPDX-License-Identifier: Apache-2.0 */
/* Both sides of a cut go over the rows beside the places of a rank in the same order, so that those which the one packs
 * are those that the other unpacks. */
#include "domain/crowds.h"
#include "domain/call.h"

#include <stdlib.h>
#include <string.h>

/* Rows along the slowest axis: `depth` of them on either side of a rank's places. */
typedef struct crowds {
    const mass_domain *d;
    const mass_population_state *s;
    int64_t row; /* places of a row */
    int64_t rows, depth;
    bool torus;
    size_t bytes; /* of a row in all worlds */
    /* Where agents are in the memory of a GPU: that; how many rows at either end of this rank's places others may look
     * at, and the agents on these, [worlds][2][band * row]; and all crowds, [worlds][2][crowd_places], on their way. */
    const mass_far_operations *far;
    int64_t band;
    const uint32_t *counts;
    uint32_t *crowds;
} crowds;

static crowds crowds_of(const mass_domain *d, uint32_t population)
{
    const mass_population_state *s = &d->populations[population];
    const mass_space_def *space = &d->model->spaces[d->model->populations[population].space];
    const uint32_t axis = mass_slab_axis(space);
    const int64_t rows = space->size[axis], row = mass_space_places(space) / rows, depth = s->crowd_places / row;
    return (crowds){.d = d, .s = s, .row = row, .rows = rows, .depth = depth, .torus = space->torus >> axis & 1,
                    .bytes = (size_t)d->worlds * (size_t)row * sizeof(uint32_t),
                    .far = d->device->table->agents->far,
                    .band = depth < s->places / row ? depth : s->places / row};
}

static int32_t holder_of(const crowds *c, int64_t row)
{
    int32_t rank = 0;
    while (c->s->first_place[rank + 1] <= row * c->row) rank++;
    return rank;
}

/* The row of the space that number i, of 2 * depth, beside a rank's places shows; -1: none. */
static int64_t row_beside(const crowds *c, int32_t rank, int64_t i)
{
    const int64_t first = c->s->first_place[rank] / c->row, end = c->s->first_place[rank + 1] / c->row;
    const int64_t at = i < c->depth ? first - c->depth + i : end + i - c->depth;
    if (at >= 0 && at < c->rows) return at;
    return c->torus ? (at % c->rows + c->rows) % c->rows : -1;
}

static mass_status read_counts(crowds *c, mass_error *error)
{
    if (!c->far) return MASS_OK;
    c->crowds = calloc(1, c->s->crowds.bytes);
    if (!c->crowds) return mass_error_memory(error, c->s->crowds.bytes, "crowds of agents");
    return c->far->count_bands(c->d->device, c->s->start.address, c->s->places, c->d->worlds, c->band * c->row,
                               &c->counts, error);
}

/* The agents on the places of a row of this rank, by its number here, where others look at it. */
static void copy_counts(const crowds *c, int64_t world, int64_t row, uint32_t *to)
{
    const int64_t behind = c->s->places / c->row - c->band; /* rows before those at the other end */
    const int64_t at = row < c->band ? 2 * world * c->band + row : (2 * world + 1) * c->band + row - behind;
    memcpy(to, c->counts + at * c->row, (size_t)c->row * sizeof *to);
}

/* Counts on the places of a row of this rank, in each world, to `to`. */
static void pack(const crowds *c, int64_t row, uint32_t *to)
{
    const int64_t own = row - c->s->first_place[c->d->share.comm->rank] / c->row;
    for (int64_t w = 0; w < c->d->worlds; w++, to += c->row) {
        const uint32_t *const start = (const uint32_t *)c->s->start.address + w * c->s->places + own * c->row;
        if (c->far) copy_counts(c, w, own, to);
        else
            for (int64_t i = 0; i < c->row; i++) to[i] = start[i + 1] - start[i];
    }
}

static void unpack(const crowds *c, int64_t i, const uint32_t *from)
{
    uint32_t *const to = c->far ? c->crowds : c->s->crowds.address;
    for (int64_t w = 0; w < c->d->worlds; w++, from += c->row)
        memcpy(to + w * 2 * c->s->crowd_places + i * c->row, from, (size_t)c->row * sizeof *to);
}

/* A message for each rank, of what this rank gives it (gives), or gets of it. */
static void size_messages(const crowds *c, bool gives, mass_message *messages)
{
    const mass_comm *comm = c->d->share.comm;
    for (int32_t r = 0; r < comm->size; r++) messages[r] = (mass_message){.rank = r};
    for (int32_t taker = 0; taker < comm->size; taker++)
        for (int64_t i = 0; i < 2 * c->depth && (gives || taker == comm->rank); i++) {
            const int64_t row = row_beside(c, taker, i);
            const int32_t giver = row < 0 ? -1 : holder_of(c, row);
            if (giver == comm->rank && gives) messages[taker].bytes += c->bytes;
            else if (giver >= 0 && !gives) messages[giver].bytes += c->bytes;
        }
}

static size_t lay_out(mass_message *messages, int32_t ranks, char *at)
{
    size_t bytes = 0;
    for (int32_t r = 0; r < ranks; bytes += messages[r++].bytes)
        if (at) messages[r].data = at + bytes;
    return bytes;
}

/* Goes over the rows again: data of the messages goes on as they are packed, or unpacked. */
static void pack_all(const crowds *c, mass_message *messages)
{
    const mass_comm *comm = c->d->share.comm;
    for (int32_t taker = 0; taker < comm->size; taker++)
        for (int64_t i = 0; i < 2 * c->depth; i++) {
            const int64_t row = row_beside(c, taker, i);
            if (row < 0 || holder_of(c, row) != comm->rank) continue;
            pack(c, row, messages[taker].data);
            messages[taker].data = (char *)messages[taker].data + c->bytes;
        }
}

static void unpack_all(const crowds *c, mass_message *messages)
{
    for (int64_t i = 0; i < 2 * c->depth; i++) {
        const int64_t row = row_beside(c, c->d->share.comm->rank, i);
        if (row < 0) continue;
        mass_message *m = &messages[holder_of(c, row)];
        unpack(c, i, m->data);
        m->data = (char *)m->data + c->bytes;
    }
}

/* Those of 0 bytes are left out; returns how many stay. */
static uint32_t without_empty(mass_message *messages, int32_t ranks)
{
    uint32_t count = 0;
    for (int32_t r = 0; r < ranks; r++)
        if (messages[r].bytes) messages[count++] = messages[r];
    return count;
}

mass_status mass_crowds_refresh(mass_domain *d, uint32_t population, mass_error *error)
{
    if (d->populations[population].crowd_places == 0) return MASS_OK;
    crowds c = crowds_of(d, population);
    mass_comm *comm = d->share.comm;
    const size_t ranks = (size_t)comm->size;
    mass_message *out = malloc(3 * ranks * sizeof *out), *in = out + ranks, *kept = in + ranks;
    if (!out) return mass_call_abandon(comm, mass_error_memory(error, 3 * ranks * sizeof *out, "ranks"), error);
    size_messages(&c, true, out);
    size_messages(&c, false, in);
    const size_t sent = lay_out(out, comm->size, NULL), received = lay_out(in, comm->size, NULL);
    char *memory = malloc(sent + received + 1);
    mass_status status = memory ? MASS_OK : mass_error_memory(error, sent + received, "crowds of agents");
    if (status == MASS_OK) status = read_counts(&c, error);
    if (status == MASS_OK) {
        lay_out(out, comm->size, memory);
        pack_all(&c, out);
        lay_out(out, comm->size, memory);
        lay_out(in, comm->size, memory + sent);
        memcpy(kept, in, ranks * sizeof *in);
        const uint32_t sends = without_empty(out, comm->size), receives = without_empty(in, comm->size);
        status = comm->table->exchange(comm, out, sends, in, receives, error);
    }
    if (status == MASS_OK) unpack_all(&c, kept);
    if (status == MASS_OK && c.far)
        status = c.far->put_crowds(d->device, c.s->crowds.address, c.crowds, c.s->crowds.bytes, error);
    free(c.crowds);
    free(memory);
    free(out);
    return mass_call_abandon(comm, status, error);
}
