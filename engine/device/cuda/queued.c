/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU's part of a manage over ranks that is all queued (device/queued.h). */
#include "cuda/manage_queued.h"
#include "cuda/kernels.h"
#include "device/cuda/cuda.h"
#include "device/queued.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)MASS_QUEUED_ROOM_MOST <= (int)MASS_CUDA_REFUSALS_MOST, "all claims of a box may be refused");

struct mass_cuda_queued_part {
    mass_cuda_queued q;
    void *memory;          /* all memory but scratch, on the device */
    void *scratch;         /* as it was when memory was reserved */
    size_t bytes;
    mass_cuda_box *boxes;  /* host: [ranks] */
    size_t slot;
    size_t *news_out, *news_in; /* host: bytes to and from each rank */
    mass_cuda_run *runs;        /* host: outgoing, then incoming */
    size_t news;                /* bytes from all ranks */
    /* If devices access each other's memory. */
    char *shared;           /* NULL: they do not */
    size_t reach, turn;     /* in `memory`: for both turns; turn of the next manage, 0 or 1 */
};

/* Takes `bytes` bytes from *used on, aligned. Returns their offset. */
static size_t take(size_t *used, size_t bytes)
{
    const size_t at = *used;
    *used += (bytes + 255) / 256 * 256;
    return at;
}

typedef struct places {
    size_t first_place, boxes, seen_out, seen_in, out, in, refused_out, refused_in, news_out, news_in, reach, number;
    size_t all;
} places;

/* Offsets in memory that other ranks write to: two of each mailbox, which take turns, but one set of flags. */
typedef struct shared_places {
    size_t flags, in[2], refused_in[2], news_in[2], all;
} shared_places;

/* Offsets of this rank's mailboxes for another rank. */
typedef struct box_offsets {
    uint64_t in[2], refused_in[2], news_in[2], round_words;
} box_offsets;

/* Returns the words of a mailbox for this many refusals. */
static uint32_t words_of(uint32_t room) { return MASS_CUDA_REFUSALS_FROM + (room + 3) / 4 * 4; }

/* Sets the offsets and sizes of mailboxes of claims and refusals, and their totals. */
static void lay_out_boxes(const mass_queued_rooms *r, mass_cuda_box *boxes, mass_cuda_queued *q)
{
    q->out_slots = q->in_slots = q->out_words = q->in_words = 0;
    for (int32_t k = 0; k < r->ranks; k++) {
        boxes[k] = (mass_cuda_box){q->out_slots, r->out[k], q->in_slots, r->in[k], q->out_words, q->in_words, 0, 0};
        q->out_slots += 1 + r->out[k];
        q->in_slots += 1 + r->in[k];
        q->out_words += words_of(r->in[k]);
        q->in_words += words_of(r->out[k]);
    }
}

/* Sets the offset of the status to each rank, or from it, and its length: `words` words of 64 bits, and the runs' bits.
 * Fills in runs[]. Returns the total length. */
static size_t lay_out_news(const mass_queued_rooms *r, size_t words, bool out, mass_cuda_box *boxes, size_t *bytes,
                           mass_cuda_run *runs)
{
    const mass_seen_run *const seen = out ? r->seen_out : r->seen_in;
    const uint32_t count = out ? r->seen_out_count : r->seen_in_count;
    size_t used = 0;
    for (int32_t k = 0; k < r->ranks; k++) {
        size_t at = used + words * sizeof(int64_t);
        for (uint32_t i = 0; i < count; i++) {
            if (seen[i].rank != k) continue;
            runs[i] = (mass_cuda_run){seen[i].first, seen[i].count, (uint32_t)(at / sizeof(uint32_t)), k};
            at += ((size_t)seen[i].count + 31) / 32 * sizeof(uint32_t);
        }
        *(out ? &boxes[k].news_out : &boxes[k].news_in) = used;
        bytes[k] = at - used;
        used = (at + 15) / 16 * 16;
    }
    return used;
}

