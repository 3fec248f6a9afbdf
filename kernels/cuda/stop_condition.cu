/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates a stop condition with one block, whose threads share the worlds. */
#include "cuda/kernels.h"

namespace {
constexpr int THREADS = 128;

/* Sets *held to the step after which the condition first holds in all worlds, if there is one. If so, closes all
 * worlds and stops the launches that follow. */
__global__ void look(const mass_until_work w, mass_stop *stop)
{
    if (*w.held != UINT64_MAX || (stop && stop->stopped)) return;
    uint64_t step = w.step + (w.clock ? *w.clock : 0);
    int holds = 0;
    for (int later = 0; later < w.rows && !holds; later++) {
        holds = 1;
        for (int world = (int)threadIdx.x; world < w.worlds; world += (int)blockDim.x)
            holds &= mass_until_holds(&w, world, step, later);
        holds = __syncthreads_and(holds);
        if (holds) step += later;
    }
    if (!holds) return;
    for (int world = (int)threadIdx.x; stop && world < w.worlds; world += (int)blockDim.x) w.closed[world] = 1;
    if (threadIdx.x > 0) return;
    *w.held = step;
    if (stop) *stop = {1, MASS_HELD, step + 1, 0};
}
} // namespace

extern "C" cudaError_t mass_cuda_look(cudaStream_t stream, const mass_until_work *w, mass_stop *stop)
{
    look<<<1, w->worlds < THREADS ? w->worlds : THREADS, 0, stream>>>(*w, stop);
    return cudaGetLastError();
}
