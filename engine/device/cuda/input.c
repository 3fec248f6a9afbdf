/* SPDX-License-Identifier: Apache-2.0 */
/* Input on a GPU: a CUDA stream of its own copies chunks while callbacks work on the chunk before. */
#include "device/cuda/cuda.h"

enum { SLOTS = 2 };

/* Creates the stream and events for input, unless they exist. */
static mass_status open_input(mass_cuda *cuda, mass_error *error)
{
    if (cuda->input) return MASS_OK;
    TRY(cudaStreamCreateWithFlags(&cuda->input, cudaStreamNonBlocking), "no stream for input");
    for (int s = 0; s < SLOTS; s++) {
        TRY(cudaEventCreateWithFlags(&cuda->copied[s], cudaEventDisableTiming), "no event for input");
        TRY(cudaEventCreateWithFlags(&cuda->consumed[s], cudaEventDisableTiming), "no event for input");
    }
    return MASS_OK;
}

void mass_cuda_close_input(mass_cuda *cuda)
{
    if (!cuda->input) return;
    cudaStreamSynchronize(cuda->input);
    for (int s = 0; s < SLOTS; s++) {
        if (cuda->copied[s]) cudaEventDestroy(cuda->copied[s]);
        if (cuda->consumed[s]) cudaEventDestroy(cuda->consumed[s]);
    }
    cudaStreamDestroy(cuda->input);
}

/* Allocates pinned host memory for input; opens the input stream if needed. */
static mass_status stage(mass_device *device, size_t bytes, void **out, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const mass_status status = open_input(cuda, error);
    if (status != MASS_OK) return status;
    void *memory;
    TRY(cudaMallocHost(&memory, bytes ? bytes : 1), "there is no memory to read input to");
    *out = memory;
    return MASS_OK;
}

/* Frees staged memory, once the input stream is done with it. */
static void unstage(mass_device *device, void *memory)
{
    mass_cuda *cuda = (mass_cuda *)device;
    if (cuda->input) cudaStreamSynchronize(cuda->input);
    cudaFreeHost(memory);
}

/* Queues a copy to the device, behind the last use of the slot. Queued work after it waits for the copy. A call
 * of stage has opened the input stream. */
static mass_status send(mass_device *device, int slot, void *to, const void *staged, size_t bytes, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(cudaStreamWaitEvent(cuda->input, cuda->consumed[slot], 0), "input cannot be sent");
    TRY(cudaMemcpyAsync(to, staged, bytes, cudaMemcpyHostToDevice, cuda->input), "input cannot be sent");
    TRY(cudaEventRecord(cuda->copied[slot], cuda->input), "input cannot be sent");
    TRY(cudaStreamWaitEvent(cuda->stream, cuda->copied[slot], 0), "input cannot be sent");
    return MASS_OK;
}

/* Waits until the copy of a slot is done, so that its staged memory may change. */
static mass_status sent(mass_device *device, int slot, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(cudaEventSynchronize(cuda->copied[slot]), "input did not arrive");
    return MASS_OK;
}

/* Marks the queued work so far as the last use of a slot. */
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