/* Returns the offsets of all that a queued manage needs in its memory, and their total. */
static places lay_out(const mass_cuda_queued *q, size_t slot, size_t news_out, size_t news_in)
{
    const size_t ranks = (size_t)q->ranks, rounds = MASS_QUEUED_ROUNDS_MOST;
    size_t used = 0;
    places l;
    l.first_place = take(&used, (ranks + 1) * sizeof(int64_t));
    l.boxes = take(&used, ranks * sizeof(mass_cuda_box));
    l.seen_out = take(&used, q->seen_out_count * sizeof(mass_cuda_run));
    l.seen_in = take(&used, q->seen_in_count * sizeof(mass_cuda_run));
    l.out = take(&used, q->out_slots * slot);
    l.in = take(&used, q->in_slots * slot);
    l.refused_out = take(&used, (rounds + 1) * q->out_words * sizeof(uint32_t));
    l.refused_in = take(&used, rounds * q->in_words * sizeof(uint32_t));
    l.news_out = take(&used, news_out);
    l.news_in = take(&used, news_in);
    l.reach = take(&used, 2 * ranks * sizeof(mass_cuda_reach));
    l.number = take(&used, sizeof(uint32_t));
    l.all = used;
    return l;
}

/* Returns the offsets in memory that other ranks' devices write to; two turns of all mailboxes. */
static shared_places lay_out_shared(const struct mass_cuda_queued_part *p)
{
    const mass_cuda_queued *const q = &p->q;
    size_t used = 0;
    shared_places l;
    l.flags = take(&used, (size_t)q->ranks * MASS_CUDA_FLAGS * sizeof(uint32_t));
    for (int turn = 0; turn < 2; turn++) {
        l.in[turn] = take(&used, q->in_slots * p->slot);
        l.refused_in[turn] = take(&used, MASS_QUEUED_ROUNDS_MOST * q->in_words * sizeof(uint32_t));
        l.news_in[turn] = take(&used, p->news);
    }
    l.all = used;
    return l;
}

/* Frees the lists in host memory. All pointers to them become NULL. */
static void free_lists(struct mass_cuda_queued_part *p)
{
    free(p->boxes);
    free(p->news_out);
    free(p->runs);
    p->boxes = NULL, p->news_out = p->news_in = NULL, p->runs = NULL;
}

/* Allocates the lists in host memory for these rooms, in place of earlier ones, and cuda->queued if there is none. */
static mass_status make(mass_cuda *cuda, const mass_queued_rooms *rooms, mass_error *error)
{
    const size_t ranks = (size_t)rooms->ranks, runs = (size_t)rooms->seen_out_count + rooms->seen_in_count;
    if (!cuda->queued) cuda->queued = calloc(1, sizeof *cuda->queued);
    struct mass_cuda_queued_part *p = cuda->queued;
    if (!p) return mass_error_memory(error, sizeof *p, "a manage");
    free_lists(p);
    p->boxes = calloc(ranks, sizeof *p->boxes);
    p->news_out = calloc(2 * ranks, sizeof *p->news_out);
    p->runs = calloc(runs + 1, sizeof *p->runs);
    if (!p->boxes || !p->news_out || !p->runs)
        return mass_error_memory(error, 64 * ranks + runs * sizeof *p->runs, "a manage");
    p->news_in = p->news_out + ranks;
    return MASS_OK;
}

/* Sets the addresses in *q, p->scratch and p->reach, and fills the memory. Mailboxes without a sender stay empty.
 * Waits. */
static mass_status fill_in(mass_cuda *cuda, struct mass_cuda_queued_part *p, const mass_queued_rooms *rooms, places l,
                           mass_error *error)
{
    const size_t ranks = (size_t)rooms->ranks;
    char *const at = p->memory;
    mass_cuda_queued *const q = &p->q;
    q->first_place = (int64_t *)(at + l.first_place), q->boxes = (mass_cuda_box *)(at + l.boxes);
    q->seen_out = (mass_cuda_run *)(at + l.seen_out), q->seen_in = (mass_cuda_run *)(at + l.seen_in);
    q->out = at + l.out, q->in = at + l.in;
    q->news_out = at + l.news_out, q->news_in = at + l.news_in;
    q->refused_out = (uint32_t *)(at + l.refused_out), q->refused_in = (uint32_t *)(at + l.refused_in);
    q->stop = cuda->stop, q->scratch = p->scratch = cuda->scratch;
    q->number = (uint32_t *)(at + l.number);
    p->reach = l.reach;
    TRY(cudaMemsetAsync(at, 0, l.all, cuda->stream), "agents cannot be managed");
    TRY(cudaMemcpyAsync(at + l.first_place, rooms->first_place, (ranks + 1) * sizeof *rooms->first_place,
                        cudaMemcpyHostToDevice, cuda->stream), "a copy failed");
    TRY(cudaMemcpyAsync(at + l.boxes, p->boxes, ranks * sizeof *p->boxes, cudaMemcpyHostToDevice, cuda->stream),
        "a copy failed");
    TRY(cudaMemcpyAsync(at + l.seen_out, p->runs, q->seen_out_count * sizeof *p->runs, cudaMemcpyHostToDevice,
                        cuda->stream), "a copy failed");
    TRY(cudaMemcpyAsync(at + l.seen_in, p->runs + q->seen_out_count, q->seen_in_count * sizeof *p->runs,
                        cudaMemcpyHostToDevice, cuda->stream), "a copy failed");
    return mass_cuda_wait(cuda, NULL, error);
}

