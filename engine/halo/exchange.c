/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between ranks: from device to device over a link, or through the hosts. Halos exchange messages only
 * here. */
#include "halo/exchange.h"

#include <stdlib.h>
#include <string.h>

/* The messages in one direction, contiguous in memory. */
typedef struct buffer {
    mass_buffer packed;
    void *staged; /* host memory: a copy of what the device packed, or the only memory */
    size_t room;
    mass_message *messages; /* [message_room] */
    uint32_t message_count, message_room;
} buffer;

typedef struct room {
    buffer out, in;
} room;

/* The buffers, by their use. */
struct mass_halo_rooms {
    room of_host, of_device, recorded;
};

/* Returns the buffers of the domain that such an exchange uses, which it makes if needed; NULL without memory. */
static room *room_of(const mass_halo_values *v, mass_error *error)
{
    struct mass_halo_rooms *all = v->d->halo_rooms;
    if (!all) v->d->halo_rooms = all = calloc(1, sizeof *all);
    if (!all) {
        mass_error_memory(error, sizeof *all, "what ranks exchange");
        return NULL;
    }
    return v->kind->in_host_memory ? &all->of_host : v->recorded ? &all->recorded : &all->of_device;
}

/* Frees a buffer's memory on the device and here. */
static void free_record_buffer(buffer *p)
{
    mass_buffer_release(&p->packed);
    free(p->staged);
    free(p->messages);
}

void mass_halo_rooms_free(mass_domain *d)
{
    struct mass_halo_rooms *all = d->halo_rooms;
    room *const rooms[] = {all ? &all->of_host : NULL, all ? &all->of_device : NULL, all ? &all->recorded : NULL};
    for (int i = 0; all && i < 3; i++) {
        free_record_buffer(&rooms[i]->out);
        free_record_buffer(&rooms[i]->in);
    }
    free(all);
    d->halo_rooms = NULL;
}

/* ---- messages ---- */

/* Returns whether the hosts copy messages from and to the device. They do not if there is a link, or if the device uses
 * host memory. */
static bool is_staged(const mass_domain *d) { return !d->share.link && !d->device->table->memory->in_host_memory; }

/* Returns the bytes of a column of a run in a message, with its alignment. */
static size_t bytes_of(const mass_halo_values *v, const mass_halo_run *run, uint32_t column)
{
    const size_t unit = v->kind->alignment;
    return (v->kind->bytes(v, run, column) + unit - 1) / unit * unit;
}

/* Returns whether the caller itself handles a run, because both its sides are on this rank. */
static bool is_left_out(const mass_halo_values *v, const mass_halo_run *run)
{
    return v->kind->others_only && run->rank == v->d->share.comm->rank;
}

/* Reserves memory for a list of messages, which is empty then. Memory that is large enough remains. */
static mass_status make_list(buffer *p, uint32_t most, mass_error *error)
{
    p->message_count = 0;
    if (p->message_room >= most) return MASS_OK;
    mass_message *messages = realloc(p->messages, most * sizeof *messages);
    if (!messages) return mass_error_memory(error, most * sizeof *messages, "what ranks exchange");
    p->messages = messages;
    p->message_room = most;
    return MASS_OK;
}

/* Lists the messages, one for each rank, with their lengths; leaves out empty ones. *all: the bytes of all. Runs are
 * in the order of ranks. */
static mass_status size_messages(const mass_halo_values *v, const mass_halo_runs *runs, buffer *p, size_t *all,
                                 mass_error *error)
{
    const mass_status status = make_list(p, (uint32_t)v->d->share.comm->size, error);
    *all = 0;
    for (uint32_t i = 0; status == MASS_OK && i < runs->count; i++) {
        const mass_halo_run *run = &runs->list[i];
        size_t bytes = 0;
        for (uint32_t k = 0; k < v->columns && !is_left_out(v, run); k++) bytes += bytes_of(v, run, k);
        if (bytes == 0) continue;
        *all += bytes;
        if (p->message_count == 0 || run->rank != p->messages[p->message_count - 1].rank)
            p->messages[p->message_count++] = (mass_message){run->rank, NULL, 0};
        p->messages[p->message_count - 1].bytes += bytes;
    }
    return status;
}

/* Replaces a buffer's memory by more, without its contents. Waits for queued work that may use it, except in
 * recorded exchanges. On failure the buffer has no room. */
