/* SPDX-License-Identifier: Apache-2.0 */
/* One step of bits by counts. A thread first reads its words of all the rows that it needs, then writes its own
 * rows. */
#ifndef MASS_KERNELS_CUDA_BITS_ONCE_CUH
#define MASS_KERNELS_CUDA_BITS_ONCE_CUH

#include "cuda/bits_counts.cuh"

namespace bits {

constexpr int ONCE_WORDS = 4, ONCE_WARPS = 4, ONCE_ROWS = 8;

/* Words of a row, and the word on either side. */
struct piece {
    uint32_t word[ONCE_WORDS + 2];
};
/* Reads the words of a row from x on into v, with one more on either side. */
__device__ __forceinline__ void read(const mass_bits_work &w, piece &v, const uint32_t *row, int x)
{
    const uint4 four = *(const uint4 *)(row + x);
    const int words = words_of(w), behind = x + ONCE_WORDS;
    v.word[0] = row[word_around(w, x - 1)];
    v.word[1] = four.x, v.word[2] = four.y, v.word[3] = four.z, v.word[4] = four.w;
    v.word[5] = row[behind > words ? behind : word_around(w, behind)];
    if (!(w.around & MASS_BITS_X) || behind <= words) return;
    const uint32_t first = row[0];
#pragma unroll
    for (int k = 2; k < ONCE_WORDS + 1; k++) v.word[k] = x + k - 1 == words ? first : v.word[k];
}
/* Counts the bits of each word with their left and right neighbours. */
__device__ __forceinline__ void count_piece(row *r, const piece &v)
{
#pragma unroll
    for (int k = 0; k < ONCE_WORDS; k++) r[k] = count_row(v.word[k], v.word[k + 1], v.word[k + 2]);
}
/* Writes words of a row from word x on. Places beyond an open right side become `beyond`, also in v. */
__device__ __forceinline__ void write(const mass_bits_work &w, int x, uint32_t *q, uint32_t *v)
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

/* Steps ONCE_ROWS rows from y on. p: row 0; q: word x of row 0 in the target. */
template <class Count, class Rule, tallying TALLIES>
__device__ __forceinline__ void step_rows_once(const mass_bits_work &w, const Rule &rule, const uint32_t *p,
                                               uint32_t *q, int x, int y, changes &tally)
{
    piece v[ONCE_ROWS + 2];
    row above[ONCE_WORDS], here[ONCE_WORDS], below[ONCE_WORDS];
#pragma unroll
    for (int r = 0; r < ONCE_ROWS + 2; r++) {
        const int from = y + r - 1 < w.height ? y + r - 1 : w.height;
        read(w, v[r], p + row_around(w, from) * w.pitch, x);
    }
    count_piece(above, v[0]);
    count_piece(here, v[1]);
#pragma unroll
    for (int r = 0; r < ONCE_ROWS; r++) {
        if (y + r >= w.height) break;
        uint32_t out[ONCE_WORDS];
        count_piece(below, v[r + 2]);
#pragma unroll
        for (int k = 0; k < ONCE_WORDS; k++) {
            out[k] = rule.next(Count::count(above[k], here[k], below[k]), here[k].middle);
            if (TALLIES) tally.add(here[k].middle, out[k], places_of(w, x + k));
            above[k] = here[k];
            here[k] = below[k];
        }
        write(w, x, q + (y + r) * w.pitch, out);
    }
}

/* Computes one step of all worlds whose gates are open. A thread computes some words of some rows. */
template <class Count, class Rule, tallying TALLIES>
__global__ void __launch_bounds__(WARP * ONCE_WARPS) step_once(const __grid_constant__ mass_bits_work w)
{
    const int x = (blockIdx.x * WARP + threadIdx.x) * ONCE_WORDS;
    const Rule rule(w);
    let_successor_begin();
    follow_predecessor();
    for (int world = blockIdx.z; world < w.worlds; world += gridDim.z) {
        if (w.gates && w.gates[world]) continue;
        const int64_t base = world * w.world_stride;
        changes tally;
        for (int64_t y = (blockIdx.y * ONCE_WARPS + threadIdx.y) * ONCE_ROWS; y < w.height && x < words_of(w);
             y += gridDim.y * ONCE_WARPS * ONCE_ROWS)
            step_rows_once<Count, Rule, TALLIES>(w, rule, w.from + base, w.to + base + x, x, (int)y, tally);
        if (TALLIES) flush(w, world, tally);
    }
}

} // namespace bits
#endif
