/* SPDX-License-Identifier: Apache-2.0 */
#include "run/input.h"
#include "ranks/transfer.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 2 };

struct mass_input_reader {
    mass_domain *d; /* borrowed */
    void **staged[SLOTS];  /* [partitions] host memory for chunks; NULL: the plugin reads to the array itself */
    int64_t *live[SLOTS];  /* [partitions] items of the chunk */
    int64_t *rooms;        /* [ranks][partitions] items that fit, with several ranks; owned */
    void *passing;         /* rank 0: items for another rank, of the size of its largest partition; owned */
    uint64_t given, total; /* items in this pass, and in all passes: of all ranks on rank 0, 0 on the others */
    uint64_t chunks;       /* chunks of this pass so far */
    uint32_t slot;         /* the slot of the present chunk */
    bool resident;         /* the slot holds the only chunk */
};

/* Returns the model's stream. */
static const mass_stream_def *stream_of(const mass_input_reader *f) { return &f->d->model->stream; }

/* Allocates host memory for the chunks of both slots, one for each partition. The reader owns it, also on failure. */
static mass_status stage(mass_input_reader *f, mass_error *error)
{
    const mass_domain *d = f->d;
    const mass_device_table *t = d->device->table;
    const size_t size = d->model->arrays[stream_of(f)->array].element_size;
    mass_status status = MASS_OK;
    for (int s = 0; status == MASS_OK && s < SLOTS; s++) {
        f->staged[s] = calloc((size_t)d->partition_count, sizeof **f->staged);
        if (!f->staged[s]) return mass_error_memory(error, (size_t)d->partition_count * sizeof(void *), "the input");
        for (int32_t k = 0; status == MASS_OK && k < d->partition_count; k++)
            status = t->streams->stage(d->device, (size_t)d->partitions[0][k].layout.extent[0] * size,
                                       &f->staged[s][k], error);
    }
    return status;
}

/* Makes a reader of the model's stream. Fails if the run has several worlds. On failure *out is unchanged. */
mass_status mass_input_reader_create(mass_domain *d, mass_input_reader **out, mass_error *error)
{
    mass_input_reader *f = calloc(1, sizeof *f);
    if (!f) return mass_error_memory(error, sizeof *f, "the input");
    f->d = d;
    for (int s = 0; s < SLOTS; s++) f->live[s] = calloc((size_t)d->partition_count, sizeof **f->live);
    const bool room = f->live[0] && f->live[1];
    mass_status status = MASS_OK;
    if (!room) status = mass_error_memory(error, (size_t)d->partition_count * sizeof **f->live, "the input");
    else if (d->worlds > 1)
        status = mass_error_set(error, MASS_BAD_USAGE, "%s reads a stream, which has one world: leave --worlds out",
                                d->model->plugin);
    else if (d->device->table->streams) status = stage(f, error);
    if (status == MASS_OK) *out = f;
    else mass_input_reader_free(f);
    return status;
}

/* Frees the reader and its memory for chunks, and sets the domain's `live` to NULL. NULL is allowed. */
void mass_input_reader_free(mass_input_reader *f)
{
    if (!f) return;
    for (int s = 0; s < SLOTS; s++) {
        for (int32_t k = 0; f->staged[s] && k < f->d->partition_count; k++)
            if (f->staged[s][k]) f->d->device->table->streams->unstage(f->d->device, f->staged[s][k]);
        free(f->staged[s]);
        free(f->live[s]);
    }
    free(f->rooms);
    free(f->passing);
    f->d->live = NULL;
    free(f);
}

uint64_t mass_input_reader_given(const mass_input_reader *f) { return f->given; }
uint64_t mass_input_reader_total(const mass_input_reader *f) { return f->total; }

/* Returns the bytes of an item. */
static size_t item_size(const mass_input_reader *f) { return f->d->model->arrays[stream_of(f)->array].element_size; }

/* Reads the next items, as many as there are and fit, and adds them to f->given. *count is 0 at the end of the input.
 * MASS_BAD_PLUGIN if the plugin claims to give more than fit. */
