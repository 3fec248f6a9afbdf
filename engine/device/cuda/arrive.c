/* SPDX-License-Identifier: Apache-2.0 */
/* Input that arrives on a stream of its own, while the device works on what came before. */
#include "device/cuda/cuda.h"

enum { SLOTS = 2 };

static mass_status begin_arrivals(mass_cuda *cuda, mass_error *error)
{
    if (cuda->arrivals) return MASS_OK;
    TRY(cudaStreamCreateWithFlags(&cuda->arrivals, cudaStreamNonBlocking), "no stream for input");
    for (int s = 0; s < SLOTS; s++) {
        TRY(cudaEventCreateWithFlags(&cuda->arrived[s], cudaEventDisableTiming), "no event for input");
        TRY(cudaEventCreateWithFlags(&cuda->consumed[s], cudaEventDisableTiming), "no event for input");
    }
    return MASS_OK;
}

void mass_cuda_end_arrivals(mass_cuda *cuda)
{
    if (!cuda->arrivals) return;
    cudaStreamSynchronize(cuda->arrivals);
    for (int s = 0; s < SLOTS; s++) {
        if (cuda->arrived[s]) cudaEventDestroy(cuda->arrived[s]);
        if (cuda->consumed[s]) cudaEventDestroy(cuda->consumed[s]);
    }
    cudaStreamDestroy(cuda->arrivals);
}

static mass_status stage(mass_device *device, size_t bytes, void **out, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const mass_status status = begin_arrivals(cuda, error);
    if (status != MASS_OK) return status;
    TRY(cudaMallocHost(out, bytes ? bytes : 1), "there is no memory to read input to");
    return MASS_OK;
}

static void unstage(mass_device *device, void *memory)
{
    mass_cuda *cuda = (mass_cuda *)device;
    if (cuda->arrivals) cudaStreamSynchronize(cuda->arrivals);
    cudaFreeHost(memory);
}

static mass_status send(mass_device *device, int slot, void *to, const void *staged, size_t bytes, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(cudaStreamWaitEvent(cuda->arrivals, cuda->consumed[slot], 0), "input cannot be sent");
    TRY(cudaMemcpyAsync(to, staged, bytes, cudaMemcpyHostToDevice, cuda->arrivals), "input cannot be sent");
    TRY(cudaEventRecord(cuda->arrived[slot], cuda->arrivals), "input cannot be sent");
    TRY(cudaStreamWaitEvent(cuda->stream, cuda->arrived[slot], 0), "input cannot be sent");
    return MASS_OK;
}

static mass_status sent(mass_device *device, int slot, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(cudaEventSynchronize(cuda->arrived[slot]), "input did not arrive");
    return MASS_OK;
}

static mass_status consumed(mass_device *device, int slot, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(cudaEventRecord(cuda->consumed[slot], cuda->stream), "a callback failed");
    return MASS_OK;
}

const mass_stream_operations mass_cuda_streams = {
    .struct_size = sizeof mass_cuda_streams,
    .stage = stage,
    .unstage = unstage,
    .send = send,
    .sent = sent,
    .consumed = consumed,
};
