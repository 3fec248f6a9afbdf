/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU's part of a manage over ranks (device/agents.h). Kernels list messages for other ranks on the device. They are
 * copied to the host together with their number: as many as last time at once, and the rest only if there are more. */
#include "device/cuda/cuda.h"
#include "cuda/kernels.h"
#include "cuda/manage_remote.h"

#include <stdlib.h>
#include <string.h>

/* Memory that grows as needed, and then loses its contents. */
typedef struct memory {
    void *at;
    size_t bytes;
} memory;

/* The results of a step for the host, at the start of pinned memory. */
typedef struct report {
    mass_cuda_remote_counts counts;
    uint32_t agents; /* before the manage */
} report;

typedef struct mass_cuda_remote_part {
    mass_cuda_remote f;
    memory counts, first_place, list, batch, claims, travellers, index, ids, arrivals, bands; /* on the device */
    memory host;           /* pinned: the report, and the lists after it */
    memory sent;           /* pinned too: counts of agents on their way to the device */
    bool sending;          /* they may still be read */
    bool packed;           /* travellers were packed together with their count; at most so many: */
    uint32_t usual_travellers;
    uint32_t usual_claims; /* claims that are copied at once */
    uint32_t usual_refused;
    uint32_t births;       /* births among the claims of other ranks; the others are moves */
    uint32_t told;         /* refusals that the caller has got */
    uint32_t unsettled;    /* the sub-phase that was decided last; 0: its claims are settled */
} mass_cuda_remote_part;

enum { FEW = 256, REPORT = 64 }; /* REPORT: bytes of the report, rounded up for alignment */

_Static_assert(sizeof(report) <= REPORT, "the report fits");

/* Enlarges device memory to more than `bytes`, if needed; its contents are lost. */
static mass_status reserve(mass_cuda *cuda, memory *m, size_t bytes, mass_error *error)
{
    if (bytes <= m->bytes) return MASS_OK;
    mass_cuda_memory.release(&cuda->device, m->at);
    *m = (memory){0};
    bytes += bytes / 4 + 4096;
    const mass_status status = mass_cuda_memory.allocate(&cuda->device, bytes, &m->at, error);
    if (status == MASS_OK) m->bytes = bytes;
    return status;
}

/* Reserves host memory for the report and `bytes` bytes after it. If it must be larger, its contents are lost. */
static mass_status reserve_host(memory *m, size_t bytes, mass_error *error)
{
    bytes += REPORT;
    if (bytes <= m->bytes) return MASS_OK;
    cudaFreeHost(m->at);
    *m = (memory){0};
    bytes += bytes / 4 + 4096;
    void *at;
    if (cudaMallocHost(&at, bytes) != cudaSuccess) {
        cudaGetLastError();
        return mass_error_memory(error, bytes, "what ranks tell each other");
    }
    *m = (memory){at, bytes};
    return MASS_OK;
}

/* Return the host memory after the report, and the report. */
static char *behind_report(const mass_cuda_remote_part *p) { return (char *)p->host.at + REPORT; }
static const report *report_of(const mass_cuda_remote_part *p) { return p->host.at; }

/* Enlarges the list of claims, refusals or travellers, if needed, and sets its room, in claims. Its contents are lost
 * then. */
static mass_status reserve_list(mass_cuda *cuda, mass_cuda_remote_part *p, size_t bytes, mass_error *error)
{
    const mass_status status = reserve(cuda, &p->list, bytes, error);
    p->f.list = p->list.at;
    p->f.list_room = (uint32_t)(p->list.bytes / sizeof(mass_remote_claim) < UINT32_MAX / 2
                                    ? p->list.bytes / sizeof(mass_remote_claim) : UINT32_MAX / 2);
    return status;
}

