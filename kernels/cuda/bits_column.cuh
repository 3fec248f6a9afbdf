/* SPDX-License-Identifier: Apache-2.0 */
/* Several steps of bits by counts: a warp goes down a column of words and keeps of every step the last rows that it has
 * come to, so that a row that is read once comes out so many steps later. The outermost words of the column are other
 * warps', and go wrong from outside to inside, by a place a step. */
#ifndef MASS_KERNELS_CUDA_BITS_COLUMN_CUH
#define MASS_KERNELS_CUDA_BITS_COLUMN_CUH

#include "cuda/bits_counts.cuh"

namespace bits {

constexpr int COLUMN_WARPS = 4;
/* Rows of a column that tallies, at most: a lane's counts are halves of a word. */
constexpr int COLUMN_ROWS_TALLIED = 960;

/* What is known of a row that goes in. BEGIN: nothing comes out yet, and later steps have too few rows to begin with.
 * INSIDE: all steps make rows that come out. */
enum column_part { BEGIN, ANYWHERE, INSIDE };

/* A lane's share of a column that is WORDS * WARP words wide. OPEN: some sides are. */
template <int STEPS, int WORDS, class Count, class Rule, tallying TALLIES, bool OPEN> struct column {
    const mass_bits_work &w;
    const Rule &rule;
    int x, y0, rows; /* the lane's first word; the rows that come out */
    uint32_t inside[WORDS], places[WORDS];
    bool writes[WORDS];
    row kept[STEPS][3][WORDS]; /* of every step, the last three rows that went into it */
    /* Places of the rows that come out: how many each step changes, halves of a word for two steps; and how many are
     * set before the first step and after each, halves for two words, others' among them. How many become set follows,
     * and takes no operation in a place. */
    uint32_t changed[STEPS / 2 + 1], set[STEPS + 1];

    __device__ __forceinline__ uint32_t count_set(uint32_t first, uint32_t second)
    {
        if (TALLIES == TALLY_PARTS) first &= places[0], second &= places[1];
        return __popc(first) + (__popc(second) << 16);
    }
    /* Row y0 + r - t - 1, which step t makes. */
    __device__ __forceinline__ void count(int t, const row (&here)[WORDS], const uint32_t *out)
    {
        static_assert(WORDS == 2);
        const uint32_t n = __popc((out[0] ^ here[0].middle) & places[0]) +
                           __popc((out[1] ^ here[1].middle) & places[1]);
        changed[t / 2] += t % 2 ? n << 16 : n;
        if (t == 0) set[0] += count_set(here[0].middle, here[1].middle);
        set[t + 1] += count_set(out[0], out[1]);
    }

    __device__ __forceinline__ void write(const uint32_t *c, uint32_t *q)
    {
#pragma unroll
        for (int k = 0; k < WORDS; k++) {
            const uint32_t v = OPEN ? choose(inside[k], c[k], w.beyond) : c[k];
            if (writes[k]) q[k] = v;
        }
    }
    /* Row y0 + r goes in, and becomes row y0 + r - STEPS of STEPS later. SLOT is r modulo 3. */
    template <int SLOT, column_part PART> __device__ __forceinline__ void advance(int r, uint32_t *c, uint32_t *q)
    {
#pragma unroll
        for (int t = 0; t < STEPS; t++) {
            if (PART == BEGIN && r < 2 * t - STEPS) return; /* its first row that counts follows from the third here */
            if (OPEN) {
                const bool there = has_row(w, y0 + r - t);
#pragma unroll
                for (int k = 0; k < WORDS; k++) c[k] = there ? choose(inside[k], c[k], w.beyond) : w.beyond;
            }
            const uint32_t left = __shfl_up_sync(~0u, c[WORDS - 1], 1), right = __shfl_down_sync(~0u, c[0], 1);
            row(&s)[3][WORDS] = kept[t];
            uint32_t out[WORDS];
#pragma unroll
            for (int k = 0; k < WORDS; k++) {
                s[SLOT][k] = count_row(k ? c[k - 1] : left, c[k], k + 1 < WORDS ? c[k + 1] : right);
                const row &here = s[(SLOT + 2) % 3][k];
                out[k] = rule.next(Count::count(s[(SLOT + 1) % 3][k], here, s[SLOT][k]), here.middle);
            }
            if (TALLIES && (PART == INSIDE || (unsigned)(r - t - 1) < (unsigned)rows)) count(t, s[(SLOT + 2) % 3], out);
#pragma unroll
            for (int k = 0; k < WORDS; k++) c[k] = out[k];
        }
        if constexpr (PART != BEGIN)
            if (PART == INSIDE || (r >= STEPS && r < rows + STEPS)) write(c, q + (r - STEPS) * w.pitch);
    }
    __device__ __forceinline__ uint32_t own(uint32_t halves)
    {
        return (writes[0] ? halves & 0xffff : 0) + (writes[1] ? halves >> 16 : 0);
    }
    __device__ __forceinline__ void add_to(history &all)
    {
        uint32_t before = own(set[0]);
#pragma unroll
        for (int t = 0; t < STEPS; t++) {
            const uint32_t after = own(set[t + 1]), n = t % 2 ? changed[t / 2] >> 16 : changed[t / 2] & 0xffff;
            all.add(t, (n + after - before) / 2, (n + before - after) / 2);
            before = after;
        }
        all.add_set(before);
    }

    /* The lane's first word of the row that is read next, whose number it is, and how far its others are from it. */
    const uint32_t *next;
    int next_row, along[WORDS];
    __device__ __forceinline__ void begin(const uint32_t *world)
    {
        const int first = word_around(w, x);
#pragma unroll
        for (int k = 0; k < WORDS; k++) along[k] = word_around(w, x + k) - first;
        next_row = row_around(w, y0 - STEPS);
        next = world + next_row * w.pitch + first;
    }
    __device__ __forceinline__ void read(uint32_t *c, int r)
    {
#pragma unroll
        for (int k = 0; k < WORDS; k++) c[k] = x + k <= words_of(w) && r < rows + STEPS ? next[along[k]] : 0;
        next += w.pitch;
        if (++next_row != w.height || !(w.around & MASS_BITS_Y)) return;
        next -= w.height * w.pitch;
        next_row = 0;
    }
    template <column_part PART>
    __device__ __forceinline__ void advance_three(int r, uint32_t (&ahead)[3][WORDS], uint32_t *q)
    {
        uint32_t now[3][WORDS];
#pragma unroll
        for (int s = 0; s < 3; s++) {
#pragma unroll
            for (int k = 0; k < WORDS; k++) now[s][k] = ahead[s][k];
            read(ahead[s], r + 3 + s);
        }
        advance<0, PART>(r, now[0], q);
        advance<1, PART>(r + 1, now[1], q);
        advance<2, PART>(r + 2, now[2], q);
    }
    /* world: its first word; q: the lane's first word in row y0. */
    __device__ __forceinline__ void run(const uint32_t *world, uint32_t *q)
    {
        begin(world);
#pragma unroll
        for (int t = 0; t <= STEPS; t++) changed[t / 2] = set[t] = 0;
#pragma unroll
        for (int t = 0; t < STEPS; t++)
#pragma unroll
            for (int s = 0; s < 3; s++)
#pragma unroll
                for (int k = 0; k < WORDS; k++) kept[t][s][k] = {0, 0, 0};
        uint32_t ahead[3][WORDS];
#pragma unroll
        for (int s = 0; s < 3; s++) read(ahead[s], s - STEPS);
        constexpr int BEGUN = -STEPS + 2 * STEPS / 3 * 3;
#pragma unroll 1
        for (int r = -STEPS; r < BEGUN; r += 3) advance_three<BEGIN>(r, ahead, q);
#pragma unroll 1
        for (int r = BEGUN; r < rows + STEPS; r += 3)
            if (TALLIES && r >= STEPS && r + 2 <= rows) advance_three<INSIDE>(r, ahead, q);
            else advance_three<ANYWHERE>(r, ahead, q);
    }
};

/* For how many blocks a processor is to have room decides how many registers nvcc 13.0 takes for eight steps. Of those
 * without open sides, three fit where nothing is tallied; where something is, two do, and to ask for one has it find
 * fewer than not to ask. Where sides are open, it finds more when asked.
 *
 * `across` columns come side by side, of `useful` words, WORDS * WARP - 2 at most, and `rows` rows each, and below them
 * as many. */
template <int STEPS, int WORDS, class Count, class Rule, tallying TALLIES, bool OPEN>
__global__ void __launch_bounds__(WARP * COLUMN_WARPS, OPEN ? 0 : TALLIES ? 1 : 3)
step_columns(const __grid_constant__ mass_bits_work w, int across, int useful, int rows)
{
    static_assert(STEPS <= WORD, "one word at either side is another's");
    const int nth = blockIdx.x * COLUMN_WARPS + threadIdx.y, first = nth % across * useful, y0 = nth / across * rows;
    const int words = words_of(w), end = words - first < useful ? words : first + useful;
    const Rule rule(w);
    __shared__ history all;
    let_successor_begin();
    follow_predecessor();
    for (int world = blockIdx.z; world < w.worlds; world += gridDim.z) {
        if (w.gates && w.gates[world]) continue;
        column<STEPS, WORDS, Count, Rule, TALLIES, OPEN> c{w, rule};
        c.x = first - 1 + (int)threadIdx.x * WORDS;
        c.y0 = y0;
        c.rows = w.height - y0 < rows ? w.height - y0 : rows;
#pragma unroll
        for (int k = 0; k < WORDS; k++) {
            c.writes[k] = c.x + k >= first && c.x + k < end;
            c.inside[k] = inside_of(w, c.x + k);
            c.places[k] = c.writes[k] ? places_of(w, c.x + k) : 0;
        }
        const int64_t base = world * w.world_stride;
        if (TALLIES) all.begin();
        if (first < words && y0 < w.height) {
            c.run(w.from + base, w.to + base + y0 * w.pitch + c.x);
            if (TALLIES) c.add_to(all);
        }
        if (TALLIES) all.hand_over(w, world);
    }
}

} // namespace bits
#endif
