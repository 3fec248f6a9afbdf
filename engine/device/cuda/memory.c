/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of a GPU: allocation, copies to and from the host, and kernels over whole arrays. These are the functions of
 * mass_memory_operations (device/memory.h), under their names there. Kernels are queued; copies to and from the host
 * wait. */
#include "device/cuda/cuda.h"
#include "cuda/kernels.h"

/* Sets *bytes to the free memory of the GPU. */
static mass_status available(mass_device *device, size_t *bytes, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    size_t total;
    TRY(cudaMemGetInfo(bytes, &total), "its memory is unknown");
    return MASS_OK;
}

/* Allocates device memory, at least one byte. MASS_NO_DEVICE if there is not enough. */
static mass_status allocate(mass_device *device, size_t bytes, void **out, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    void *memory = NULL;
    if (cudaMalloc(&memory, bytes ? bytes : 1) != cudaSuccess) {
        cudaGetLastError();
        char size[32];
        return mass_error_set(error, MASS_NO_DEVICE, "%s has no %s free: use a smaller space", cuda->name,
                              mass_format_bytes(size, (double)bytes));
    }
    *out = memory;
    return MASS_OK;
}

/* Frees memory. NULL is allowed. Errors are not reported. */
static void release(mass_device *device, void *memory)
{
    (void)device;
    if (memory) cudaFree(memory);
}

/* Copies between host and device after queued work, and waits until the copy is complete. With a watch, waits for
 * the queued work first. */
static mass_status move(mass_cuda *cuda, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                        mass_error *error)
{
    const mass_status status = mass_cuda_wait_watched(cuda, error);
    if (status != MASS_OK) return status;
    TRY(cudaMemcpyAsync(to, from, bytes, kind, cuda->stream), "a copy failed");
    return mass_cuda_synchronise(&cuda->device, error);
}

/* Copies from the host to the device, after queued work. Waits. */
static mass_status upload(mass_device *device, void *to, const void *host, size_t bytes, mass_error *error)
{
    return move((mass_cuda *)device, to, host, bytes, cudaMemcpyHostToDevice, error);
}

/* Copies from the device to the host, after queued work. Waits. */
static mass_status download(mass_device *device, void *host, const void *from, size_t bytes, mass_error *error)
{
    return move((mass_cuda *)device, host, from, bytes, cudaMemcpyDeviceToHost, error);
}

/* Copies the rows of a box between host and device, plane by plane, and waits until the copies are complete. */
static mass_status move_box(mass_cuda *cuda, const mass_strided *c, enum cudaMemcpyKind kind, mass_error *error)
{
    const mass_status status = mass_cuda_wait_watched(cuda, error);
    if (status != MASS_OK) return status;
    for (int64_t k = 0; k < c->count[1]; k++) {
        char *to = (char *)c->to + k * c->to_stride[1];
        const char *from = (const char *)c->from + k * c->from_stride[1];
        if (c->count[0] == 1) TRY(cudaMemcpyAsync(to, from, c->bytes, kind, cuda->stream), "a copy failed");
        else
            TRY(cudaMemcpy2DAsync(to, (size_t)c->to_stride[0], from, (size_t)c->from_stride[0], c->bytes,
                                  (size_t)c->count[0], kind, cuda->stream), "a copy failed");
    }
    return mass_cuda_synchronise(&cuda->device, error);
}

/* Copies a box from the host to the device, after queued work. Waits. */
static mass_status upload_box(mass_device *device, const mass_strided *copy, mass_error *error)
{
    return move_box((mass_cuda *)device, copy, cudaMemcpyHostToDevice, error);
}

/* Copies a box from the device to the host, after queued work. Waits. */
static mass_status download_box(mass_device *device, const mass_strided *copy, mass_error *error)
{
    return move_box((mass_cuda *)device, copy, cudaMemcpyDeviceToHost, error);
}

/* Queues the fill of an array. fill.cu tells for which elements it can be recorded and heeds a stop. */
static mass_status fill(mass_device *device, void *to, const void *element, size_t size, size_t count,
                        mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const bool overlaps = cuda->overlaps && !cuda->follows_others;
    TRY(mass_cuda_fill(cuda->stream, to, element, size, count, mass_cuda_stop(cuda), overlaps),
        "an array cannot be filled");
    return MASS_OK;
}

/* Queues a copy of a box within the device's memory. */
static mass_status copy(mass_device *device, const mass_strided *strided, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_copy(cuda->stream, strided), "ghosts cannot be copied");
    return MASS_OK;
}