static mass_status allocate(const mass_halo_values *v, size_t bytes, buffer *p, mass_error *error)
{
    const bool host = v->kind->in_host_memory;
    if (!host && !v->recorded && p->packed.device) { /* a recording cannot wait here */
        const mass_status status = v->d->device->table->launch->synchronise(v->d->device, error);
        if (status != MASS_OK) return status;
    }
    p->room = 0;
    mass_buffer_release(&p->packed);
    free(p->staged);
    p->staged = host || is_staged(v->d) ? malloc(bytes) : NULL;
    if ((host || is_staged(v->d)) && !p->staged) return mass_error_memory(error, bytes, "what ranks exchange");
    const mass_status status = host ? MASS_OK : mass_buffer_allocate(v->d->device, bytes, &p->packed, error);
    if (status == MASS_OK) p->room = bytes;
    return status;
}

/* Returns the memory where the device or the host packs messages. */
static char *memory_of(const mass_halo_values *v, const buffer *p)
{
    return v->kind->in_host_memory ? p->staged : p->packed.address;
}

/* Lists the messages in one direction, and makes room for them, at least v->room. If recorded memory moves, raises the
 * domain's `changes`. */
static mass_status prepare(const mass_halo_values *v, const mass_halo_runs *runs, buffer *p, mass_error *error)
{
    size_t bytes;
    mass_status status = size_messages(v, runs, p, &bytes, error);
    if (bytes < v->room) bytes = v->room;
    if (status == MASS_OK && bytes > p->room) {
        v->d->changes += v->recorded;
        status = allocate(v, bytes, p, error);
    }
    if (status != MASS_OK) return status;
    char *at = memory_of(v, p);
    for (uint32_t i = 0; i < p->message_count; i++) {
        p->messages[i].data = at;
        at += p->messages[i].bytes;
    }
    return MASS_OK;
}

/* Packs all runs, in their order, into the buffer, which is large enough. Leaves out runs that need no message. */
static mass_status pack(const mass_halo_values *v, const mass_halo_runs *runs, const buffer *p, mass_error *error)
{
    char *at = memory_of(v, p);
    mass_status status = MASS_OK;
    for (uint32_t i = 0; i < runs->count; i++)
        for (uint32_t k = 0; status == MASS_OK && k < v->columns && !is_left_out(v, &runs->list[i]); k++) {
            status = v->kind->pack(v, &runs->list[i], k, at, error);
            at += bytes_of(v, &runs->list[i], k);
        }
    return status;
}

/* Unpacks all runs, in their order, from the buffer, except those that are left out. */
static mass_status unpack(const mass_halo_values *v, const mass_halo_runs *runs, const buffer *p, mass_error *error)
{
    const char *at = memory_of(v, p);
    mass_status status = MASS_OK;
    for (uint32_t i = 0; i < runs->count; i++)
        for (uint32_t k = 0; status == MASS_OK && k < v->columns && !is_left_out(v, &runs->list[i]); k++) {
            status = v->kind->unpack(v, &runs->list[i], k, at, error);
            at += bytes_of(v, &runs->list[i], k);
        }
    return status;
}

/* Removes the message to this rank, or from it, from a list, and returns it; NULL data: there is none. */
static mass_message take_own(buffer *p, int32_t own)
{
    for (uint32_t i = 0; i < p->message_count; i++) {
        const mass_message m = p->messages[i];
        if (m.rank != own) continue;
        memmove(&p->messages[i], &p->messages[i + 1], (--p->message_count - i) * sizeof m);
        return m;
    }
    return (mass_message){own, NULL, 0};
}

/* Copies this rank's message to itself, if there is one. */
static mass_status carry_own(const mass_halo_values *v, const mass_message *out, const mass_message *in,
                             mass_error *error)
{
    if (out->data && v->kind->in_host_memory) memcpy(in->data, out->data, out->bytes);
    else if (out->data) {
        const mass_strided copy = {.to = in->data, .from = out->data, .bytes = out->bytes, .count = {1, 1, 1}};
        return v->d->device->table->memory->copy(v->d->device, &copy, error);
    }
    return MASS_OK;
}

