/* The clock of replayed launches. */
#include "cuda/kernels.h"

namespace {
__global__ void advance(uint64_t *counter, uint64_t amount) { *counter += amount; }
} // namespace

extern "C" cudaError_t mass_cuda_advance(cudaStream_t stream, uint64_t *counter, uint64_t amount)
{
    advance<<<1, 1, 0, stream>>>(counter, amount);
    return cudaGetLastError();
}
