/* SPDX-License-Identifier: Apache-2.0 */
/* One step of bits by counts: a warp goes down a column, each lane by four words of a row, and has read the next rows
 * before it comes to them. */
#ifndef MASS_KERNELS_CUDA_BITS_ONCE_CUH
#define MASS_KERNELS_CUDA_BITS_ONCE_CUH

#include "cuda/bits_counts.cuh"

namespace bits {

constexpr int ONCE_WORDS = 4, ONCE_WARPS = 4, ONCE_AHEAD = 4;

/* What a lane has read of a row, with the words at both sides: lanes at the ends of their warp read those, others get
 * them of their neighbours. */
struct piece {
    uint32_t word[ONCE_WORDS + 2];
};

struct lane_of_row {
    const mass_bits_work &w;
    int x;
    bool mine, ends; /* whether the row reaches so far; the next lane has nothing of it */
    __device__ __forceinline__ void read(piece &v, const uint32_t *p) const
    {
        const uint4 four = mine ? *(const uint4 *)p : make_uint4(0, 0, 0, 0);
        v.word[1] = four.x, v.word[2] = four.y, v.word[3] = four.z, v.word[4] = four.w;
        if (threadIdx.x == 0 && mine) v.word[0] = p[-1];
        if (ends && mine) v.word[5] = p[4];
    }
    __device__ __forceinline__ void count(row *r, piece &v) const
    {
        const uint32_t before = __shfl_up_sync(~0u, v.word[4], 1), after = __shfl_down_sync(~0u, v.word[1], 1);
        if (threadIdx.x > 0) v.word[0] = before;
        if (!ends) v.word[5] = after;
#pragma unroll
        for (int k = 0; k < ONCE_WORDS; k++) r[k] = count_row(v.word[k], v.word[k + 1], v.word[k + 2]);
    }
    __device__ __forceinline__ void write(uint32_t *q, uint32_t *v) const
    {
        const int words = words_of(w);
        if (w.open & MASS_BITS_RIGHT)
#pragma unroll
            for (int k = 0; k < ONCE_WORDS; k++) v[k] = choose(inside_of(w, x + k), v[k], w.beyond);
        if (x + ONCE_WORDS <= words) *(uint4 *)q = make_uint4(v[0], v[1], v[2], v[3]);
        else
#pragma unroll
            for (int k = 0; k < ONCE_WORDS; k++)
                if (x + k < words) q[k] = v[k];
    }
};

/* `rows` rows for each warp. */
template <class Count, class Rule, bool TALLIES>
__global__ void __launch_bounds__(WARP * ONCE_WARPS) step_once(const __grid_constant__ mass_bits_work w, int rows)
{
    const int x = (blockIdx.x * WARP + threadIdx.x) * ONCE_WORDS, words = words_of(w);
    const int y0 = (blockIdx.y * ONCE_WARPS + threadIdx.y) * rows, last = w.height - y0 < rows ? w.height : y0 + rows;
    const lane_of_row lane = {w, x, x < words, threadIdx.x == WARP - 1 || x + ONCE_WORDS >= words};
    const Rule rule(w);
    follow_predecessor();
    for (int world = blockIdx.z; world < w.worlds; world += gridDim.z) {
        if (w.gates && w.gates[world]) continue;
        const int64_t at = world * w.world_stride + x + y0 * w.pitch;
        const uint32_t *p = w.from + at;
        uint32_t *q = w.to + at;
        row above[ONCE_WORDS], here[ONCE_WORDS];
        changes tally;
        piece ahead[ONCE_AHEAD];
        if (y0 < last) {
            lane.read(ahead[0], p - w.pitch);
            lane.read(ahead[1], p);
            lane.count(above, ahead[0]);
            lane.count(here, ahead[1]);
        }
        for (int y = y0; y < last; y += ONCE_AHEAD, p += ONCE_AHEAD * w.pitch, q += ONCE_AHEAD * w.pitch) {
#pragma unroll
            for (int r = 0; r < ONCE_AHEAD; r++)
                if (y + r < last) lane.read(ahead[r], p + (r + 1) * w.pitch);
#pragma unroll
            for (int r = 0; r < ONCE_AHEAD; r++) {
                if (y + r >= last) break;
                row below[ONCE_WORDS];
                uint32_t out[ONCE_WORDS];
                lane.count(below, ahead[r]);
#pragma unroll
                for (int k = 0; k < ONCE_WORDS; k++) {
                    out[k] = rule.next(Count::count(above[k], here[k], below[k]), here[k].middle);
                    if (TALLIES) tally.add(here[k].middle, out[k], places_of(w, x + k));
                    above[k] = here[k];
                    here[k] = below[k];
                }
                if (lane.mine) lane.write(q + r * w.pitch, out);
            }
        }
        if (TALLIES) flush(w, world, tally);
    }
}

} // namespace bits
#endif
