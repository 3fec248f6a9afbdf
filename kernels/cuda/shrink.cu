/* SPDX-License-Identifier: Apache-2.0 */
/* Turns blocks of places into pixels on a GPU (shrink.h). Sums of integers up to 32 bits go down the columns first, one
 * thread a column, so that a warp reads whole cache lines. Sums in double need a fixed order: one thread a pixel. */
#include "cuda/kernels.h"

#include <mass/types.h>

#include <math.h>

namespace {

constexpr int THREADS = 256, COLUMNS = 1024; /* COLUMNS: most columns of a block */

struct Task {
    const mass_shrink_part *parts;
    int32_t part_count;
    mass_shrink_part only; /* the first part, in case it is the only one */
    int32_t bit;
    int64_t stride, width, height, factor, columns;
    double low, high;
    int last;
    bool largest, ranged;
    uint8_t *index;
    unsigned long long *range;
};

/* Returns row y of the box, which one of the parts holds. */
__device__ const char *row_at(const Task &t, int64_t y)
{
    if (t.part_count == 1) return (const char *)t.only.base + y * t.only.pitch;
    const mass_shrink_part *p = t.parts;
    while (y >= p->first + p->rows) p++;
    return (const char *)p->base + (y - p->first) * p->pitch;
}

/* Returns the colour index of a value: 0 to t.last, in proportion to its position from t.low to t.high. */
__device__ uint8_t index_of(const Task &t, double value)
{
    const double part = (value - t.low) / (t.high - t.low);
    if (!(part > 0)) return 0;
    return (uint8_t)(part < 1 ? part * t.last + 0.5 : t.last);
}

/* Reads value x of a row; Bits reads rows of bits, eight a byte. */
template <typename T> struct Values {
    static __device__ T at(const Task &t, const char *row, int64_t x) { return *(const T *)(row + x * t.stride); }
};
struct Bits {};
template <> struct Values<Bits> {
    static __device__ int at(const Task &t, const char *row, int64_t x)
    {
        return row[(t.bit + x) >> 3] >> ((t.bit + x) & 7) & 1;
    }
};

/* Maps a double to an unsigned integer of the same order. */
__device__ unsigned long long ordered(double value)
{
    const unsigned long long bits = (unsigned long long)__double_as_longlong(value);
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

/* Extends the range of all values by [least, most], if the caller wants the range. */
__device__ void note_range(const Task &t, double least, double most)
{
    if (t.ranged) return;
    atomicMin(&t.range[0], ordered(least));
    atomicMax(&t.range[1], ordered(most));
}

/* Returns the end of the block of places from `from` on, which the box may cut off. */
__device__ int64_t end_of(int64_t from, int64_t factor, int64_t size)
{
    return size - from < factor ? size : from + factor;
}

/* ---- one thread a pixel ---- */

/* Computes the index of each pixel from its values, one thread a pixel, in a fixed order. */
template <typename T> __global__ void one_by_one(const Task t)
{
    const int64_t column = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    double least = INFINITY, most = -INFINITY;
    for (int64_t line = blockIdx.y; column < t.columns && line * t.factor < t.height; line += gridDim.y) {
        const int64_t x0 = column * t.factor, x1 = end_of(x0, t.factor, t.width);
        const int64_t y0 = line * t.factor, y1 = end_of(y0, t.factor, t.height);
        double sum = 0;
        int64_t count = 0;
        for (int64_t y = y0; y < y1; y++) {
            const char *row = row_at(t, y);
            for (int64_t x = x0; x < x1; x++) {
                const double value = (double)Values<T>::at(t, row, x);
                if (isnan(value)) continue;
                least = value < least ? value : least;
                most = value > most ? value : most;
                if (!t.largest) sum += value;
                else if (count == 0 || value > sum) sum = value;
                count++;
            }
        }
        const double value = t.largest ? sum : sum / (double)count;
        t.index[line * t.columns + column] = count ? index_of(t, value) : 0;
    }
    note_range(t, least, most);
}

/* ---- one thread a column ---- */

/* Draws `pixels` pixels with each block; the sums of their columns must fit into `sums`. */
template <typename T> __global__ void by_columns(const Task t, int pixels)
{
    __shared__ long long sums[COLUMNS];
    const int64_t first = (int64_t)blockIdx.x * pixels, from = first * t.factor;
    const int64_t end = end_of(from, pixels * t.factor, t.width);
    for (int64_t line = blockIdx.y; line * t.factor < t.height; line += gridDim.y) {
        const int64_t y0 = line * t.factor, y1 = end_of(y0, t.factor, t.height);
        for (int64_t x = from + threadIdx.x; x < end; x += THREADS) {
            long long sum = 0;
#pragma unroll 4
            for (int64_t y = y0; y < y1; y++) sum += Values<T>::at(t, row_at(t, y), x);
            sums[x - from] = sum;
        }
        __syncthreads();
        for (int p = threadIdx.x; p < pixels && first + p < t.columns; p += THREADS) {
            const int64_t x0 = p * t.factor, x1 = end_of(x0, t.factor, end - from);
            long long sum = 0;
            for (int64_t x = x0; x < x1; x++) sum += sums[x];
            t.index[line * t.columns + first + p] = index_of(t, (double)sum / (double)((x1 - x0) * (y1 - y0)));
        }
        __syncthreads();
    }
}

/* Draws pixels of places of one byte in the same way. A thread reads words of four columns; all rows must be aligned to
 * words. */
template <typename T> __global__ void by_words(const Task t, int pixels)
{
    __shared__ int sums[COLUMNS];
    const int64_t first = (int64_t)blockIdx.x * pixels, from = first * t.factor;
    const int64_t end = end_of(from, pixels * t.factor, t.width), begin = from & ~(int64_t)3;
    for (int64_t line = blockIdx.y; line * t.factor < t.height; line += gridDim.y) {
        const int64_t y0 = line * t.factor, y1 = end_of(y0, t.factor, t.height);
        for (int64_t x = begin + 4 * threadIdx.x; x < end; x += 4 * THREADS) {
            int sum[4] = {0, 0, 0, 0};
#pragma unroll 8
            for (int64_t y = y0; y < y1; y++) {
                const unsigned word = *(const unsigned *)(row_at(t, y) + x);
                for (int k = 0; k < 4; k++) sum[k] += (T)(word >> 8 * k);
            }
            for (int k = 0; k < 4; k++)
                if (x + k >= from && x + k < end) sums[x + k - from] = sum[k];
        }
        __syncthreads();
        for (int p = threadIdx.x; p < pixels && first + p < t.columns; p += THREADS) {
            const int64_t x0 = p * t.factor, x1 = end_of(x0, t.factor, end - from);
            long long sum = 0;
            for (int64_t x = x0; x < x1; x++) sum += sums[x];
            t.index[line * t.columns + first + p] = index_of(t, (double)sum / (double)((x1 - x0) * (y1 - y0)));
        }
        __syncthreads();
    }
}

constexpr int64_t LINES_MOST = 65535;

/* Launches the kernel that reads values one by one: one thread a pixel of a line. */
template <typename T> void launch_values(cudaStream_t stream, const Task &t, int64_t lines)
{
    const unsigned across = (unsigned)((t.columns + THREADS - 1) / THREADS);
    const dim3 blocks(across, (unsigned)(lines < LINES_MOST ? lines : LINES_MOST));
    one_by_one<T><<<blocks, THREADS, 0, stream>>>(t);
}

/* Returns whether rows can be read in words of four columns. The word of the last column may extend beyond it, since
 * rows have spare memory at their end. */
bool has_words(const mass_shrink_work *w)
{
    bool whole = w->stride == 1 && !w->bits;
    for (int32_t i = 0; i < w->part_count; i++)
        whole = whole && (uintptr_t)w->parts[i].base % 4 == 0 && w->parts[i].pitch % 4 == 0;
    return whole;
}

/* Launches the kernel that reads bytes in words. A block computes as many pixels of a line as fit into its memory. */
template <typename T> void launch_words(cudaStream_t stream, const Task &t, int64_t lines)
{
    const int pixels = (int)(COLUMNS / t.factor);
    const unsigned across = (unsigned)((t.columns + pixels - 1) / pixels);
    const dim3 blocks(across, (unsigned)(lines < LINES_MOST ? lines : LINES_MOST));
    by_words<T><<<blocks, THREADS, 0, stream>>>(t, pixels);
}

/* Launches the kernel that first sums down each column. A block computes as many pixels of a line as fit into its
 * memory. */
template <typename T> void launch_sums(cudaStream_t stream, const Task &t, int64_t lines)
{
    const int pixels = (int)(COLUMNS / t.factor);
    const unsigned across = (unsigned)((t.columns + pixels - 1) / pixels);
    const dim3 blocks(across, (unsigned)(lines < LINES_MOST ? lines : LINES_MOST));
    by_columns<T><<<blocks, THREADS, 0, stream>>>(t, pixels);
}

/* Sums down columns if the caller wants no range, and if the columns of a pixel fit into a block's memory. */
template <typename T> void launch_whole(cudaStream_t stream, const Task &t, int64_t lines)
{
    if (t.ranged && !t.largest && t.factor <= COLUMNS) launch_sums<T>(stream, t, lines);
    else launch_values<T>(stream, t, lines);
}

} // namespace

extern "C" cudaError_t mass_cuda_shrink(cudaStream_t stream, const mass_shrink_work *w, const mass_shrink_part *parts,
                                        uint8_t *index, unsigned long long range[2])
{
    const Task t = {parts, w->part_count, w->parts[0], w->bit, w->stride, w->width, w->height, w->factor,
                    mass_shrink_columns(w), w->low, w->high, w->last, w->rule == MASS_SHRINK_LARGEST, w->ranged, index,
                    range};
    const int64_t lines = mass_shrink_rows(w);
    if (w->bits) {
        launch_whole<Bits>(stream, t, lines);
        return cudaGetLastError();
    }
    if (has_words(w) && t.ranged && !t.largest && t.factor <= COLUMNS) {
        if (w->type == MASS_I8) launch_words<int8_t>(stream, t, lines);
        else launch_words<uint8_t>(stream, t, lines);
        return cudaGetLastError();
    }
    switch (w->type) {
    case MASS_I8: launch_whole<int8_t>(stream, t, lines); break;
    case MASS_BIT:
    case MASS_U8: launch_whole<uint8_t>(stream, t, lines); break;
    case MASS_I16: launch_whole<int16_t>(stream, t, lines); break;
    case MASS_U16: launch_whole<uint16_t>(stream, t, lines); break;
    case MASS_I32: launch_whole<int32_t>(stream, t, lines); break;
    case MASS_U32: launch_whole<uint32_t>(stream, t, lines); break;
    case MASS_I64: launch_values<int64_t>(stream, t, lines); break;
    case MASS_U64: launch_values<uint64_t>(stream, t, lines); break;
    case MASS_F32: launch_values<float>(stream, t, lines); break;
    default: launch_values<double>(stream, t, lines); break;
    }
    return cudaGetLastError();
}
