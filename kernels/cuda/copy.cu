/* SPDX-License-Identifier: Apache-2.0 */
/* Strided copies in the widest unit that all addresses and strides allow. */
#include "cuda/kernels.h"

namespace {

constexpr int THREADS = 256, BLOCKS = 132 * 16;

/* Copies a box, one unit at a time; `units` is the number of units in a run. */
template <class Unit> __global__ void copy_units(const __grid_constant__ mass_strided c, int64_t units)
{
    const int64_t total = units * c.count[0] * c.count[1] * c.count[2];
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += stride) {
        int64_t to = i % units * (int64_t)sizeof(Unit), from = to, rest = i / units;
        for (int a = 0; a < 3; a++) {
            const int64_t k = rest % c.count[a];
            rest /= c.count[a];
            to += k * c.to_stride[a];
            from += k * c.from_stride[a];
        }
        *(Unit *)((char *)c.to + to) = *(const Unit *)((const char *)c.from + from);
    }
}

/* Launches the copy of a box in units of a type, which must divide its runs, strides and addresses. */
template <class Unit> cudaError_t launch(cudaStream_t stream, const mass_strided &c)
{
    const int64_t units = (int64_t)(c.bytes / sizeof(Unit));
    const int64_t blocks = (units * c.count[0] * c.count[1] * c.count[2] + THREADS - 1) / THREADS;
    copy_units<Unit><<<(unsigned)(blocks < BLOCKS ? blocks : BLOCKS), THREADS, 0, stream>>>(c, units);
    return cudaGetLastError();
}

/* Returns whether runs, addresses and strides are multiples of `unit`. */
bool fits(const mass_strided &c, int64_t unit)
{
    uint64_t bits = c.bytes | (uint64_t)(uintptr_t)c.to | (uint64_t)(uintptr_t)c.from;
    for (int a = 0; a < 3; a++)
        if (c.count[a] > 1) bits |= (uint64_t)c.to_stride[a] | (uint64_t)c.from_stride[a];
    return bits % (uint64_t)unit == 0;
}

} // namespace

extern "C" cudaError_t mass_cuda_copy(cudaStream_t stream, const mass_strided *c)
{
    if (c->bytes == 0 || c->count[0] * c->count[1] * c->count[2] == 0) return cudaSuccess;
    if (fits(*c, 16)) return launch<uint4>(stream, *c);
    if (fits(*c, 8)) return launch<uint64_t>(stream, *c);
    if (fits(*c, 4)) return launch<uint32_t>(stream, *c);
    if (fits(*c, 2)) return launch<uint16_t>(stream, *c);
    return launch<uint8_t>(stream, *c);
}