/* Reserves device memory for manages like `work`, writes the tables in it, and waits. Refuses too many attributes or
 * agents with MASS_BAD_USAGE. Memory that is large enough stays where it is. Afterwards, devices share no
 * mailboxes until `meet`. */
static mass_status reserve(mass_device *device, const mass_manage_work *work, const mass_queued_rooms *rooms,
                           mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    if (!mass_cuda_queued_takes(work))
        return mass_error_set(error, MASS_BAD_USAGE, "agents have too many attributes for recorded moves over ranks");
    mass_status status = make(cuda, rooms, error);
    if (status != MASS_OK) return status;
    struct mass_cuda_queued_part *p = cuda->queued;
    p->q = (mass_cuda_queued){.ranks = rooms->ranks, .rank = rooms->rank, .place_counts = rooms->place_counts,
                              .seen_out_count = rooms->seen_out_count, .seen_in_count = rooms->seen_in_count};
    p->slot = mass_cuda_queued_slot(work);
    lay_out_boxes(rooms, p->boxes, &p->q);
    if ((uint64_t)work->room * (work->children ? 2 : 1) + p->q.in_slots >= (uint64_t)1 << 31)
        return mass_error_set(error, MASS_BAD_USAGE, "agents are too many for recorded moves over ranks");
    const size_t words = mass_cuda_queued_words(work->worlds), outs = rooms->seen_out_count;
    const size_t out = lay_out_news(rooms, words, true, p->boxes, p->news_out, p->runs);
    const size_t in = p->news = lay_out_news(rooms, words, false, p->boxes, p->news_in, p->runs + outs);
    p->shared = NULL;
    const places l = lay_out(&p->q, p->slot, out, in);
    const size_t scratch = mass_cuda_queued_scratch(work, p->q.in_slots, p->q.out_slots);
    status = mass_cuda_make_scratch(cuda, scratch, error);
    if (status == MASS_OK && l.all > p->bytes) {
        cudaFree(p->memory);
        p->memory = NULL;
        p->bytes = 0;
        status = mass_cuda_memory.allocate(device, l.all, &p->memory, error);
        if (status == MASS_OK) p->bytes = l.all;
    }
    return status == MASS_OK ? fill_in(cuda, p, rooms, l, error) : status;
}

/* Returns whether the memory that recordings use has moved since it was reserved, or was never reserved. */
static bool has_moved(mass_device *device)
{
    const mass_cuda *cuda = (mass_cuda *)device;
    return !cuda->queued || cuda->queued->scratch != cuda->scratch;
}

/* ---- access to each other's memory ---- */

/* Lists, for each other rank, the offsets of its mailboxes in this rank's memory. */
static void list_offsets(const struct mass_cuda_queued_part *p, const shared_places *l, box_offsets *offsets)
{
    for (int32_t r = 0; r < p->q.ranks; r++) {
        const mass_cuda_box *const b = &p->boxes[r];
        offsets[r].round_words = p->q.in_words;
        for (int turn = 0; turn < 2; turn++) {
            offsets[r].in[turn] = l->in[turn] + b->in * p->slot;
            offsets[r].refused_in[turn] = l->refused_in[turn] + b->refused_in * sizeof(uint32_t);
            offsets[r].news_in[turn] = l->news_in[turn] + b->news_in;
        }
    }
}