/* Queues copies of runs of bits. */
static mass_status copy_bits(mass_device *device, const mass_bit_runs *runs, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_copy_bits(cuda->stream, runs), "ghosts of bits cannot be copied");
    return MASS_OK;
}

/* Queues the combination of a box with another; without effect if queued work has stopped by then. */
static mass_status combine(mass_device *device, const mass_strided *box, const mass_combination *how,
                           mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_combine(cuda->stream, box, how, mass_cuda_stop(cuda)), "ghosts cannot be combined with places");
    return MASS_OK;
}

/* Queues to[i] = from[index[i]]; without effect if queued work has stopped by then. */
static mass_status gather(mass_device *device, const mass_indexed *g, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_gather(cuda->stream, g, mass_cuda_stop(cuda)), "elements of a list cannot be gathered");
    return MASS_OK;
}

/* Queues to[index[i]] = from[i], combined if `how` is not NULL; without effect if queued work has stopped by then. */
static mass_status scatter(mass_device *device, const mass_indexed *s, const mass_combination *how, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_scatter(cuda->stream, s, how, mass_cuda_stop(cuda)), "elements of a list cannot be written");
    return MASS_OK;
}

/* Times the driver's own copy, of `bytes` bytes, and waits. Sets *rate to the bytes read and written a second. */
static mass_status time_copy(mass_cuda *cuda, void *to, const void *from, size_t bytes, cudaEvent_t began,
                             cudaEvent_t ended, double *rate, mass_error *error)
{
    enum { COPIES = 8 };
    float milliseconds;
    for (int warm = 0; warm < 2; warm++) {
        TRY(cudaEventRecord(began, cuda->stream), "a copy cannot be timed");
        for (int i = 0; i < COPIES; i++)
            TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, cuda->stream), "a copy failed");
        TRY(cudaEventRecord(ended, cuda->stream), "a copy cannot be timed");
        TRY(cudaEventSynchronize(ended), "a copy failed");
    }
    TRY(cudaEventElapsedTime(&milliseconds, began, ended), "a copy cannot be timed");
    *rate = 2.0 * (double)bytes * COPIES / (1e-3 * milliseconds);
    return MASS_OK;
}

/* Measures a copy within device memory, of an eighth of what is free and at most 1 GiB, in bytes read and written a
 * second. */
static mass_status copy_rate(mass_device *device, double *rate, mass_error *error)
{
    static const size_t most = (size_t)1 << 30; /* more than caches hold */
    mass_cuda *cuda = (mass_cuda *)device;
    size_t room;
    void *to = NULL, *from = NULL;
    cudaEvent_t began = NULL, ended = NULL;
    mass_status status = available(device, &room, error);
    const size_t bytes = room / 8 < most ? room / 8 : most;
    if (status == MASS_OK) status = allocate(device, bytes, &to, error);
    if (status == MASS_OK) status = allocate(device, bytes, &from, error);
    if (status == MASS_OK && (cudaEventCreate(&began) != cudaSuccess || cudaEventCreate(&ended) != cudaSuccess))
        status = mass_error_set(error, MASS_FAILED, "%s: a copy cannot be timed", cuda->name);
    if (status == MASS_OK) status = time_copy(cuda, to, from, bytes, began, ended, rate, error);
    if (began) cudaEventDestroy(began);
    if (ended) cudaEventDestroy(ended);
    release(device, to);
    release(device, from);
    return status;
}

/* Writes the GPU's UUID, or nothing if it does not answer. */
static void identify(mass_device *device, uint8_t id[16])
{
    struct cudaDeviceProp properties;
    const int ordinal = ((mass_cuda *)device)->ordinal;
    if (cudaGetDeviceProperties(&properties, ordinal) != cudaSuccess) return; /* the caller learns of it when it
                                                                                 allocates */
    memcpy(id, properties.uuid.bytes, 16);
}

const mass_memory_operations mass_cuda_memory = {
    .struct_size = sizeof mass_cuda_memory,
    .available = available,
    .allocate = allocate,
    .release = release,
    .upload = upload,
    .download = download,
    .upload_box = upload_box,
    .download_box = download_box,
    .fill = fill,
    .copy = copy,
    .copy_bits = copy_bits,
    .combine = combine,
    .gather = gather,
    .scatter = scatter,
    .copy_rate = copy_rate,
    .hash_blocks = mass_cuda_hash,
    .identify = identify,
};