static mass_status read_items(mass_input_reader *f, void *to, int64_t room, int64_t *count, mass_error *error)
{
    const mass_status status = stream_of(f)->read(stream_of(f)->context, f->given, to, room, count, error);
    if (status == MASS_OK && (*count < 0 || *count > room))
        return mass_error_set(error, MASS_BAD_PLUGIN, "%s: it gives %lld items where %lld fit%s", f->d->model->plugin,
                              (long long)*count, (long long)room, room == 1 ? "s" : "");
    if (status == MASS_OK) f->given += (uint64_t)*count;
    return status;
}

/* ---- over ranks: rank 0 reads for all ranks and sends them their items ---- */

/* The message before the items of a partition. */
typedef struct heading {
    int64_t count; /* 0: no more items, for the partitions after it either */
    int64_t more;  /* 1: the chunk has items on some rank */
} heading;

/* Sends items to a rank, or receives them, in messages of bounded size; none for 0 items. The other rank calls it
 * too. */
static mass_status pass_items(const mass_input_reader *f, int32_t rank, void *items, int64_t count, bool sends,
                              mass_error *error)
{
    mass_comm *comm = f->d->share.comm;
    const size_t bytes = (size_t)count * item_size(f);
    mass_status status = MASS_OK;
    for (size_t at = 0; status == MASS_OK && at < bytes; at += mass_transfer_limit) {
        const size_t left = bytes - at;
        const mass_message m = {rank, (char *)items + at, left < mass_transfer_limit ? left : mass_transfer_limit};
        status = comm->table->exchange(comm, &m, sends, &m, !sends, error);
    }
    return status;
}

/* Sends a heading to a rank, or receives one from it. The other rank calls it too. */
static mass_status pass_heading(const mass_input_reader *f, int32_t rank, heading *h, bool sends, mass_error *error)
{
    mass_comm *comm = f->d->share.comm;
    const mass_message m = {rank, h, sizeof *h};
    return comm->table->exchange(comm, &m, sends, &m, !sends, error);
}

/* Finds how many items fit on each rank: f->rooms. Rank 0 also gets f->passing. All ranks call it before a pass. */
static mass_status find_rooms(mass_input_reader *f, mass_error *error)
{
    mass_domain *d = f->d;
    mass_comm *comm = d->share.comm;
    const size_t partitions = (size_t)d->partition_count, all = partitions * (size_t)comm->size;
    int64_t *own = calloc(partitions, sizeof *own), most = 0;
    free(f->rooms);
    free(f->passing);
    f->passing = NULL;
    f->rooms = calloc(all, sizeof *f->rooms);
    mass_status status = own && f->rooms ? MASS_OK : mass_error_memory(error, all * sizeof *own, "the input");
    for (size_t k = 0; status == MASS_OK && k < partitions; k++) own[k] = d->partitions[0][k].layout.extent[0];
    if (status == MASS_OK)
        status = comm->table->all_gather(comm, own, partitions * sizeof *own, f->rooms, error);
    free(own);
    if (status != MASS_OK || comm->rank > 0) return status;
    for (size_t i = partitions; i < all; i++) most = f->rooms[i] > most ? f->rooms[i] : most;
    f->passing = malloc((size_t)most * item_size(f));
    return f->passing ? MASS_OK : mass_error_memory(error, (size_t)most * item_size(f), "the input");
}

/* Sends another rank its part of a chunk. Rank 0 calls it. before: the first item of the chunk.
 * *ended: the input has ended; it may be true before, and the rank then gets a heading without items. */
static mass_status serve_rank(mass_input_reader *f, int32_t rank, uint64_t before, bool *ended, mass_error *error)
{
    const int32_t partitions = f->d->partition_count;
    mass_status status = MASS_OK;
    heading h = {.count = 1};
    for (int32_t k = 0; status == MASS_OK && h.count > 0 && k < partitions; k++) {
        h.count = 0;
        if (!*ended) status = read_items(f, f->passing, f->rooms[rank * partitions + k], &h.count, error);
        *ended = h.count == 0;
        h.more = f->given > before;
        if (status == MASS_OK) status = pass_heading(f, rank, &h, true, error);
        if (status == MASS_OK) status = pass_items(f, rank, f->passing, h.count, true, error);
    }
    return status;
}

