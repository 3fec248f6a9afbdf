/* SPDX-License-Identifier: Apache-2.0 */
/* Adding a box of integers to another. */
#include "cuda/kernels.h"

namespace {

constexpr int THREADS = 256, BLOCKS = 132 * 16;

template <class T> __global__ void add_integers(const __grid_constant__ mass_strided c, const mass_stop *stop)
{
    if (stop && stop->stopped) return;
    const int64_t width = (int64_t)(c.bytes / sizeof(T)), total = width * c.count[0] * c.count[1] * c.count[2];
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += stride) {
        int64_t to = i % width * (int64_t)sizeof(T), from = to, rest = i / width;
        for (int a = 0; a < 3; a++) {
            const int64_t k = rest % c.count[a];
            rest /= c.count[a];
            to += k * c.to_stride[a];
            from += k * c.from_stride[a];
        }
        *(T *)((char *)c.to + to) += *(const T *)((const char *)c.from + from);
    }
}

template <class T> void launch(cudaStream_t stream, const mass_strided &c, const mass_stop *stop)
{
    const int64_t integers = (int64_t)(c.bytes / sizeof(T)) * c.count[0] * c.count[1] * c.count[2];
    const int64_t blocks = (integers + THREADS - 1) / THREADS;
    add_integers<T><<<(unsigned)(blocks < BLOCKS ? blocks : BLOCKS), THREADS, 0, stream>>>(c, stop);
}

} // namespace

extern "C" cudaError_t mass_cuda_add(cudaStream_t stream, const mass_strided *c, size_t size, const mass_stop *stop)
{
    if (c->bytes == 0 || c->count[0] * c->count[1] * c->count[2] == 0) return cudaSuccess;
    if (size == sizeof(uint32_t)) launch<uint32_t>(stream, *c, stop);
    else launch<uint64_t>(stream, *c, stop);
    return cudaGetLastError();
}
