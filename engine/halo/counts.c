/* SPDX-License-Identifier: Apache-2.0 */
/* Both sides of a cut go over the rows beside the places of a rank in the same order, so that those which the one packs
 * are those that the other unpacks. */
#include "halo/counts.h"
#include "ranks/call.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 32 };

/* Rows along the slowest axis: `depth` of them on either side of a rank's places. */
typedef struct crowds {
    const mass_domain *d;
    const mass_population_state *s;
    int64_t row; /* places of a row */
    int64_t rows, depth;
    bool torus;
    int64_t words; /* of 32 bits, of a row on its way between hosts */
    size_t bytes; /* of a row in all worlds */
    const mass_seats *seats; /* of places that hold one agent, in the memory of a host: counts are sent as bits */
    /* Where agents are in the memory of a GPU: that; the rows of this rank that others may look at, the first `low` and
     * the last of `band`, and the agents on their places, [worlds][band * row], on the device and here; and all crowds,
     * [worlds][2][crowd_places], on their way. */
    const mass_far_operations *far;
    int64_t low, band;
    uint32_t *counts_there;
    const uint32_t *counts;
    void *crowds;
} crowds;

static crowds crowds_of(const mass_domain *d, uint32_t population)
{
    const mass_population_state *s = &d->populations[population];
    const mass_space_def *space = &d->model->spaces[d->model->populations[population].space];
    const uint32_t axis = mass_slab_axis(space);
    const int64_t rows = space->size[axis], row = mass_space_places(space) / rows, depth = s->crowd_places / row;
    const int64_t own = s->places / row;
    const mass_far_operations *far = d->device->table->agents->far;
    const mass_seats *seats = far ? NULL : s->seats.address;
    const int64_t words = seats ? (row + WORD - 1) / WORD : row;
    return (crowds){.d = d, .s = s, .row = row, .rows = rows, .depth = depth, .torus = space->torus >> axis & 1,
                    .words = words, .bytes = (size_t)(d->worlds * words) * sizeof(uint32_t), .seats = seats, .far = far,
                    .low = depth < own ? depth : own, .band = 2 * depth < own ? 2 * depth : own};
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

/* The number of a row of the space among this rank's. */
static int64_t own_row(const crowds *c, int64_t row)
{
    return row - c->s->first_place[c->d->share.comm->rank] / c->row;
}

/* Of the agents on rows that others look at: on the device, or also here, with room for the crowds. */
static mass_status count(crowds *c, bool here, mass_error *error)
{
    if (!c->far) return MASS_OK;
    const mass_status status = c->far->count_bands(c->d->device, c->s->start.address, c->s->seats.address, c->s->places,
        c->d->worlds, c->low * c->row, c->band * c->row, &c->counts_there, here ? &c->counts : NULL, error);
    return status == MASS_OK && here ? c->far->stage(c->d->device, c->s->crowds.bytes, &c->crowds, error) : status;
}

/* Where the counts of a row begin, of this rank's rows by its number here, that others look at. */
static int64_t counts_at(const crowds *c, int64_t world, int64_t row)
{
    const int64_t all = c->s->places / c->row;
    return (world * c->band + (row < c->low ? row : row - (all - c->band))) * c->row;
}

/* Which of a row's places hold an agent, from a cell on; bits behind the row may be anything. */
static void pack_bits(const crowds *c, uint64_t cell, uint32_t *to)
{
    const uint64_t last = (uint64_t)c->d->worlds * (uint64_t)c->s->places / WORD, bit = cell % WORD;
    for (int64_t i = 0; i < c->row; i += WORD, cell += WORD) {
        const uint64_t at = cell / WORD, behind = at < last ? c->seats[at + 1].held : 0;
        *to++ = (uint32_t)((c->seats[at].held | behind << WORD) >> bit);
    }
}

/* Counts on the places of a row of this rank, in each world, to `to`. */
static void pack(const crowds *c, int64_t row, uint32_t *to)
{
    const int64_t own = own_row(c, row);
    for (int64_t w = 0; w < c->d->worlds; w++, to += c->words) {
        const int64_t cell = w * c->s->places + own * c->row;
        const uint32_t *const start = (const uint32_t *)c->s->start.address + cell;
        if (c->far) memcpy(to, c->counts + counts_at(c, w, own), (size_t)c->row * sizeof *to);
        else if (c->seats) pack_bits(c, (uint64_t)cell, to);
        else
            for (int64_t i = 0; i < c->row; i++) to[i] = start[i + 1] - start[i];
    }
}

static void unpack_bits(const crowds *c, const uint32_t *from, uint32_t *to)
{
    for (int64_t i = 0; i < c->row; i += WORD, from++)
        for (int64_t k = 0, n = c->row - i < WORD ? c->row - i : WORD; k < n; k++) to[i + k] = *from >> k & 1;
}

static void unpack(const crowds *c, int64_t i, const uint32_t *from)
{
    uint32_t *const all = c->far ? c->crowds : c->s->crowds.address;
    for (int64_t w = 0; w < c->d->worlds; w++, from += c->words) {
        uint32_t *const to = all + w * 2 * c->s->crowd_places + i * c->row;
        if (c->seats) unpack_bits(c, from, to);
        else memcpy(to, from, (size_t)c->row * sizeof *to);
    }
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

/* ---- from device to device ---- */

/* Those of one world that a taker sees: runs of rows that follow each other, which both sides find in the same order.
 * runs NULL: how many. */
static uint32_t list_runs(const crowds *c, int32_t taker, int64_t world, bool gives, mass_seen_run *runs)
{
    const int32_t own = c->d->share.comm->rank;
    uint32_t count = 0;
    int64_t last = -2;
    int32_t last_giver = -1;
    for (int64_t i = 0; i < 2 * c->depth; i++) {
        const int64_t row = row_beside(c, taker, i);
        const int32_t giver = row < 0 ? -1 : holder_of(c, row);
        const bool goes_on = giver == last_giver && row == last + 1 && i != c->depth;
        last = row, last_giver = giver;
        if (giver < 0 || (gives && giver != own)) continue;
        if (!goes_on) count++;
        if (!runs) continue;
        mass_seen_run *const run = &runs[count - 1];
        if (!goes_on) *run = (mass_seen_run){.rank = gives ? taker : giver,
            .first = (uint64_t)(gives ? world * c->s->places + own_row(c, row) * c->row
                                      : (2 * world * c->depth + i) * c->row)};
        run->count += (uint32_t)c->row;
    }
    return count;
}

static uint32_t list_all(const crowds *c, bool gives, mass_seen_run *runs)
{
    const mass_comm *comm = c->d->share.comm;
    uint32_t count = 0;
    for (int32_t taker = gives ? 0 : comm->rank; taker < (gives ? comm->size : comm->rank + 1); taker++)
        for (int64_t w = 0; w < c->d->worlds; w++)
            count += list_runs(c, taker, w, gives, runs ? runs + count : NULL);
    return count;
}

uint32_t mass_crowds_list(const mass_domain *d, uint32_t population, bool gives, mass_seen_run *runs)
{
    if (d->populations[population].crowd_places == 0) return 0;
    const crowds c = crowds_of(d, population);
    return list_all(&c, gives, runs);
}

static mass_message message_of(const crowds *c, const mass_seen_run *run, bool gives)
{
    const int64_t places = c->s->places, first = (int64_t)run->first;
    uint32_t *const data = gives ? c->counts_there + counts_at(c, first / places, first % places / c->row)
                                 : (uint32_t *)c->s->crowds.address + first;
    return (mass_message){run->rank, data, run->count * sizeof *data};
}

static mass_status exchange_on_devices(crowds *c, mass_error *error)
{
    mass_link *link = c->d->share.link;
    const uint32_t sends = list_all(c, true, NULL), receives = list_all(c, false, NULL), all = sends + receives;
    mass_message *messages = malloc((all + 1) * sizeof *messages);
    mass_seen_run *runs = malloc((all + 1) * sizeof *runs);
    mass_status status = messages && runs ? count(c, false, error)
                                          : mass_error_memory(error, all * sizeof *messages, "crowds of agents");
    if (status == MASS_OK) {
        list_all(c, true, runs);
        list_all(c, false, runs + sends);
        for (uint32_t i = 0; i < all; i++) messages[i] = message_of(c, &runs[i], i < sends);
        status = link->table->exchange(link, messages, sends, messages + sends, receives, error);
    }
    free(messages);
    free(runs);
    return status;
}

/* ---- */

/* Memory that is kept. */
static mass_status reserve(mass_population_state *s, size_t bytes, mass_error *error)
{
    if (bytes <= s->crowd_room) return MASS_OK;
    free(s->crowd_memory);
    s->crowd_memory = malloc(bytes);
    s->crowd_room = s->crowd_memory ? bytes : 0;
    return s->crowd_memory ? MASS_OK : mass_error_memory(error, bytes, "crowds of agents");
}

static mass_status exchange_on_hosts(crowds *c, mass_population_state *s, mass_error *error)
{
    mass_comm *comm = c->d->share.comm;
    const size_t ranks = (size_t)comm->size;
    mass_message *out = malloc(3 * ranks * sizeof *out), *in = out + ranks, *kept = in + ranks;
    if (!out) return mass_error_memory(error, 3 * ranks * sizeof *out, "ranks");
    size_messages(c, true, out);
    size_messages(c, false, in);
    const size_t sent = lay_out(out, comm->size, NULL), received = lay_out(in, comm->size, NULL);
    mass_status status = reserve(s, sent + received + 1, error);
    if (status == MASS_OK) status = count(c, true, error);
    if (status == MASS_OK) {
        lay_out(out, comm->size, s->crowd_memory);
        pack_all(c, out);
        lay_out(out, comm->size, s->crowd_memory);
        lay_out(in, comm->size, (char *)s->crowd_memory + sent);
        memcpy(kept, in, ranks * sizeof *in);
        const uint32_t sends = without_empty(out, comm->size), receives = without_empty(in, comm->size);
        status = comm->table->exchange(comm, out, sends, in, receives, error);
    }
    if (status == MASS_OK) unpack_all(c, kept);
    if (status == MASS_OK && c->far) status = c->far->send(c->d->device, s->crowds.address, s->crowds.bytes, error);
    free(out);
    return status;
}

mass_status mass_crowds_refresh(mass_domain *d, uint32_t population, mass_error *error)
{
    if (d->populations[population].crowd_places == 0) return MASS_OK;
    crowds c = crowds_of(d, population);
    const mass_status status = c.far && d->share.link ? exchange_on_devices(&c, error)
                                                      : exchange_on_hosts(&c, &d->populations[population], error);
    return mass_call_abandon(d->share.comm, status, error);
}