/* ---- the partitions of this rank ---- */

/* Returns the memory that receives the items of a partition. */
static void *place_of(const mass_input_reader *f, int32_t k)
{
    if (f->staged[f->slot]) return f->staged[f->slot][k];
    return mass_array_from(f->d, &f->d->partitions[0][k], stream_of(f)->array, false).address;
}

/* Fills one partition: rank 0 reads the items, other ranks receive them. Sets the partition's number of items in the
 * slot, 0 at the end of the input. *more: other ranks than 0 learn if some rank has items of this chunk. */
static mass_status fill(mass_input_reader *f, int32_t k, bool *more, mass_error *error)
{
    mass_domain *d = f->d;
    const mass_partition *p = &d->partitions[0][k];
    const mass_buffer to = mass_array_from(d, p, stream_of(f)->array, false);
    void *at = place_of(f, k);
    heading h = {0};
    mass_status status = MASS_OK;
    if (d->share.comm->rank == 0) status = read_items(f, at, p->layout.extent[0], &h.count, error);
    else {
        status = pass_heading(f, 0, &h, false, error);
        if (status == MASS_OK) status = pass_items(f, 0, at, h.count, false, error);
        *more = h.more;
    }
    f->live[f->slot][k] = h.count;
    if (status != MASS_OK || h.count == 0 || !f->staged[f->slot]) return status;
    return mass_buffer_send(to, (int)f->slot, at, (size_t)h.count * item_size(f), error);
}

/* Makes a slot's chunk and array present. Sets the domain's `live`. */
static void choose_slot(mass_input_reader *f, uint32_t slot)
{
    f->slot = slot;
    f->d->current[stream_of(f)->array] = (uint8_t)slot;
    f->d->live = f->live[slot];
}

/* Begins the next chunk in the other slot, once the device has that slot's last one. *more false: the input ended
 * before, and the chunk is empty. Adds its items to f->total. */
static mass_status take_piece(mass_input_reader *f, bool *more, mass_error *error)
{
    mass_domain *d = f->d;
    const uint64_t before = f->given;
    choose_slot(f, f->slot ^ 1);
    mass_status status = f->staged[0] ? d->device->table->streams->sent(d->device, (int)f->slot, error) : MASS_OK;
    memset(f->live[f->slot], 0, (size_t)d->partition_count * sizeof **f->live);
    bool ended = false; /* rank 0 fills the other ranks first */
    for (int32_t r = 1; status == MASS_OK && d->share.comm->rank == 0 && r < d->share.comm->size; r++)
        status = serve_rank(f, r, before, &ended, error);
    for (int32_t k = 0; status == MASS_OK && !ended && k < d->partition_count; k++) {
        status = fill(f, k, more, error);
        ended = f->live[f->slot][k] == 0;
    }
    if (d->share.comm->rank == 0) *more = f->given > before;
    f->total += f->given - before;
    return status;
}

mass_status mass_input_reader_next(mass_input_reader *f, bool *more, mass_error *error)
{
    const mass_stream_def *s = stream_of(f);
    mass_status status = MASS_OK;
    if (f->resident) {
        *more = f->chunks == 0;
        if (*more) f->total += f->given;
    } else {
        if (f->chunks == 0) f->given = 0;
        if (f->chunks == 0 && f->d->share.comm->size > 1) status = find_rooms(f, error);
        *more = s->pieces_most == 0 || f->chunks < s->pieces_most;
        if (status == MASS_OK && *more) status = take_piece(f, more, error);
        f->resident = status == MASS_OK && !*more && f->chunks == 1 && !s->changed && s->pieces_most == 0;
        if (f->resident) choose_slot(f, f->slot ^ 1); /* the end of input came after that chunk */
    }
    f->chunks = *more ? f->chunks + 1 : 0;
    return status;
}

mass_status mass_input_reader_consumed(mass_input_reader *f, mass_error *error)
{
    return f->staged[0] ? f->d->device->table->streams->consumed(f->d->device, (int)f->slot, error) : MASS_OK;
}
