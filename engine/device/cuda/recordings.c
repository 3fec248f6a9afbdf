/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings on a GPU: CUDA graphs, and stops, which the device sets and the host reads. */
#include "device/cuda/cuda.h"
#include "cuda/kernels.h"

#include <stdlib.h>
#include <string.h>

struct mass_recording {
    cudaGraphExec_t graph;
};

/* Begins a recording of all work that is queued on cuda->stream from now on. It is recorded, and not done. */
static mass_status record(mass_device *device, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(cudaStreamBeginCapture(cuda->stream, cudaStreamCaptureModeThreadLocal), "steps cannot be recorded");
    cuda->recording = true;
    cuda->may_stop = false;
    return MASS_OK;
}

/* Ends a recording, with the work that advances the clock and shows the host a stop. */
static mass_status recorded(mass_device *device, uint64_t *clock, uint64_t steps, mass_recording **out,
                            mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    cudaGraph_t graph = NULL;
    TRY(mass_cuda_advance(cuda->stream, clock, steps, cuda->stop), "steps cannot be recorded");
    if (cuda->may_stop)
        TRY(cudaMemcpyAsync(cuda->seen, cuda->stop, sizeof *cuda->seen, cudaMemcpyDeviceToHost, cuda->stream),
            "steps cannot be recorded");
    cuda->recording = false;
    TRY(cudaStreamEndCapture(cuda->stream, &graph), "steps cannot be recorded");
    /* Work in parallel to other work has priority in replays too. */
    const unsigned flags = cuda->side ? cudaGraphInstantiateFlagUseNodePriority : 0;
    mass_recording *r = calloc(1, sizeof *r);
    const cudaError_t result = r ? cudaGraphInstantiate(&r->graph, graph, flags) : cudaSuccess;
    cudaGraphDestroy(graph);
    if (r && result == cudaSuccess) {
        *out = r;
        return MASS_OK;
    }
    free(r);
    return r ? mass_cuda_failed(cuda, result, "steps cannot be recorded", error)
             : mass_error_memory(error, sizeof *r, "a recording");
}

/* Queues a recording, and marks the stream behind it for keep_up. */
static mass_status replay(mass_device *device, mass_recording *r, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(cudaGraphLaunch(r->graph, cuda->stream), "steps cannot be replayed");
    TRY(cudaEventRecord(cuda->marks[cuda->replays++ % MASS_CUDA_MARKS], cuda->stream), "steps cannot be replayed");
    return MASS_OK;
}

/* Waits until at most `ahead` replays are not done; does not wait if `ahead` is MASS_CUDA_MARKS or more. */
static mass_status keep_up(mass_device *device, int ahead, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    if (ahead >= MASS_CUDA_MARKS || cuda->replays <= (uint64_t)ahead) return MASS_OK;
    const uint64_t last = cuda->replays - 1 - (uint64_t)ahead;
    return mass_cuda_wait(cuda, cuda->marks[last % MASS_CUDA_MARKS], error);
}

/* Waits for all queued work, and frees a recording. */
static void discard(mass_device *device, mass_recording *r)
{
    cudaStreamSynchronize(((mass_cuda *)device)->stream);
    cudaGraphExecDestroy(r->graph);
    free(r);
}

/* Queues the test for too many agents, which stops the queued work. */
static mass_status guard(mass_device *device, const mass_memory_guard_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    cuda->may_stop = true;
    TRY(mass_cuda_memory_guard(cuda->stream, work, cuda->stop), "agents cannot be counted");
    return MASS_OK;
}

/* Reports a stop before step `before`, and clears it. Waits for all queued work if `wait`, or if the host sees a
 * stop. */
static mass_status take_stop(mass_device *device, bool wait, uint64_t before, mass_stop *stop, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    *stop = (mass_stop){0};
    if (!wait && !((volatile mass_stop *)cuda->seen)->stopped) return MASS_OK;
    const mass_status status = mass_cuda_wait(cuda, NULL, error);
    if (status != MASS_OK) return status;
    if (cuda->seen->stopped && cuda->seen->step >= before) return MASS_OK;
    *stop = *cuda->seen;
    if (stop->stopped) TRY(cudaMemsetAsync(cuda->stop, 0, sizeof *stop, cuda->stream), "it does not answer");
    memset(cuda->seen, 0, sizeof *cuda->seen);
    return MASS_OK;
}

const mass_record_operations mass_cuda_record = {
    .struct_size = sizeof mass_cuda_record,
    .begin = record,
    .end = recorded,
    .replay = replay,
    .discard = discard,
    .keep_up = keep_up,
    .guard = guard,
    .take_stop = take_stop,
};
