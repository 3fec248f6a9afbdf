/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes of blocks, one thread a block. Reading memory takes longer than the arithmetic. */
#include "cuda/kernels.h"

namespace {

constexpr int THREADS = 64; /* few, so that even some thousand blocks use all processors */

/* Writes the hashes of `count` blocks from block `first` on. A thread hashes one block. */
__global__ void hash_blocks(const __grid_constant__ mass_blocks b, int64_t first, int64_t count, uint64_t *hashes)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count) hashes[i] = mass_block_hash(&b, first + i);
}

/* Counts the values out of range in each block. It is a kernel of its own, so that hashing needs fewer registers. */
__global__ void count_outside(const __grid_constant__ mass_blocks b, int64_t first, int64_t count, uint64_t *counts)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count) counts[i] = mass_block_outside(&b, first + i);
}

} // namespace

extern "C" cudaError_t mass_cuda_hash_blocks(cudaStream_t stream, const mass_blocks *b, int64_t first, int64_t count,
                                             uint64_t *hashes)
{
    if (count == 0) return cudaSuccess;
    const unsigned blocks = (unsigned)((count + THREADS - 1) / THREADS);
    if (b->values) count_outside<<<blocks, THREADS, 0, stream>>>(*b, first, count, hashes);
    else hash_blocks<<<blocks, THREADS, 0, stream>>>(*b, first, count, hashes);
    return cudaGetLastError();
}
