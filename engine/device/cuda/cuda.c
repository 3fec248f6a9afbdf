/* SPDX-License-Identifier: Apache-2.0 */
/* The CUDA backend: a module that the engine loads when it is used. It includes the static CUDA runtime, which returns
 * an error if there is no driver. One GPU, one stream: work runs in the order in which it is given. */
#include "device/cuda/cuda.h"
#include "base/plural.h"
#include "cuda/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mass_status mass_cuda_failed(mass_cuda *cuda, cudaError_t result, const char *what, mass_error *error)
{
    cudaGetLastError();
    const mass_status status = result == cudaErrorMemoryAllocation ? MASS_NO_DEVICE : MASS_FAILED;
    return mass_error_set(error, status, "%s: %s: %s", cuda->name, what, cudaGetErrorString(result));
}

/* Waits for all work, and frees all that the device holds. It may be only partly open. */
static void close_cuda(mass_device *device)
{
    mass_cuda *cuda = (mass_cuda *)device;
    if (cuda->stream) cudaStreamSynchronize(cuda->stream);
    mass_cuda_close_input(cuda);
    mass_cuda_close_side(cuda);
    mass_cuda_close_remote(cuda);
    mass_cuda_close_queued(cuda);
    mass_cuda_close_pictures(cuda);
    mass_cuda_free_prepared(cuda);
    for (int i = 0; i < MASS_CUDA_MARKS; i++)
        if (cuda->marks[i]) cudaEventDestroy(cuda->marks[i]);
    cudaFree(cuda->scratch);
    cudaFree(cuda->hashes);
    cudaFree(cuda->stop);
    cudaFreeHost(cuda->seen);
    free(cuda->world_callbacks);
    if (cuda->library) cudaLibraryUnload(cuda->library);
    if (cuda->own_library) cudaLibraryUnload(cuda->own_library);
    if (cuda->stream) cudaStreamDestroy(cuda->stream);
    free(cuda);
}

/* Makes the GPU current, reads its properties, and creates its stream, its marks, and the memory for stops and
 * hashes. */
static mass_status start(mass_cuda *cuda, mass_error *error)
{
    TRY(cudaSetDevice(cuda->ordinal), "it cannot be used");
    TRY(cudaDeviceGetAttribute(&cuda->processors, cudaDevAttrMultiProcessorCount, cuda->ordinal), "it does not answer");
    int major, memory;
    TRY(cudaDeviceGetAttribute(&memory, cudaDevAttrMaxSharedMemoryPerBlockOptin, cuda->ordinal), "it does not answer");
    cuda->block_memory = (uint64_t)memory;
    TRY(cudaDeviceGetAttribute(&memory, cudaDevAttrMaxSharedMemoryPerMultiprocessor, cuda->ordinal),
        "it does not answer");
    cuda->processor_memory = (uint64_t)memory;
    TRY(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, cuda->ordinal), "it does not answer");
    cuda->overlaps = major >= 9 && mass_cuda_may_overlap(NULL);
    TRY(cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking), "no stream");
    TRY(cudaMalloc((void **)&cuda->stop, sizeof *cuda->stop), "it has no memory");
    TRY(cudaMemsetAsync(cuda->stop, 0, sizeof *cuda->stop, cuda->stream), "it does not answer");
    TRY(cudaMallocHost((void **)&cuda->seen, sizeof *cuda->seen), "there is no memory to reach it through");
    memset(cuda->seen, 0, sizeof *cuda->seen);
    for (int i = 0; i < MASS_CUDA_MARKS; i++)
        TRY(cudaEventCreateWithFlags(&cuda->marks[i], cudaEventDisableTiming), "no event");
    return mass_cuda_hash_memory(cuda, error);
}

/* Opens a GPU. A negative ordinal -1 - n takes GPU n modulo the number of GPUs. MASS_NO_DEVICE if there is none. */
static mass_status open_cuda(int ordinal, int threads, mass_device **out, mass_error *error)
{
    (void)threads;
    extern const mass_device_table mass_cuda_table;
    int count = 0;
    const cudaError_t result = cudaGetDeviceCount(&count);
    if (result != cudaSuccess || count == 0) {
        cudaGetLastError();
        return mass_error_set(error, MASS_NO_DEVICE, "there is no usable GPU: %s; use --device cpu",
                              result == cudaSuccess ? "none is installed" : cudaGetErrorString(result));
    }
    if (ordinal < 0) ordinal = (-1 - ordinal) % count;
    if (ordinal >= count)
        return mass_error_set(error, MASS_NO_DEVICE, "there is no cuda:%d: this machine has %d GPU%s, from cuda:0",
                              ordinal, count, mass_plural(count));
    mass_cuda *cuda = calloc(1, sizeof *cuda);
    if (!cuda) return mass_error_memory(error, sizeof *cuda, "the CUDA device");
    cuda->device.table = &mass_cuda_table;
    cuda->ordinal = ordinal;
    snprintf(cuda->name, sizeof cuda->name, "cuda:%d", ordinal);
    const mass_status status = start(cuda, error);
    if (status != MASS_OK) {
        close_cuda(&cuda->device);
        return status == MASS_FAILED ? (error->status = MASS_NO_DEVICE) : status;
    }
    *out = &cuda->device;
    return MASS_OK;
}

static const char *name_of_cuda(mass_device *device) { return ((mass_cuda *)device)->name; }

/* Copies the GPU's product name. Writes nothing if CUDA does not know it. */
static void kind_of_cuda(mass_device *device, char kind[MASS_DEVICE_KIND])
{
    struct cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, ((mass_cuda *)device)->ordinal) == cudaSuccess)
        snprintf(kind, MASS_DEVICE_KIND, "%.255s", properties.name);
}

const mass_device_table mass_cuda_table = {
    .struct_size = sizeof mass_cuda_table,
    .open = open_cuda,
    .close = close_cuda,
    .name = name_of_cuda,
    .kind = kind_of_cuda,
    .memory = &mass_cuda_memory,
    .launch = &mass_cuda_launches,
    .conditions = &mass_cuda_conditions,
    .keys = &mass_cuda_keys,
    .agents = &mass_cuda_agents,
    .record = &mass_cuda_record,
    .small_worlds = &mass_cuda_block_worlds,
    .streams = &mass_cuda_streams,
    .side = &mass_cuda_side,
    .pictures = &mass_cuda_pictures,
#ifdef MASS_HAS_NCCL
    .links = &mass_nccl_links,
#endif
};

__attribute__((visibility("default"))) const mass_device_table *mass_backend = &mass_cuda_table;