/* Queues copies of the counts, and of `bytes` bytes from the device, to the host: to the report and behind it. */
static mass_status read(mass_cuda *cuda, mass_cuda_remote_part *p, const void *from, size_t bytes, mass_error *error)
{
    const mass_status status = reserve_host(&p->host, bytes, error);
    if (status != MASS_OK) return status;
    TRY(cudaMemcpyAsync(p->host.at, p->counts.at, sizeof p->f.counts[0], cudaMemcpyDeviceToHost, cuda->stream),
        "a copy failed");
    if (bytes == 0) return MASS_OK;
    TRY(cudaMemcpyAsync(behind_report(p), from, bytes, cudaMemcpyDeviceToHost, cuda->stream), "a copy failed");
    return MASS_OK;
}

/* Waits for all queued work. Afterwards lists may be read, and sent data has arrived. */
static mass_status wait(mass_cuda *cuda, mass_error *error)
{
    const mass_status status = mass_cuda_wait(cuda, NULL, error);
    cuda->remote->sending = false;
    return status;
}

/* Allocates the device's part for claims of other ranks, unless it exists. */
static mass_status make(mass_cuda *cuda, mass_error *error)
{
    if (!cuda->remote) cuda->remote = calloc(1, sizeof *cuda->remote);
    return cuda->remote ? MASS_OK : mass_error_memory(error, sizeof *cuda->remote, "a manage");
}

/* Returns how many items to expect if there were `last` last time. */
static uint32_t usual(uint32_t last) { return last + last / 4 + FEW; }
static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Begins a manage over ranks: reserves memory on the device, and queues its first kernels. Does not wait for them. */
static mass_status begin(mass_device *device, const mass_manage_work *work, const int64_t *first_place, int32_t ranks,
                         mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_status status = make(cuda, error);
    mass_cuda_remote_part *p = cuda->remote;
    const size_t worlds = (size_t)work->worlds, places = ((size_t)ranks + 1) * sizeof *first_place;
    if (status == MASS_OK) status = reserve(cuda, &p->counts, REPORT + 2 * worlds * sizeof(uint32_t), error);
    if (status == MASS_OK) status = reserve(cuda, &p->first_place, places, error);
    if (status == MASS_OK) status = reserve(cuda, &p->ids, worlds * sizeof(uint64_t), error);
    if (status == MASS_OK) status = mass_cuda_make_scratch(cuda, mass_cuda_remote_scratch(work), error);
    if (status == MASS_OK) status = reserve_list(cuda, p, 1, error);
    if (status == MASS_OK) status = reserve(cuda, &p->travellers, 1, error);
    if (status != MASS_OK) return status;
    p->unsettled = 0;
    p->f = (mass_cuda_remote){.w = work, .ranks = ranks, .first_place = p->first_place.at, .counts = p->counts.at,
        .born = (uint32_t *)((char *)p->counts.at + REPORT), .scratch = cuda->scratch, .stop = cuda->stop,
        .list = p->list.at, .list_room = p->f.list_room, .travellers = p->travellers.at, .id_base = p->ids.at,
        .traveller_room = (uint32_t)(p->travellers.bytes / sizeof(uint32_t))};
    p->f.died = p->f.born + worlds;
    TRY(cudaMemcpyAsync(p->first_place.at, first_place, places, cudaMemcpyHostToDevice, cuda->stream), "a copy failed");
    TRY(mass_cuda_remote_begin(cuda->stream, &p->f), "agents cannot be managed");
    return MASS_OK;
}

