/* SPDX-License-Identifier: Apache-2.0 */
/* Links of GPUs by NCCL, a part of the CUDA backend. Its calls are queued on the device's stream, so recordings include
 * them as they include launches. NCCL has no tags: of the messages between two ranks in one group, the first that is
 * received is the first that was sent, which is what mass_message promises. Both sides derive the list of messages from
 * the same halo map.
 *
 * The communicator is of the blocking kind; the other kind starts a thread for every group of messages. NCCL connects
 * two ranks at their first exchange, so neighbours exchange a number when the link is made (connect). Afterwards the
 * host waits by polling (watch), and ends the link when --comm-timeout is over. Short messages between GPUs of one host
 * do not use NCCL (mailboxes.h). */
#include "comm/nccl/library.h"
#include "comm/nccl/mailboxes.h"
#include "cuda/post.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mass_nccl {
    mass_link link;
    mass_cuda *cuda; /* borrowed */
    const mass_nccl_library *library;
    ncclComm_t ranks;
    int32_t rank;
    double limit;
    char host[64];
    mass_comm *comm; /* borrowed; NULL: no memory is shared yet */
    mass_peers peers;
    mass_mailboxes mail;
} mass_nccl;

_Static_assert(sizeof(ncclUniqueId) == sizeof(mass_link_key), "a key is NCCL's id");

/* Reports a failed call, with NCCL's own text, and marks the link as failed. */
static mass_status failed(mass_nccl *n, ncclResult_t result, mass_error *error)
{
    const char *more = n->library->GetLastError && result != ncclSuccess ? n->library->GetLastError(n->ranks) : "";
    n->link.failed = true;
    return mass_error_set(error, MASS_FAILED, "rank %d on %s: %s: NCCL: %s%s%s", (int)n->rank, n->host, n->cuda->name,
                          n->library->GetErrorString(result), more && *more ? ": " : "", more ? more : "");
}

/* Calls a function of NCCL. If it fails, makes the calling function report that and return. */
#define ASK(n, call)                                                        \
    do {                                                                    \
        const ncclResult_t ask_result = (call);                             \
        if (ask_result != ncclSuccess) return failed(n, ask_result, error); \
    } while (0)

/* Aborts NCCL's work, so that the device's stream goes on. The contents of device memory are undefined after it. */
static void end(mass_nccl *n)
{
    mass_peers_end(&n->peers);
    mass_peers_end(&n->mail.peers);
    if (n->ranks) n->library->CommAbort(n->ranks);
    n->ranks = NULL;
    n->link.failed = true;
}

/* Checks that the other ranks still run, while the host waits for the device. Aborts NCCL on an error or above the
 * limit. waited: seconds so far. */
static mass_status watch(void *context, double waited, mass_error *error)
{
    mass_nccl *n = context;
    ncclResult_t result = ncclSuccess;
    if (!n->ranks)
        return mass_error_set(error, MASS_FAILED, "rank %d on %s: its link has failed", (int)n->rank, n->host);
    if (n->library->CommGetAsyncError(n->ranks, &result) != ncclSuccess || result == ncclInProgress) return MASS_OK;
    if (result != ncclSuccess) {
        const mass_status status = failed(n, result, error);
        end(n);
        return status;
    }
    if (n->limit == 0 || waited < n->limit) return MASS_OK;
    end(n);
    return mass_error_set(error, MASS_FAILED, "rank %d on %s: %s waits for another rank for more than %.0f s",
                          (int)n->rank, n->host, n->cuda->name, n->limit);
}

/* Fills in this rank's device, its id and NCCL's version, or why it cannot take part. Loads NCCL. */
static void describe(mass_device *device, mass_link_card *out)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const mass_nccl_library *library;
    struct cudaDeviceProp properties;
    mass_error error = {0};
    mass_status status = mass_nccl_open_library(&library, &error);
    const cudaError_t result = cudaGetDeviceProperties(&properties, cuda->ordinal);
    if (status == MASS_OK && result != cudaSuccess)
        status = mass_cuda_failed(cuda, result, "it does not answer", &error);
    snprintf(out->device, sizeof out->device, "%s", cuda->name);
    if (status != MASS_OK) snprintf(out->lacks, sizeof out->lacks, "%.*s", (int)sizeof out->lacks - 1, error.text);
    if (status != MASS_OK) return;
    out->version = library->version;
    memcpy(out->id, properties.uuid.bytes, sizeof out->id);
}

