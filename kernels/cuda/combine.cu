/* SPDX-License-Identifier: Apache-2.0 */
/* Combines integers with others: in boxes, and in lists of elements by number. */
#include "cuda/kernels.h"

namespace {

constexpr int THREADS = 256, BLOCKS = 132 * 16;

/* Returns how many blocks to launch, at most BLOCKS; threads then take several items. */
unsigned blocks_for(int64_t items)
{
    const int64_t blocks = (items + THREADS - 1) / THREADS;
    return (unsigned)(blocks < BLOCKS ? blocks : BLOCKS);
}

/* How two integers combine. `once` is for boxes, where no two threads write the same integer. `often` is for lists,
 * which may name an integer several times. */
template <class T> struct add {
    static __device__ void once(T *to, T value) { *to += value; }
    static __device__ void often(T *to, T value) { atomicAdd(to, value); }
};
template <class T> struct least {
    static __device__ void once(T *to, T value)
    {
        if (value < *to) *to = value;
    }
    static __device__ void often(T *to, T value) { atomicMin(to, value); }
};
template <class T> struct replace {
    static __device__ void once(T *to, T value)
    {
        if (value != (T)-1) *to = value;
    }
    static __device__ void often(T *to, T value) { once(to, value); }
};

/* Combines the integers of a box into `to`, unless queued work has stopped. */
template <class T, class Kind>
__global__ void combine_box(const __grid_constant__ mass_strided c, const mass_stop *stop)
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
        Kind::once((T *)((char *)c.to + to), *(const T *)((const char *)c.from + from));
    }
}

/* Combines a list of integers into the elements of `to` that the index names, unless queued work has stopped. */
template <class T, class Kind>
__global__ void combine_indexed(const __grid_constant__ mass_indexed s, const mass_stop *stop)
{
    if (stop && stop->stopped) return;
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < s.count; i += stride)
        Kind::often((T *)s.to + s.index[i], ((const T *)s.from)[i]);
}

/* Copies elements of `size` bytes, in words of type W, unless queued work has stopped. If GATHERS, the index numbers
 * elements of `from`, else of `to`. */
template <class W, bool GATHERS>
__global__ void move_indexed(const __grid_constant__ mass_indexed m, const mass_stop *stop)
{
    if (stop && stop->stopped) return;
    const int64_t each = (int64_t)(m.size / sizeof(W)), stride = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < m.count * each; i += stride) {
        const int64_t listed = (int64_t)m.index[i / each] * each + i % each;
        ((W *)m.to)[GATHERS ? i : listed] = ((const W *)m.from)[GATHERS ? listed : i];
    }
}

/* Launches one kind of combination: over a list if `s` is given, else over a box. */
template <class T, template <class> class Kind>
void launch(cudaStream_t stream, const mass_strided *c, const mass_indexed *s, const mass_stop *stop)
{
    if (s) combine_indexed<T, Kind<T>><<<blocks_for(s->count), THREADS, 0, stream>>>(*s, stop);
    else {
        const int64_t integers = (int64_t)(c->bytes / sizeof(T)) * c->count[0] * c->count[1] * c->count[2];
        combine_box<T, Kind<T>><<<blocks_for(integers), THREADS, 0, stream>>>(*c, stop);
    }
}

/* The types of CUDA's 64-bit atomics. */
typedef unsigned long long u64;
typedef long long i64;

/* Launches the kernel that combines a list (s) or, if that is NULL, a box (c). */
void combine(cudaStream_t stream, const mass_strided *c, const mass_indexed *s, const mass_combination *how,
             const mass_stop *stop)
{
    const bool small = how->size == sizeof(uint32_t);
    switch (how->kind) {
    case MASS_COMBINATION_ADD:
        small ? launch<uint32_t, add>(stream, c, s, stop) : launch<u64, add>(stream, c, s, stop);
        break;
    case MASS_COMBINATION_LEAST:
        if (how->is_signed) small ? launch<int32_t, least>(stream, c, s, stop) : launch<i64, least>(stream, c, s, stop);
        else small ? launch<uint32_t, least>(stream, c, s, stop) : launch<u64, least>(stream, c, s, stop);
        break;
    case MASS_COMBINATION_REPLACE:
        small ? launch<uint32_t, replace>(stream, c, s, stop) : launch<u64, replace>(stream, c, s, stop);
        break;
    }
}

/* Launches the kernel that gathers or scatters elements, four bytes a thread if all addresses allow that. */
template <bool GATHERS> void move(cudaStream_t stream, const mass_indexed *m, const mass_stop *stop)
{
    const bool wide = m->size % 4 == 0 && ((uintptr_t)m->to | (uintptr_t)m->from) % 4 == 0;
    const unsigned blocks = blocks_for(m->count * (int64_t)(wide ? m->size / 4 : m->size));
    if (wide) move_indexed<uint32_t, GATHERS><<<blocks, THREADS, 0, stream>>>(*m, stop);
    else move_indexed<uint8_t, GATHERS><<<blocks, THREADS, 0, stream>>>(*m, stop);
}

} // namespace

extern "C" cudaError_t mass_cuda_combine(cudaStream_t stream, const mass_strided *c, const mass_combination *how,
                                         const mass_stop *stop)
{
    if (c->bytes == 0 || c->count[0] * c->count[1] * c->count[2] == 0) return cudaSuccess;
    combine(stream, c, NULL, how, stop);
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_gather(cudaStream_t stream, const mass_indexed *g, const mass_stop *stop)
{
    if (g->count == 0) return cudaSuccess;
    move<true>(stream, g, stop);
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_scatter(cudaStream_t stream, const mass_indexed *s, const mass_combination *how,
                                         const mass_stop *stop)
{
    if (s->count == 0) return cudaSuccess;
    if (how) combine(stream, NULL, s, how, stop);
    else move<false>(stream, s, stop);
    return cudaGetLastError();
}