/* Points messages at host memory, which is copied to or from the device. Returns the bytes that they use. */
static size_t stage(const mass_halo_values *v, buffer *p)
{
    size_t end = 0;
    for (uint32_t i = 0; !v->kind->in_host_memory && i < p->message_count; i++) {
        mass_message *m = &p->messages[i];
        const size_t at = (size_t)((char *)m->data - (char *)p->packed.address);
        m->data = (char *)p->staged + at;
        end = at + m->bytes;
    }
    return end;
}

/* Exchanges the messages through MPI, after queued work is done. Stages them in host memory if MPI cannot read the
 * device's. All ranks call it together. */
static mass_status carry_by_hosts(const mass_halo_values *v, room *r, mass_error *error)
{
    mass_domain *d = v->d;
    mass_comm *comm = d->share.comm;
    buffer *out = &r->out, *in = &r->in;
    const bool staged = is_staged(d) && !v->kind->in_host_memory;
    const size_t sent = staged ? stage(v, out) : 0, received = staged ? stage(v, in) : 0;
    mass_status status = MASS_OK;
    if (staged) status = mass_buffer_download(out->packed, out->staged, sent, error);
    else if (!v->kind->in_host_memory) status = d->device->table->launch->synchronise(d->device, error);
    if (status == MASS_OK)
        status = comm->table->exchange(comm, out->messages, out->message_count, in->messages, in->message_count, error);
    return status == MASS_OK && staged ? mass_buffer_upload(in->packed, in->staged, received, error) : status;
}

/* Exchanges the messages with the link if there is one that can, otherwise through MPI. One rank alone: does nothing.
 * All ranks call it together. */
static mass_status carry(const mass_halo_values *v, room *r, mass_error *error)
{
    mass_link *link = v->d->share.link;
    if (v->d->share.comm->size == 1) return MASS_OK;
    if (!link || (v->kind->in_host_memory && !v->in_place)) return carry_by_hosts(v, r, error);
    return link->table->exchange(link, r->out.messages, r->out.message_count, r->in.messages, r->in.message_count,
                                 error);
}

/* ---- without packing: each column of a run is a message ---- */

/* Lists a message for each column of each run, from the device's memory, without packing. */
static mass_status list_in_place(const mass_halo_values *v, const mass_halo_runs *runs, buffer *p, mass_error *error)
{
    const mass_status status = make_list(p, runs->count * v->columns, error);
    for (uint32_t i = 0; status == MASS_OK && i < runs->count; i++)
        for (uint32_t k = 0; k < v->columns && !is_left_out(v, &runs->list[i]); k++)
            p->messages[p->message_count++] = v->kind->in_place(v, &runs->list[i], k);
    return status;
}

/* Exchanges values directly from and to the device's arrays, over a link. All ranks call it. */
static mass_status send_in_place(const mass_halo *h, const mass_halo_values *v, mass_error *error)
{
    room *r = room_of(v, error);
    if (!r) return error->status;
    mass_status status = list_in_place(v, &h->owned, &r->out, error);
    if (status == MASS_OK) status = list_in_place(v, &h->copies, &r->in, error);
    return status == MASS_OK ? carry(v, r, error) : status;
}

/* ---- both ways ---- */

/* Packs, exchanges and unpacks: sends the runs of `give`, and receives those of `take`. All ranks call it. */
static mass_status exchange(const mass_halo_runs *give, const mass_halo_runs *take, const mass_halo_values *v,
                            mass_error *error)
{
    room *r = room_of(v, error);
    if (!r) return error->status;
    mass_status status = prepare(v, give, &r->out, error);
    if (status == MASS_OK) status = prepare(v, take, &r->in, error);
    if (status == MASS_OK) status = pack(v, give, &r->out, error);
    const mass_message out = take_own(&r->out, v->d->share.comm->rank), in = take_own(&r->in, v->d->share.comm->rank);
    if (status == MASS_OK) status = carry(v, r, error);
    if (status == MASS_OK) status = carry_own(v, &out, &in, error); /* after the upload, which would overwrite it */
    return status == MASS_OK ? unpack(v, take, &r->in, error) : status;
}

mass_status mass_halo_refresh(const mass_halo *h, const mass_halo_values *v, mass_error *error)
{
    return v->in_place ? send_in_place(h, v, error) : exchange(&h->owned, &h->copies, v, error);
}

mass_status mass_halo_combine(const mass_halo *h, const mass_halo_values *v, mass_error *error)
{
    return exchange(&h->copies, &h->owned, v, error);
}
