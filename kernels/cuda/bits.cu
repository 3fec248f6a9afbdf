/* SPDX-License-Identifier: Apache-2.0 */
/* Copies runs of bits. One thread copies one word of the target. */
#include "cuda/kernels.h"

namespace {

constexpr int THREADS = 256, BLOCKS = 132 * 16;

/* Copies runs of bits, one thread a target word, or sets them to r.value if there is no source. */
__global__ void copy_runs(const __grid_constant__ mass_bit_runs r, int64_t words)
{
    const int64_t total = words * r.count[0] * r.count[1] * r.count[2];
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += stride) {
        const int64_t word = i % words, done = word == 0 ? 0 : word * MASS_BITS_WORD - r.to_bit;
        int64_t to = word, from = 0, rest = i / words;
        for (int a = 0; a < 3; a++) {
            const int64_t k = rest % r.count[a];
            rest /= r.count[a];
            to += k * r.to_stride[a];
            from += k * r.from_stride[a];
        }
        const uint32_t bit = word == 0 ? r.to_bit : 0;
        const int64_t left = r.bits - done, room = MASS_BITS_WORD - bit;
        const int64_t at = r.from_bit + done;
        mass_bits_copy_run(r.to + to, bit, r.from ? r.from + from + at / MASS_BITS_WORD : nullptr,
                           (uint32_t)(at % MASS_BITS_WORD), left < room ? left : room, r.value);
    }
}

} // namespace

extern "C" cudaError_t mass_cuda_copy_bits(cudaStream_t stream, const mass_bit_runs *r)
{
    const int64_t words = (r->to_bit + r->bits + MASS_BITS_WORD - 1) / MASS_BITS_WORD;
    const int64_t blocks = (words * r->count[0] * r->count[1] * r->count[2] + THREADS - 1) / THREADS;
    if (blocks == 0 || r->bits == 0) return cudaSuccess;
    copy_runs<<<(unsigned)(blocks < BLOCKS ? blocks : BLOCKS), THREADS, 0, stream>>>(*r, words);
    return cudaGetLastError();
}