/* Sets the addresses of mailboxes in other ranks' memory. all: [ranks][ranks] the offsets from each rank for each. */
static void find_reach(const struct mass_cuda_queued_part *p, const mass_shared *shared, const box_offsets *all,
                       mass_cuda_reach *reach)
{
    const int32_t ranks = p->q.ranks, rank = p->q.rank;
    for (int turn = 0; turn < 2; turn++)
        for (int32_t r = 0; r < ranks; r++) {
            const box_offsets *const s = &all[r * ranks + rank];
            char *const at = shared->at[r];
            reach[turn * ranks + r] = (mass_cuda_reach){
                at + s->in[turn], at + s->news_in[turn], (uint32_t *)(at + s->refused_in[turn]),
                (uint32_t *)at + (size_t)rank * MASS_CUDA_FLAGS, (uint32_t)s->round_words};
        }
}

/* Writes the addresses of other ranks' mailboxes to the device. */
static mass_status upload_reach(mass_cuda *cuda, const mass_shared *shared, const box_offsets *all, mass_error *error)
{
    struct mass_cuda_queued_part *const p = cuda->queued;
    const size_t bytes = 2 * (size_t)p->q.ranks * sizeof(mass_cuda_reach);
    mass_cuda_reach *const reach = calloc(1, bytes);
    if (!reach) return mass_error_memory(error, bytes, "a manage");
    find_reach(p, shared, all, reach);
    char *const there = (char *)p->memory + p->reach;
    const mass_status status = mass_cuda_memory.upload(&cuda->device, there, reach, bytes, error);
    free(reach);
    return status;
}

/* Lets devices write into each other's mailboxes, if the link allows it; all ranks call it. Sets *alone. */
static mass_status meet(mass_device *device, mass_comm *comm, mass_link *link, bool *alone, mass_error *error)
{
    mass_cuda *const cuda = (mass_cuda *)device;
    struct mass_cuda_queued_part *const p = cuda->queued;
    const shared_places l = lay_out_shared(p);
    const size_t ranks = (size_t)p->q.ranks, bytes = (ranks + 1) * ranks * sizeof(box_offsets);
    mass_shared shared = {0};
    mass_status status = link->table->share ? link->table->share(link, comm, l.all, &shared, error) : MASS_OK;
    *alone = shared.at != NULL;
    if (status != MASS_OK || !*alone) return status;
    box_offsets *const all = calloc(1, bytes), *const own = all ? all + ranks * ranks : NULL;
    if (!all) return mass_error_memory(error, bytes, "a manage");
    list_offsets(p, &l, own);
    status = comm->table->all_gather(comm, own, ranks * sizeof *own, all, error);
    if (status == MASS_OK) status = upload_reach(cuda, &shared, all, error);
    free(all);
    p->shared = shared.at[p->q.rank];
    p->q.ended = shared.ended;
    p->turn = 0;
    return status;
}

/* Returns whether the devices exchange messages by themselves, without the host. */
static bool alone(mass_device *device) { return ((mass_cuda *)device)->queued->shared != NULL; }

/* Switches the mailboxes to this manage's turn. Recordings have an even number of manages, so that they can be replayed
 * one after another. Does nothing if mailboxes are not shared. */
static void take_turn(struct mass_cuda_queued_part *p)
{
    mass_cuda_queued *const q = &p->q;
    const size_t turn = p->turn;
    q->reach = NULL;
    if (!p->shared) return;
    const shared_places l = lay_out_shared(p);
    q->reach = (const mass_cuda_reach *)((char *)p->memory + p->reach) + turn * (size_t)q->ranks;
    q->flags = (const uint32_t *)(p->shared + l.flags);
    q->in = p->shared + l.in[turn];
    q->refused_in = (uint32_t *)(p->shared + l.refused_in[turn]);
    q->news_in = p->shared + l.news_in[turn];
    p->turn = 1 - turn;
}

/* Begins a manage with up to `rounds` rounds of refusals, and queues its claims. Memory is reserved for it. */
static mass_status begin(mass_device *device, const mass_manage_work *work, bool moves, uint32_t rounds,
                         mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_cuda_queued *const q = &cuda->queued->q;
    q->w = work;
    q->moves = moves;
    q->rounds = rounds;
    take_turn(cuda->queued);
    cuda->may_stop = true;
    TRY(mass_cuda_queued_begin(cuda->stream, q), "agents cannot be managed");
    return MASS_OK;
}