/* Lists claims to other ranks' cells in host memory. Repeats with a larger list if they do not fit. Waits. */
static mass_status ask(mass_device *device, bool moves, bool births, const mass_remote_claim **claims, uint32_t *count,
                       mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_cuda_remote_part *p = cuda->remote;
    for (uint32_t all = usual(p->usual_claims), known;; all = known) {
        mass_status status = reserve_list(cuda, p, all * sizeof **claims, error);
        if (status != MASS_OK) return status;
        TRY(cudaMemsetAsync(p->counts.at, 0, sizeof *p->f.counts, cuda->stream), "agents cannot be managed");
        TRY(mass_cuda_remote_ask(cuda->stream, &p->f, moves, births), "agents cannot be managed");
        status = read(cuda, p, p->list.at, all * sizeof **claims, error);
        if (status == MASS_OK) status = wait(cuda, error);
        if (status != MASS_OK) return status;
        known = report_of(p)->counts.claims;
        if (known > all) continue;
        p->usual_claims = *count = known;
        *claims = (const mass_remote_claim *)behind_report(p);
        return MASS_OK;
    }
}

/* Counts the seats that claims of other ranks got in the sub-phase before, unless that is done. Queued. */
static mass_status settle(mass_cuda *cuda, mass_error *error)
{
    mass_cuda_remote_part *p = cuda->remote;
    const uint32_t sub_phase = p->unsettled;
    p->unsettled = 0;
    if (sub_phase) TRY(mass_cuda_remote_settle(cuda->stream, &p->f, sub_phase), "agents cannot be managed");
    return MASS_OK;
}

/* Takes other ranks' claims, in place of earlier ones. Reads `claims` on the host, and queues their copy. */
static mass_status arrive(mass_device *device, const mass_remote_claim *claims, uint32_t count, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_cuda_remote_part *p = cuda->remote;
    mass_status status = settle(cuda, error);
    const size_t bytes = count * sizeof *claims;
    if (status == MASS_OK && count) status = reserve(cuda, &p->claims, bytes, error);
    if (status == MASS_OK && count)
        status = reserve(cuda, &p->batch, mass_cuda_remote_batch(p->f.w, count), error);
    if (status == MASS_OK) status = reserve_list(cuda, p, count * sizeof(mass_remote_refusal), error);
    if (status != MASS_OK) return status;
    p->f.claim = p->claims.at;
    p->f.claims = count;
    p->f.batch = p->batch.at;
    p->told = p->births = 0;
    for (uint32_t i = 0; i < count; i++) p->births += claims[i].is_birth;
    TRY(cudaMemsetAsync(p->counts.at, 0, sizeof *p->f.counts, cuda->stream), "agents cannot be managed");
    if (count) TRY(cudaMemcpyAsync(p->claims.at, claims, bytes, cudaMemcpyHostToDevice, cuda->stream), "a copy failed");
    return MASS_OK;
}

/* Returns the refusals that the caller has not got yet, in host memory. Waits for them. None, without waiting, if the
 * caller has got one for every claim. */
static mass_status read_refused(mass_cuda *cuda, const mass_remote_refusal **refused, uint32_t *count,
                                mass_error *error)
{
    mass_cuda_remote_part *p = cuda->remote;
    *count = 0;
    if (p->f.claims == p->told) return MASS_OK;
    const mass_remote_refusal *from = (const mass_remote_refusal *)p->list.at + p->told;
    for (uint32_t all = smaller(usual(p->usual_refused), p->f.claims - p->told);; all = *count) {
        mass_status status = read(cuda, p, from, all * sizeof *from, error);
        if (status == MASS_OK) status = wait(cuda, error);
        if (status != MASS_OK) return status;
        p->usual_refused = *count = report_of(p)->counts.refused - p->told;
        if (*count <= all) break;
    }
    *refused = (const mass_remote_refusal *)behind_report(p);
    p->told += *count;
    return MASS_OK;
}

/* Decides a sub-phase, and lists the claims of other ranks that are refused. Waits only if there are claims. */
static mass_status decide(mass_device *device, uint32_t sub_phase, const mass_remote_refusal **refused, uint32_t *count,
                          mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_cuda_remote_part *p = cuda->remote;
    mass_status status = settle(cuda, error);
    *count = 0;
    if (status != MASS_OK) return status;
    TRY(mass_cuda_remote_decide(cuda->stream, &p->f, sub_phase), "agents cannot be managed");
    if (sub_phase == MASS_KILL) return MASS_OK;
    p->unsettled = sub_phase;
    const uint32_t claims = sub_phase == MASS_SPAWN ? p->births : p->f.claims - p->births;
    return claims ? read_refused(cuda, refused, count, error) : MASS_OK;
}

