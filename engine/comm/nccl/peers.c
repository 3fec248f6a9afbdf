/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/nccl/peers.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether a call succeeded. Clears CUDA's error if not, so that later calls do not return it. */
static bool forget(cudaError_t result)
{
    if (result != cudaSuccess) cudaGetLastError();
    return result == cudaSuccess;
}

/* Sets *able, which says whether this rank is able, to whether all are. When it returns, all ranks have called it and
 * the queued work of their GPUs is complete. A GPU that fails makes its rank unable and reports its error at its next
 * call, so that the other ranks do not wait for it here. */
static mass_status agree(mass_cuda *cuda, mass_comm *comm, bool *able, mass_error *error)
{
    mass_error ignored = {0};
    int64_t all = mass_cuda_wait(cuda, NULL, &ignored) == MASS_OK && *able;
    const mass_status status = comm->table->all_reduce(comm, MASS_REDUCE_LEAST, &all, 1, error);
    *able = status == MASS_OK && all != 0;
    return status;
}

/* Unmaps the other ranks' buffers from this rank. Keeps its own. */
static void unmap(mass_peers *p, int32_t ranks)
{
    for (int32_t r = 0; p->at && r < ranks; r++) {
        if (p->at[r] && p->at[r] != p->own) forget(cudaIpcCloseMemHandle(p->at[r]));
        p->at[r] = NULL;
    }
}

/* Frees this rank's buffer after all ranks have unmapped it. All ranks call it, and it waits for the device. */
static mass_status release(mass_peers *p, mass_cuda *cuda, mass_comm *comm, mass_error *error)
{
    bool able = true;
    unmap(p, comm->size);
    const mass_status status = agree(cuda, comm, &able, error);
    if (status == MASS_OK) forget(cudaFree(p->own));
    p->own = NULL;
    p->bytes = 0;
    return status;
}

/* Allocates this rank's buffer, and makes its handle for the other ranks. Returns false on failure. */
static bool make(mass_peers *p, const mass_comm *comm, size_t bytes, cudaIpcMemHandle_t *own)
{
    if (!p->at) p->at = calloc((size_t)comm->size, sizeof *p->at);
    if (!p->ended && forget(cudaHostAlloc((void **)&p->ended, sizeof *p->ended, cudaHostAllocMapped))) *p->ended = 0;
    return p->at && p->ended && forget(cudaMalloc((void **)&p->own, bytes)) &&
           forget(cudaIpcGetMemHandle(own, p->own));
}

/* Queues zeros for this rank's buffer. Returns false on failure. */
static bool clear(const mass_peers *p, const mass_cuda *cuda)
{
    return forget(cudaMemsetAsync(p->own, 0, p->bytes, cuda->stream));
}

/* Maps the other ranks' buffers, and queues a write of one byte to each and to its own. Returns false on failure. */
static bool map(mass_peers *p, const mass_cuda *cuda, const mass_comm *comm, const cudaIpcMemHandle_t *handles)
{
    bool able = true;
    for (int32_t r = 0; able && r < comm->size; r++) {
        void *at = p->own;
        if (r != comm->rank) able = forget(cudaIpcOpenMemHandle(&at, handles[r], cudaIpcMemLazyEnablePeerAccess));
        if (!able) break;
        p->at[r] = at;
        able = forget(cudaMemsetAsync(p->at[r] + comm->rank, comm->rank + 1, 1, cuda->stream));
    }
    return able;
}

/* Returns whether the bytes of all ranks have arrived in this rank's buffer. Waits for the stream. */
static bool is_reached(const mass_peers *p, const mass_cuda *cuda, const mass_comm *comm)
{
    unsigned char *const bytes = malloc((size_t)comm->size);
    const size_t size = (size_t)comm->size;
    bool all = bytes && forget(cudaMemcpyAsync(bytes, p->own, size, cudaMemcpyDeviceToHost, cuda->stream)) &&
               forget(cudaStreamSynchronize(cuda->stream));
    for (int32_t r = 0; all && r < comm->size; r++) all = bytes[r] == r + 1;
    free(bytes);
    return all;
}

/* Makes buffers of `bytes` on all ranks, where there are none yet, and tests that all reach all. *able is the same on
 * all. */
static mass_status make_all(mass_peers *p, mass_cuda *cuda, mass_comm *comm, size_t bytes, bool *able,
                            mass_error *error)
{
    cudaIpcMemHandle_t own, *const handles = calloc((size_t)comm->size, sizeof *handles);
    bytes = bytes > (size_t)comm->size ? bytes : (size_t)comm->size;
    *able = handles && make(p, comm, bytes, &own);
    p->bytes = *able ? bytes : 0;
    if (*able) *able = clear(p, cuda);
    mass_status status = agree(cuda, comm, able, error);
    if (status == MASS_OK && *able) {
        status = comm->table->all_gather(comm, &own, sizeof own, handles, error);
        *able = status == MASS_OK && map(p, cuda, comm, handles);
        if (status == MASS_OK) status = agree(cuda, comm, able, error);
    }
    free(handles);
    if (status != MASS_OK || !*able) return status;
    *able = is_reached(p, cuda, comm);
    return agree(cuda, comm, able, error);
}

/* Returns whether the user has disabled peer access for NCCL, as on machines where it fails. */
static bool is_forbidden(void)
{
    const char *const said = getenv("NCCL_P2P_DISABLE");
    return said && atoi(said) != 0;
}

mass_status mass_peers_share(mass_peers *p, mass_cuda *cuda, mass_comm *comm, size_t bytes, mass_shared *out,
                             mass_error *error)
{
    *out = (mass_shared){0};
    if (p->refused) return MASS_OK;
    int64_t most[] = {(int64_t)bytes, comm->local_size != comm->size || is_forbidden()};
    mass_status status = comm->table->all_reduce(comm, MASS_REDUCE_MOST, most, 2, error);
    bool able = most[1] == 0;
    if (status == MASS_OK && able && (size_t)most[0] > p->bytes) {
        if (p->own) status = release(p, cuda, comm, error);
        if (status == MASS_OK) status = make_all(p, cuda, comm, (size_t)most[0], &able, error);
    }
    if (status == MASS_OK && able) status = agree(cuda, comm, &able, error); /* no rank writes to it any more */
    if (status == MASS_OK && able) able = clear(p, cuda);
    if (status == MASS_OK) status = agree(cuda, comm, &able, error);
    if (status != MASS_OK) return status;
    p->refused = !able;
    if (able) *out = (mass_shared){p->at, p->ended};
    return able ? MASS_OK : release(p, cuda, comm, error);
}

void mass_peers_end(mass_peers *p)
{
    if (p->ended) *(volatile uint32_t *)p->ended = 1;
}

void mass_peers_close(mass_peers *p, mass_comm *comm)
{
    mass_error ignored = {0};
    if (!comm) return;
    unmap(p, comm->size);
    if (p->own && comm->table->barrier(comm, &ignored) == MASS_OK) forget(cudaFree(p->own));
    forget(cudaFreeHost(p->ended));
    free(p->at);
}