/* Returns the mailboxes of claims to and from a rank. */
static void claims(mass_device *device, int32_t rank, mass_message *out, mass_message *in)
{
    const struct mass_cuda_queued_part *p = ((mass_cuda *)device)->queued;
    const mass_cuda_box *b = &p->boxes[rank];
    *out = (mass_message){rank, p->q.out + b->out * p->slot, (1 + (size_t)b->out_room) * p->slot};
    *in = (mass_message){rank, p->q.in + b->in * p->slot, (1 + (size_t)b->in_room) * p->slot};
}

/* Returns the mailboxes of a round's refusals to and from a rank. */
static void refusals(mass_device *device, int32_t rank, uint32_t round, mass_message *out, mass_message *in)
{
    const mass_cuda_queued *q = &((mass_cuda *)device)->queued->q;
    const mass_cuda_box *b = &((mass_cuda *)device)->queued->boxes[rank];
    *out = (mass_message){rank, q->refused_out + (size_t)round * q->out_words + b->refused_out,
                          words_of(b->in_room) * sizeof(uint32_t)};
    *in = (mass_message){rank, q->refused_in + (size_t)round * q->in_words + b->refused_in,
                         words_of(b->out_room) * sizeof(uint32_t)};
}

/* Returns the mailboxes of the status to and from a rank. */
static void news(mass_device *device, int32_t rank, mass_message *out, mass_message *in)
{
    const struct mass_cuda_queued_part *p = ((mass_cuda *)device)->queued;
    const mass_cuda_box *b = &p->boxes[rank];
    *out = (mass_message){rank, p->q.news_out + b->news_out, p->news_out[rank]};
    *in = (mass_message){rank, p->q.news_in + b->news_in, p->news_in[rank]};
}

/* Queues the kernels that decide moves. */
static mass_status move(mass_device *device, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_queued_move(cuda->stream, &cuda->queued->q), "agents cannot be managed");
    return MASS_OK;
}

/* Queues the kernel that takes a round's refusals. */
static mass_status refuse(mass_device *device, uint32_t round, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_queued_refuse(cuda->stream, &cuda->queued->q, round), "agents cannot be managed");
    return MASS_OK;
}

/* Queues the kernels that settle all agents and write this rank's status. */
static mass_status conclude(mass_device *device, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_queued_conclude(cuda->stream, &cuda->queued->q), "agents cannot be managed");
    return MASS_OK;
}

/* Queues the kernels that apply the manage. Outside a recording, also waits, and clears a stop after it sets
 * *stopped. */
static mass_status commit(mass_device *device, bool *stopped, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_stop stop;
    TRY(mass_cuda_queued_commit(cuda->stream, &cuda->queued->q), "agents cannot be managed");
    *stopped = false;
    if (cuda->recording) return MASS_OK;
    const mass_status status = mass_cuda_wait_watched(cuda, error);
    if (status != MASS_OK) return status;
    TRY(cudaMemcpyAsync(&stop, cuda->stop, sizeof stop, cudaMemcpyDeviceToHost, cuda->stream), "a copy failed");
    TRY(cudaStreamSynchronize(cuda->stream), "agents cannot be managed");
    if (!stop.stopped) return MASS_OK;
    *stopped = true;
    TRY(cudaMemsetAsync(cuda->stop, 0, sizeof stop, cuda->stream), "agents cannot be managed");
    return MASS_OK;
}

void mass_cuda_close_queued(mass_cuda *cuda)
{
    if (!cuda->queued) return;
    cudaFree(cuda->queued->memory);
    free_lists(cuda->queued);
    free(cuda->queued);
    cuda->queued = NULL;
}

const mass_queued_operations mass_cuda_queued_operations = {
    .struct_size = sizeof mass_cuda_queued_operations,
    .reserve = reserve,
    .has_moved = has_moved,
    .begin = begin,
    .claims = claims,
    .refusals = refusals,
    .news = news,
    .move = move,
    .refuse = refuse,
    .conclude = conclude,
    .commit = commit,
    .meet = meet,
    .alone = alone,
};
