/* SPDX-License-Identifier: Apache-2.0 */
/* Stops before a step that could need more memory than there is. */
#include "cuda/kernels.h"

namespace {
constexpr int THREADS = 128;

/* Closes all worlds and stops the launches that follow, if there are more agents than the limit. Does nothing if they
 * have stopped. */
__global__ void guard(const mass_memory_guard_work w, mass_stop *stop)
{
    const bool stops = !stop->stopped && *w.count > *w.limit;
    __syncthreads();
    if (!stops) return;
    for (int world = threadIdx.x; world < w.worlds; world += THREADS) w.closed[world] = 1;
    if (threadIdx.x == 0) *stop = {1, MASS_BEFORE_STEP, w.clock ? w.step + *w.clock : w.step, *w.count};
}
} // namespace

extern "C" cudaError_t mass_cuda_memory_guard(cudaStream_t stream, const mass_memory_guard_work *w, mass_stop *stop)
{
    guard<<<1, THREADS, 0, stream>>>(*w, stop);
    return cudaGetLastError();
}