/* Makes the id by which all ranks connect. Rank 0 calls it. Loads NCCL. */
static mass_status make_key(mass_device *device, mass_link_key *out, mass_error *error)
{
    const mass_nccl_library *library;
    ncclUniqueId id;
    const mass_status status = mass_nccl_open_library(&library, error);
    if (status != MASS_OK) return status;
    const ncclResult_t result = library->GetUniqueId(&id);
    if (result != ncclSuccess)
        return mass_error_set(error, MASS_NO_DEVICE, "%s: NCCL: %s", device->table->name(device),
                              library->GetErrorString(result));
    memcpy(out, &id, sizeof id);
    return MASS_OK;
}

/* Returns whether NCCL sends a message. Messages with ranks whose bits are in `others` take the short-message path. */
static bool is_left(const mass_message *m, uint32_t others)
{
    return m->bytes > 0 && !(m->rank < MASS_POST_RANKS_MOST && (others >> m->rank & 1));
}

/* Queues the messages with all ranks that are not in `others`. Between GroupStart and GroupEnd, all messages are one
 * operation, so that no order of ranks can deadlock. The next launch does not overlap with it. */
static ncclResult_t queue(mass_nccl *n, uint32_t others, const mass_message *sends, uint32_t send_count,
                          const mass_message *receives, uint32_t receive_count)
{
    const cudaStream_t stream = n->cuda->stream;
    ncclResult_t result = n->library->GroupStart();
    if (result != ncclSuccess) return result;
    for (uint32_t i = 0; result == ncclSuccess && i < send_count; i++)
        if (is_left(&sends[i], others))
            result = n->library->Send(sends[i].data, sends[i].bytes, ncclUint8, sends[i].rank, n->ranks, stream);
    for (uint32_t i = 0; result == ncclSuccess && i < receive_count; i++)
        if (is_left(&receives[i], others))
            result = n->library->Recv(receives[i].data, receives[i].bytes, ncclUint8, receives[i].rank, n->ranks,
                                      stream);
    const ncclResult_t ended = n->library->GroupEnd();
    n->cuda->follows_others = true;
    return result == ncclSuccess ? ended : result;
}

/* Queues the messages: by mailboxes with ranks that have them and messages short enough, otherwise as one NCCL
 * operation. */
static mass_status exchange(mass_link *link, const mass_message *sends, uint32_t send_count,
                            const mass_message *receives, uint32_t receive_count, mass_error *error)
{
    mass_nccl *n = (mass_nccl *)link;
    const uint32_t others = mass_mailboxes_ranks(&n->mail, sends, send_count, receives, receive_count);
    bool left = false;
    for (uint32_t i = 0; i < send_count; i++) left |= is_left(&sends[i], others);
    for (uint32_t i = 0; i < receive_count; i++) left |= is_left(&receives[i], others);
    if (left) ASK(n, queue(n, others, sends, send_count, receives, receive_count));
    return others ? mass_mailboxes_exchange(&n->mail, n->cuda, others, sends, send_count, receives, receive_count,
                                            error)
                  : MASS_OK;
}

/* Queues the reduction in place, in device memory. The next launch does not overlap with it. Does nothing for 0
 * values. */
static mass_status all_reduce(mass_link *link, mass_reduction_operation operation, int64_t *values, size_t count,
                              mass_error *error)
{
    static const ncclRedOp_t operations[] = {
        [MASS_REDUCE_SUM] = ncclSum, [MASS_REDUCE_LEAST] = ncclMin, [MASS_REDUCE_MOST] = ncclMax};
    mass_nccl *n = (mass_nccl *)link;
    if (count == 0) return MASS_OK;
    n->cuda->follows_others = true;
    ASK(n, n->library->AllReduce(values, values, count, ncclInt64, operations[operation], n->ranks, n->cuda->stream));
    return MASS_OK;
}

/* Makes shared buffers. Leaves *out empty if there are no mailboxes: devices cannot reach each other then. */
static mass_status share(mass_link *link, mass_comm *comm, size_t bytes, mass_shared *out, mass_error *error)
{
    mass_nccl *n = (mass_nccl *)link;
    *out = (mass_shared){0};
    if (!n->mail.at) return MASS_OK;
    return mass_peers_share(&n->peers, n->cuda, comm, bytes, out, error);
}