/* Takes back claims that other ranks refused, if there are any; lists the claims of other ranks that are refused
 * because of that. Waits. */
static mass_status refuse(mass_device *device, uint32_t sub_phase, const uint32_t *index, uint32_t index_count,
                          const mass_remote_refusal **refused, uint32_t *count, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_cuda_remote_part *p = cuda->remote;
    const size_t bytes = index_count * sizeof *index;
    *count = 0;
    if (index_count == 0) return MASS_OK;
    const mass_status status = reserve(cuda, &p->index, bytes, error);
    if (status != MASS_OK) return status;
    TRY(cudaMemcpyAsync(p->index.at, index, bytes, cudaMemcpyHostToDevice, cuda->stream), "a copy failed");
    TRY(mass_cuda_remote_refuse(cuda->stream, &p->f, sub_phase, p->index.at, index_count), "agents cannot be managed");
    return read_refused(cuda, refused, count, error);
}

/* The data that is read after a conclusion, after the report: births of each world, ids, travellers. */
typedef struct places_of_conclusion {
    size_t births, ids, travellers; /* lengths; each begins at a multiple of 16 */
} places_of_conclusion;

/* Rounds up to a multiple of 16 bytes. */
static size_t whole(size_t bytes) { return (bytes + 15) / 16 * 16; }
/* Returns where the next ids are in the host's copy of the conclusion. */
static char *ids_read(const mass_cuda_remote_part *p, const places_of_conclusion *l)
{
    return behind_report(p) + whole(l->births);
}
/* Returns where the travellers are in the host's copy of the conclusion. */
static char *travellers_read(const mass_cuda_remote_part *p, const places_of_conclusion *l)
{
    return ids_read(p, l) + whole(l->ids);
}

/* Returns how many travellers are packed before their number is known. None if there can be children, since the ids of
 * children are not known yet. */
static uint32_t packed_at_once(const mass_cuda_remote_part *p)
{
    return p->f.w->children ? 0 : smaller(usual(p->usual_travellers), p->f.traveller_room);
}

/* Returns the bytes of the parts of a conclusion. */
static places_of_conclusion lay_out(const mass_cuda_remote_part *p)
{
    const mass_manage_work *w = p->f.w;
    const size_t worlds = (size_t)w->worlds;
    return (places_of_conclusion){worlds * sizeof(uint32_t), worlds * sizeof(uint64_t),
                                  packed_at_once(p) * mass_remote_value(w, w->array_count)};
}

/* Queues the conclusion, and copies of all its counts to the host; also of the packed travellers, as many as are packed
 * at once. */
static mass_status queue_conclusion(mass_cuda *cuda, mass_error *error)
{
    mass_cuda_remote_part *p = cuda->remote;
    const mass_manage_work *w = p->f.w;
    const places_of_conclusion l = lay_out(p);
    mass_status status = reserve_list(cuda, p, l.travellers, error);
    if (status == MASS_OK)
        status = reserve_host(&p->host, whole(l.births) + whole(l.ids) + l.travellers, error);
    if (status != MASS_OK) return status;
    TRY(cudaMemsetAsync(p->counts.at, 0, REPORT + 2 * l.births, cuda->stream), "agents cannot be managed");
    TRY(mass_cuda_remote_conclude(cuda->stream, &p->f), "agents cannot be managed");
    TRY(cudaMemcpyAsync((char *)p->host.at + offsetof(report, agents), w->count, sizeof *w->count,
                        cudaMemcpyDeviceToHost, cuda->stream), "a copy failed");
    TRY(cudaMemcpyAsync(ids_read(p, &l), w->next_id, l.ids, cudaMemcpyDeviceToHost, cuda->stream), "a copy failed");
    p->packed = l.travellers > 0;
    if (p->packed) {
        TRY(mass_cuda_remote_pack(cuda->stream, &p->f, packed_at_once(p)), "agents cannot be managed");
        TRY(cudaMemcpyAsync(travellers_read(p, &l), p->list.at, l.travellers, cudaMemcpyDeviceToHost, cuda->stream),
            "a copy failed");
    }
    return read(cuda, p, p->f.born, l.births, error);
}

