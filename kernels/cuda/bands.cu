/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the agents on the places next to the boundary (halo/counts.h). */
#include "cuda/kernels.h"

namespace {

constexpr int THREADS = 256;

/* Counts the agents on each of a world's first `low` cells and on the last ones, `count` cells in all; world by
 * world. */
__global__ void count_bands(const uint32_t *start, const mass_seats *occupancy, int64_t places, int64_t worlds,
                            int64_t low, int64_t count, uint32_t *counts)
{
    const int64_t all = worlds * count;
    for (int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x; i < all; i += gridDim.x * (int64_t)THREADS) {
        const int64_t world = i / count, at = i - world * count;
        const int64_t cell = world * places + (at < low ? at : places - count + at);
        counts[i] = occupancy ? occupancy[cell / 32].held >> cell % 32 & 1 : start[cell + 1] - start[cell];
    }
}

} // namespace

extern "C" cudaError_t mass_cuda_count_bands(cudaStream_t stream, const uint32_t *start, const mass_seats *occupancy,
                                             int64_t places, int32_t worlds, int64_t low, int64_t count,
                                             uint32_t *counts)
{
    constexpr int64_t MOST = 4096;
    const int64_t all = worlds * count, needed = (all + THREADS - 1) / THREADS;
    const unsigned blocks = (unsigned)(needed < MOST ? needed : MOST);
    if (all == 0) return cudaSuccess;
    count_bands<<<blocks, THREADS, 0, stream>>>(start, occupancy, places, worlds, low, count, counts);
    return cudaGetLastError();
}
