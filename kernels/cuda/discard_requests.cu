/* SPDX-License-Identifier: Apache-2.0 */
/* Discards requests that no manage has applied, or will. */
#include "cuda/kernels.h"

#include <mass/impl/launch.h>

namespace {

constexpr int THREADS = 256, BLOCKS = 132 * 16;

/* Clears all requests, unless queued work has stopped. Sets *w.ignored if a present agent had one. */
__global__ void drop(const mass_discard_work w, const mass_stop *stop)
{
    if (stop && stop->stopped) return;
    const uint32_t count = *w.count;
    bool asked = false;
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < w.room; i += gridDim.x * blockDim.x) {
        const bool moves = w.move[i] != MASS_CELL_STAY, asks = w.asked[i] != 0;
        if (moves) w.move[i] = MASS_CELL_STAY;
        if (asks) w.asked[i] = 0;
        asked |= i < count && (moves || asks);
    }
    if (asked && !*w.ignored) *w.ignored = 1;
}

} // namespace

extern "C" cudaError_t mass_cuda_discard_requests(cudaStream_t stream, const mass_discard_work *w,
                                                  const mass_stop *stop)
{
    if (w->room == 0) return cudaSuccess;
    const uint32_t blocks = w->room / THREADS + 1;
    drop<<<blocks < BLOCKS ? blocks : BLOCKS, THREADS, 0, stream>>>(*w, stop);
    return cudaGetLastError();
}
