/* SPDX-License-Identifier: Apache-2.0 */
/* Several steps of bits by counts. A warp walks down a column of words. For every step it keeps the last rows that went
 * in, so a row that is read comes out STEPS rows later. The outermost words of the column belong to other warps; there,
 * wrong bits spread inward by one place a step. */
#ifndef MASS_KERNELS_CUDA_BITS_COLUMN_CUH
#define MASS_KERNELS_CUDA_BITS_COLUMN_CUH

#include "cuda/bits_counts.cuh"

namespace bits {

constexpr int COLUMN_WARPS = 4;
/* Most rows of a column that adds to tallies: a lane counts in halves of a word. */
constexpr int COLUMN_ROWS_TALLIED = 960;

/* The position of a row that goes in. BEGIN: no row comes out yet, and later steps have too few rows to begin. INSIDE:
 * the rows of all steps come out. */
enum column_part { BEGIN, ANYWHERE, INSIDE };

/* A lane's share of a column that is WORDS * WARP words wide. OPEN: some sides are open. */
template <int STEPS, int WORDS, class Count, class Rule, tallying TALLIES, bool OPEN> struct column {
    const mass_bits_work &w;
    const Rule &rule;
    int x, y0, rows; /* the lane's first word; the rows that come out */
    uint32_t inside[WORDS], places[WORDS];
    bool writes[WORDS];
    row kept[STEPS][3][WORDS]; /* for every step, the last three rows that went in */
    /* Counts of places in the rows that come out. Array `changed` has the places that each step changes, in half a word
     * a step. Array `set` has the places set before the first step and after each: two halves of a word, for two words.
     * It includes other warps' words. The number of places that become set follows from both, so no operation per place
     * is needed for it. */
    uint32_t changed[STEPS / 2 + 1], set[STEPS + 1];

    /* Returns the number of set places of both words, in two halves of a word. */
    __device__ __forceinline__ uint32_t count_set(uint32_t first, uint32_t second)
    {
        if (TALLIES == TALLY_PARTS) first &= places[0], second &= places[1];
        return __popc(first) + (__popc(second) << 16);
    }
    /* Counts row y0 + r - t - 1, which step t makes. */
    __device__ __forceinline__ void count(int t, const row (&here)[WORDS], const uint32_t *out)
    {
        static_assert(WORDS == 2);
        const uint32_t n = __popc((out[0] ^ here[0].middle) & places[0]) +
                           __popc((out[1] ^ here[1].middle) & places[1]);
        changed[t / 2] += t % 2 ? n << 16 : n;
        if (t == 0) set[0] += count_set(here[0].middle, here[1].middle);
        set[t + 1] += count_set(out[0], out[1]);
    }

    /* Writes those words of a row that are this lane's. Places beyond open sides become `beyond`. */
    __device__ __forceinline__ void write(const uint32_t *c, uint32_t *q)
    {
#pragma unroll
        for (int k = 0; k < WORDS; k++) {
            const uint32_t v = OPEN ? choose(inside[k], c[k], w.beyond) : c[k];
            if (writes[k]) q[k] = v;
        }
    }
    /* Takes in row y0 + r, and writes row y0 + r - STEPS, which is STEPS steps later. SLOT is r modulo 3. */
    template <int SLOT, column_part PART> __device__ __forceinline__ void advance(int r, uint32_t *c, uint32_t *q)
    {
#pragma unroll
        for (int t = 0; t < STEPS; t++) {
            if (PART == BEGIN && r < 2 * t - STEPS) return; /* a step's first complete row needs three rows of the step
                                                               before */
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
    /* Returns the sum of those halves whose words this lane writes. */
    __device__ __forceinline__ uint32_t own(uint32_t halves)
    {
        return (writes[0] ? halves & 0xffff : 0) + (writes[1] ? halves >> 16 : 0);
    }
    /* Adds this lane's counts of all steps to those of the block. All threads of a warp call it. */
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

    /* The lane's first word of the row to read next, the number of that row, and the offsets of the lane's other
     * words. */
    const uint32_t *next;
    int next_row, along[WORDS];
    /* Sets the three members above to the first row that is read, which is row y0 - STEPS. */
    __device__ __forceinline__ void begin(const uint32_t *world)
    {
        const int first = word_around(w, x);
#pragma unroll
        for (int k = 0; k < WORDS; k++) along[k] = word_around(w, x + k) - first;
        next_row = row_around(w, y0 - STEPS);
        next = world + next_row * w.pitch + first;
    }
    /* Reads the lane's words of the next row, row y0 + r, and goes on to the row after it. Words beyond those that the
     * column needs become 0. */
    __device__ __forceinline__ void read(uint32_t *c, int r)
    {
#pragma unroll
        for (int k = 0; k < WORDS; k++) c[k] = x + k <= words_of(w) && r < rows + STEPS ? next[along[k]] : 0;
        next += w.pitch;
        if (++next_row != w.height || !(w.around & MASS_BITS_Y)) return;
        next -= w.height * w.pitch;
        next_row = 0;
    }
    /* Takes in rows y0 + r to y0 + r + 2 from `ahead`, and reads the next three rows into it. */
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
    /* Runs all steps. world: the first word of the world; q: the lane's first word in row y0. */
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

/* The blocks that a processor must hold decide how many registers nvcc 13.0 uses for eight steps. Without open sides
 * and tallies, three blocks fit. With tallies two fit; nvcc uses fewer registers if told one than if told nothing. With
 * open sides it uses more if told.
 *
 * `across` columns are side by side, each of `useful` words (at most WORDS * WARP - 2) and `rows` rows; further columns
 * follow below. */
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