/* Ends the decisions, and returns their numbers. Repeats with a larger list if travellers do not fit. Waits. */
static mass_status conclude(mass_device *device, uint64_t *stay, uint32_t *travellers, int64_t *born,
                            uint64_t *next_id, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_cuda_remote_part *p = cuda->remote;
    const size_t worlds = (size_t)p->f.w->worlds;
    places_of_conclusion l;
    for (const report *r;;) {
        l = lay_out(p);
        mass_status status = queue_conclusion(cuda, error);
        if (status == MASS_OK) status = wait(cuda, error);
        if (status != MASS_OK) return status;
        r = report_of(p);
        *travellers = r->counts.travellers;
        *stay = (uint64_t)r->agents - r->counts.gone + r->counts.here;
        if (*travellers <= p->f.traveller_room) break;
        status = reserve(cuda, &p->travellers, *travellers * sizeof(uint32_t), error);
        if (status != MASS_OK) return status;
        p->f.travellers = p->travellers.at;
        p->f.traveller_room = (uint32_t)(p->travellers.bytes / sizeof(uint32_t));
    }
    p->f.births = 0;
    for (size_t i = 0; i < worlds; i++) p->f.births += (uint32_t)(born[i] = ((const uint32_t *)behind_report(p))[i]);
    memcpy(next_id, ids_read(p, &l), worlds * sizeof *next_id);
    return MASS_OK;
}

/* Returns the packed travellers in host memory; packs them now if conclude could not. Sends id_base to the device if
 * there can be children. */
static mass_status pack(mass_device *device, const uint64_t *id_base, const char **travellers, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_cuda_remote_part *p = cuda->remote;
    const mass_manage_work *w = p->f.w;
    const uint32_t count = report_of(p)->counts.travellers;
    const size_t bytes = count * mass_remote_value(w, w->array_count), ids = (size_t)w->worlds * sizeof *id_base;
    const places_of_conclusion l = lay_out(p);
    if (w->children)
        TRY(cudaMemcpyAsync(p->ids.at, id_base, ids, cudaMemcpyHostToDevice, cuda->stream), "a copy failed");
    p->usual_travellers = count;
    *travellers = travellers_read(p, &l);
    if (count == 0 || (p->packed && bytes <= l.travellers)) return MASS_OK;
    mass_status status = reserve_list(cuda, p, bytes, error);
    if (status != MASS_OK) return status;
    TRY(mass_cuda_remote_pack(cuda->stream, &p->f, count), "agents cannot be managed");
    status = read(cuda, p, p->list.at, bytes, error);
    if (status == MASS_OK) status = wait(cuda, error);
    *travellers = behind_report(p);
    return status;
}

/* Reserves memory for the commit of some arrivals. Former contents are lost if there was too little. */
static mass_status make_room(mass_device *device, const mass_manage_work *work, uint32_t arrivals, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_cuda_remote_part *p = cuda->remote;
    const size_t bytes = arrivals * mass_remote_value(work, work->array_count);
    const mass_status status = reserve(cuda, &p->arrivals, bytes, error);
    if (status != MASS_OK) return status;
    return mass_cuda_make_scratch(cuda, mass_cuda_remote_commit_scratch(work, p->f.births, arrivals), error);
}

