/* SPDX-License-Identifier: Apache-2.0 */
/* Advances the clock of replayed launches, unless they have stopped. */
#include "cuda/kernels.h"

namespace {
/* Adds to a counter in queued work, unless that has stopped. One thread. */
__global__ void advance(uint64_t *counter, uint64_t amount, const mass_stop *stop)
{
    if (!stop || !stop->stopped) *counter += amount;
}
} // namespace

extern "C" cudaError_t mass_cuda_advance(cudaStream_t stream, uint64_t *counter, uint64_t amount,
                                         const mass_stop *stop)
{
    advance<<<1, 1, 0, stream>>>(counter, amount, stop);
    return cudaGetLastError();
}
