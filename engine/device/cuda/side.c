/* SPDX-License-Identifier: Apache-2.0 */
/* Work in parallel to other work on a GPU. A CUDA stream of the highest priority replaces the device's own from enter
 * to leave. */
#include "device/cuda/cuda.h"

/* Creates the side stream, with the highest priority, and its events, unless they exist. */
static mass_status open_side(mass_cuda *cuda, mass_error *error)
{
    int least, most;
    if (cuda->side) return MASS_OK;
    TRY(cudaEventCreateWithFlags(&cuda->entered, cudaEventDisableTiming), "no event");
    TRY(cudaEventCreateWithFlags(&cuda->left, cudaEventDisableTiming), "no event");
    TRY(cudaDeviceGetStreamPriorityRange(&least, &most), "no stream");
    TRY(cudaStreamCreateWithPriority(&cuda->side, cudaStreamNonBlocking, most), "no stream");
    return MASS_OK;
}

void mass_cuda_close_side(mass_cuda *cuda)
{
    if (cuda->side) cudaStreamSynchronize(cuda->side);
    if (cuda->entered) cudaEventDestroy(cuda->entered);
    if (cuda->left) cudaEventDestroy(cuda->left);
    if (cuda->side) cudaStreamDestroy(cuda->side);
}

/* Exchanges the device's stream and its side stream. */
static void change(mass_cuda *cuda)
{
    const cudaStream_t other = cuda->side;
    cuda->side = cuda->stream;
    cuda->stream = other;
}

/* Makes the side stream current; it begins behind the work that is queued so far. */
static mass_status enter(mass_device *device, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const mass_status status = open_side(cuda, error);
    if (status != MASS_OK) return status;
    TRY(cudaEventRecord(cuda->entered, cuda->stream), "work cannot be queued");
    TRY(cudaStreamWaitEvent(cuda->side, cuda->entered, 0), "work cannot be queued");
    change(cuda);
    cuda->follows_others = true;
    return MASS_OK;
}

/* Makes the device's own stream current again, without waiting for the side. */
static mass_status leave(mass_device *device, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(cudaEventRecord(cuda->left, cuda->stream), "work cannot be queued");
    change(cuda);
    cuda->follows_others = true; /* also on the device's own stream */
    return MASS_OK;
}

/* Lets work that is queued from now on wait for the side's work. */
static mass_status join(mass_device *device, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(cudaStreamWaitEvent(cuda->stream, cuda->left, 0), "work cannot be queued");
    cuda->follows_others = true;
    return MASS_OK;
}

const mass_side_operations mass_cuda_side = {
    .struct_size = sizeof mass_cuda_side,
    .worthwhile = 1 << 23, /* takes 8 us on an H100; an exchange takes 11, and running in parallel costs 4 */
    .enter = enter,
    .leave = leave,
    .join = join,
};