/* Queues the kernels that apply the manage, with the arrivals. */
static mass_status commit(mass_device *device, const mass_manage_work *work, const char *arrivals, uint32_t count,
                          mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_cuda_remote_part *p = cuda->remote;
    const size_t bytes = count * mass_remote_value(work, work->array_count);
    p->f.w = work;
    p->f.scratch = cuda->scratch;
    p->f.arrivals = p->arrivals.at;
    p->f.arrival_count = count;
    if (count) TRY(cudaMemcpyAsync(p->arrivals.at, arrivals, bytes, cudaMemcpyHostToDevice, cuda->stream),
                   "a copy failed");
    TRY(mass_cuda_remote_commit(cuda->stream, &p->f), "agents cannot be managed");
    return MASS_OK;
}

/* Counts the agents on each of a world's first and last cells. Waits only if the host gets the counts too. */
static mass_status count_bands(mass_device *device, const uint32_t *start, const mass_seats *occupancy, int64_t places,
                               int32_t worlds, int64_t low, int64_t count, uint32_t **there, const uint32_t **here,
                               mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_status status = make(cuda, error);
    mass_cuda_remote_part *p = cuda->remote;
    const size_t bytes = (size_t)(worlds * count) * sizeof **here;
    if (status == MASS_OK) status = reserve(cuda, &p->bands, bytes, error);
    if (status == MASS_OK && here) status = reserve_host(&p->host, bytes, error);
    if (status != MASS_OK) return status;
    TRY(mass_cuda_count_bands(cuda->stream, start, occupancy, places, worlds, low, count, p->bands.at),
        "agents cannot be counted");
    *there = p->bands.at;
    if (!here) return MASS_OK;
    TRY(cudaMemcpyAsync(behind_report(p), p->bands.at, bytes, cudaMemcpyDeviceToHost, cuda->stream), "a copy failed");
    *here = (const uint32_t *)behind_report(p);
    return wait(cuda, error);
}

/* Queues the sort of agents and requests into canonical order. */
static mass_status order(mass_device *device, const mass_manage_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const mass_status status = mass_cuda_make_scratch(cuda, mass_cuda_order_scratch(work), error);
    if (status != MASS_OK) return status;
    TRY(mass_cuda_order(cuda->stream, work, cuda->scratch), "agents cannot be put in order");
    return MASS_OK;
}

/* Returns host memory for data to send, once the previous send is done. */
static mass_status stage(mass_device *device, size_t bytes, void **out, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_cuda_remote_part *p = cuda->remote;
    mass_status status = p->sending ? wait(cuda, error) : MASS_OK;
    if (status == MASS_OK) status = reserve_host(&p->sent, bytes, error);
    if (status == MASS_OK) *out = p->sent.at;
    return status;
}

/* Queues the copy of staged data to the device. */
static mass_status send(mass_device *device, void *to, size_t bytes, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    cuda->remote->sending = true;
    TRY(cudaMemcpyAsync(to, cuda->remote->sent.at, bytes, cudaMemcpyHostToDevice, cuda->stream), "a copy failed");
    return MASS_OK;
}

void mass_cuda_close_remote(mass_cuda *cuda)
{
    mass_cuda_remote_part *p = cuda->remote;
    if (!p) return;
    const memory all[] = {p->counts, p->first_place, p->list, p->batch, p->claims, p->travellers, p->index, p->ids,
                          p->arrivals, p->bands};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) cudaFree(all[i].at);
    cudaFreeHost(p->host.at);
    cudaFreeHost(p->sent.at);
    free(p);
    cuda->remote = NULL;
}

const mass_remote_operations mass_cuda_remote_operations = {
    .struct_size = sizeof mass_cuda_remote_operations,
    .begin = begin,
    .ask = ask,
    .arrive = arrive,
    .decide = decide,
    .refuse = refuse,
    .conclude = conclude,
    .pack = pack,
    .make_room = make_room,
    .commit = commit,
    .count_bands = count_bands,
    .order = order,
    .stage = stage,
    .send = send,
};