/* Opens the mailboxes for short messages; if there are any, reports nccl+peers and sets short_path. Keeps the
 * communicator. */
static mass_status ready(mass_link *link, mass_comm *comm, mass_error *error)
{
    mass_nccl *n = (mass_nccl *)link;
    n->comm = comm;
    const mass_status status = mass_mailboxes_open(&n->mail, n->cuda, comm, error);
    if (status == MASS_OK && n->mail.at) n->link.by = "nccl+peers", n->link.short_path = MASS_POST_LETTER_MOST;
    return status;
}

/* Stops the watch, closes mailboxes, peers and NCCL, and frees the link. A failed link does not wait for other ranks.
 * */
static void close_link(mass_link *link)
{
    mass_nccl *n = (mass_nccl *)link;
    n->cuda->watch = NULL;
    mass_mailboxes_close(&n->mail, link->failed ? NULL : n->comm);
    mass_peers_close(&n->peers, link->failed ? NULL : n->comm);
    if (link->failed) end(n);
    else if (n->ranks) n->library->CommDestroy(n->ranks);
    free(n);
}

/* Connects this rank to its neighbours, and all ranks for reductions. NCCL connects two ranks at their first exchange,
 * which takes tenths of a second and belongs to the start of a run. */
static mass_status connect(mass_nccl *n, int32_t ranks, mass_error *error)
{
    enum { SENT, BEFORE, AFTER, REDUCED, WORDS };
    const int32_t before = (n->rank + ranks - 1) % ranks, after = (n->rank + 1) % ranks;
    int64_t *words;
    cudaError_t result = cudaMalloc((void **)&words, WORDS * sizeof *words);
    if (result == cudaSuccess) result = cudaMemsetAsync(words, 0, WORDS * sizeof *words, n->cuda->stream);
    if (result != cudaSuccess) return mass_cuda_failed(n->cuda, result, "a link of GPUs", error);
    const mass_message sends[] = {{before, &words[SENT], sizeof *words}, {after, &words[SENT], sizeof *words}};
    const mass_message receives[] = {{after, &words[AFTER], sizeof *words}, {before, &words[BEFORE], sizeof *words}};
    mass_status status = exchange(&n->link, sends, 2, receives, 2, error);
    if (status == MASS_OK) status = all_reduce(&n->link, MASS_REDUCE_SUM, &words[REDUCED], 1, error);
    if (status == MASS_OK) status = n->cuda->device.table->launch->synchronise(&n->cuda->device, error);
    cudaFree(words);
    return status;
}

/* Connects this rank by NCCL and lets the device watch the others while it waits. Closes the link on failure. */
static mass_status join(mass_device *device, const mass_comm *comm, const mass_link_key *key, double limit,
                        mass_link **out, mass_error *error)
{
    mass_nccl *n = calloc(1, sizeof *n);
    if (!n) return mass_error_memory(error, sizeof *n, "a link of GPUs");
    *n = (mass_nccl){.link = {.table = &mass_nccl_links}, .cuda = (mass_cuda *)device, .rank = comm->rank,
                     .limit = limit};
    snprintf(n->host, sizeof n->host, "%s", comm->host);
    ncclUniqueId id;
    memcpy(&id, key, sizeof id);
    mass_status status = mass_nccl_open_library(&n->library, error);
    if (status == MASS_OK) {
        const ncclResult_t result = n->library->CommInitRank(&n->ranks, comm->size, id, comm->rank);
        if (result != ncclSuccess) status = failed(n, result, error);
    }
    if (status == MASS_OK) {
        n->cuda->watch = watch;
        n->cuda->watcher = n;
        status = connect(n, comm->size, error);
    }
    if (status == MASS_OK) *out = &n->link;
    else close_link(&n->link);
    return status;
}

const mass_link_table mass_nccl_links = {
    .struct_size = sizeof mass_nccl_links,
    .name = "nccl",
    .describe = describe,
    .make_key = make_key,
    .join = join,
    .exchange = exchange,
    .all_reduce = all_reduce,
    .close = close_link,
    .ready = ready,
    .share = share,
};
