/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the kernels of bits (bits_step.h): counts of set neighbours for 32 places at once by adders of words,
 * rules, and tallies. */
#ifndef MASS_KERNELS_CUDA_BITS_COUNTS_CUH
#define MASS_KERNELS_CUDA_BITS_COUNTS_CUH

#include "cuda/bits_step.h"

namespace bits {

constexpr int WORD = 32, WARP = 32;

/* Return the lower and the upper bit of a + b + c, for each bit of a word. */
__device__ __forceinline__ uint32_t parity(uint32_t a, uint32_t b, uint32_t c) { return a ^ b ^ c; }
__device__ __forceinline__ uint32_t carry(uint32_t a, uint32_t b, uint32_t c) { return (a & b) | (c & (a ^ b)); }
/* Returns `high` where a bit is 1, and `low` where it is 0. */
__device__ __forceinline__ uint32_t choose(uint32_t bit, uint32_t high, uint32_t low)
{
    return (bit & high) | (~bit & low);
}

/* Waits until the launch before is complete. Launches may overlap, so this comes before any use of memory. */
__device__ __forceinline__ void follow_predecessor()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
/* Lets the next launch begin, if launches overlap. */
__device__ __forceinline__ void let_successor_begin()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/* ---- places ---- */

/* Returns the words of a row, of 32 places each; the last may be partly used. */
__host__ __device__ inline int words_of(const mass_bits_work &w) { return (w.width + WORD - 1) / WORD; }
/* Returns a mask of those of a word's 32 places that the row has. */
__device__ __forceinline__ uint32_t places_of(const mass_bits_work &w, int word)
{
    const int64_t left = w.width - (int64_t)word * WORD;
    return word < 0 || left <= 0 ? 0 : left < WORD ? (1u << left) - 1 : ~0u;
}
/* Returns a mask of the places that exist, including those beyond sides that are not open. */
__device__ __forceinline__ uint32_t inside_of(const mass_bits_work &w, int word)
{
    return w.open & (word < 0 ? MASS_BITS_LEFT : MASS_BITS_RIGHT) ? places_of(w, word) : ~0u;
}
/* Returns true if row y exists: it is not over an open edge. */
__device__ __forceinline__ bool has_row(const mass_bits_work &w, int y)
{
    return !(y < w.first_row && (w.open & MASS_BITS_TOP)) && !(y >= w.end_row && (w.open & MASS_BITS_BOTTOM));
}

/* ---- reading ---- */

/* Returns the row to read for row y: on an axis that wraps, a row of the other side instead of a ghost. */
__device__ __forceinline__ int row_around(const mass_bits_work &w, int y)
{
    if (w.around & MASS_BITS_Y) {
        if (y < 0) y += w.height;
        else if (y >= w.height) y -= w.height;
    }
    return y;
}
/* Returns the word to read for word x, likewise; x is at most one word outside the row. */
__device__ __forceinline__ int word_around(const mass_bits_work &w, int x)
{
    if (w.around & MASS_BITS_X) {
        if (x < 0) x += words_of(w);
        else if (x >= words_of(w)) x -= words_of(w);
    }
    return x;
}

/* ---- counts ---- */

/* For 32 places of a row: the number of set places among the place and its two neighbours along x, in two binary
 * digits. */
struct row {
    uint32_t ones, twos, middle;
};
/* Returns for each bit of `word` how many of it and its left and right neighbours are set, as two digits. */
__device__ __forceinline__ row count_row(uint32_t before, uint32_t word, uint32_t after)
{
    const uint32_t left = __funnelshift_l(before, word, 1), right = __funnelshift_r(word, after, 1);
    return {parity(left, word, right), carry(left, word, right), word};
}

/* The number of set places among a place and all its neighbours: ones + 2 (a + b) + 4 c. */
struct total {
    uint32_t ones, a, b, c;
};
struct moore {
    static __device__ __forceinline__ total count(const row &above, const row &here, const row &below)
    {
        return {parity(above.ones, here.ones, below.ones), parity(above.twos, here.twos, below.twos),
                carry(above.ones, here.ones, below.ones), carry(above.twos, here.twos, below.twos)};
    }
};
struct von_neumann {
    static __device__ __forceinline__ total count(const row &above, const row &here, const row &below)
    {
        return {parity(above.middle, here.ones, below.middle), here.twos,
                carry(above.middle, here.ones, below.middle), 0};
    }
};

/* ---- rules: a place's next bit ---- */

/* Life: set if the total is three, or if it is four and the place was set. */
struct conway {
    __device__ __forceinline__ conway(const mass_bits_work &) {}
    __device__ __forceinline__ uint32_t next(const total &t, uint32_t here) const
    {
        const uint32_t three = (t.a ^ t.b) & ~t.c, four = (t.a & t.b & ~t.c) | (~t.a & ~t.b & t.c);
        return choose(t.ones, three, four & here);
    }
};
/* Any rule, by a tree of choices. Its leaves are the same for all places: the next bit for each total (the place
 * included), if the place is set and if not. They pass through shared memory so that the compiler keeps them in
 * registers instead of computing them for every word. All threads of a block construct one together. */
struct any_rule {
    uint32_t unset[MASS_BITS_TOTALS], set[MASS_BITS_TOTALS];
    __device__ __forceinline__ any_rule(const mass_bits_work &w)
    {
        __shared__ volatile uint32_t leaves[2][MASS_BITS_TOTALS];
        const unsigned total = threadIdx.x;
        if (threadIdx.y == 0 && total < MASS_BITS_TOTALS) {
            leaves[0][total] = w.birth >> total & 1 ? ~0u : 0;
            leaves[1][total] = total > 0 && w.survive >> (total - 1) & 1 ? ~0u : 0;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < MASS_BITS_TOTALS; i++) unset[i] = leaves[0][i], set[i] = leaves[1][i];
    }
    /* Returns the next bits of places whose total is `total` or, where `odd` is set, one more. */
    __device__ __forceinline__ uint32_t pair(int total, uint32_t here, uint32_t odd) const
    {
        return choose(odd, choose(here, set[total + 1], unset[total + 1]), choose(here, set[total], unset[total]));
    }
    /* Returns the next bits of 32 places, from their totals and their own bits. */
    __device__ __forceinline__ uint32_t next(const total &t, uint32_t here) const
    {
        const uint32_t twos = t.a ^ t.b, fours = t.c ^ (t.a & t.b), eights = t.c & t.a & t.b;
        const uint32_t low = choose(twos, pair(2, here, t.ones), pair(0, here, t.ones));
        const uint32_t high = choose(twos, pair(6, here, t.ones), pair(4, here, t.ones));
        return choose(eights, pair(8, here, t.ones), choose(fours, high, low));
    }
};

/* ---- tallies ---- */

/* How a kernel counts: not at all; words that are full of places; or also partial words. */
enum tallying { TALLY_NONE, TALLY_WORDS, TALLY_PARTS };

/* A thread's counts: places set after a step, that became set, and that ceased to be set. */
struct changes {
    uint32_t set = 0, born = 0, died = 0;
    /* Adds 32 places by their bits before and after a step; only those in `places` count. */
    __device__ __forceinline__ void add(uint32_t before, uint32_t after, uint32_t places)
    {
        set += __popc(after & places);
        born += __popc(after & ~before & places);
        died += __popc(~after & before & places);
    }
};

/* Returns the sum of v over all lanes of the warp, in every lane. */
__device__ __forceinline__ uint32_t add_up(uint32_t v)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(~0u, v);
#else
#pragma unroll
    for (int d = WARP / 2; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    return v;
#endif
}

/* Adds a block's counts to a world's tallies. All threads of the block call it. */
__device__ inline void flush(const mass_bits_work &w, int world, const changes &mine)
{
    __shared__ uint32_t parts[3][WARP];
    const uint32_t set = add_up(mine.set), born = add_up(mine.born), died = add_up(mine.died);
    if (threadIdx.x == 0) parts[0][threadIdx.y] = set, parts[1][threadIdx.y] = born, parts[2][threadIdx.y] = died;
    __syncthreads();
    if (threadIdx.y == 0 && threadIdx.x < w.sum_count) {
        uint64_t all[3] = {0, 0, 0};
        for (unsigned i = 0; i < blockDim.y; i++)
#pragma unroll
            for (int k = 0; k < 3; k++) all[k] += parts[k][i];
        const mass_bits_sum &s = w.sums[threadIdx.x];
        atomicAdd((unsigned long long *)(s.tally + world), s.set * all[0] + s.born * all[1] + s.died * all[2]);
    }
    __syncthreads();
}

/* A block's counts of several steps: places that became set and ceased to be set in each step, and those set after the
 * last. The number set after earlier steps follows. All threads of a block call begin, then add, then hand_over. */
struct history {
    uint32_t born[MASS_BITS_STEPS_MOST], died[MASS_BITS_STEPS_MOST], set;
    /* Clears all counts. All threads of the block call it. */
    __device__ __forceinline__ void begin()
    {
        const unsigned thread = threadIdx.y * WARP + threadIdx.x;
        if (thread < MASS_BITS_STEPS_MOST) born[thread] = died[thread] = 0;
        if (thread == 0) set = 0;
        __syncthreads();
    }
    /* Adds a thread's counts of a step. All threads of a warp call it. */
    __device__ __forceinline__ void add(int step, uint32_t became, uint32_t ceased)
    {
        became = add_up(became);
        ceased = add_up(ceased);
        if (threadIdx.x > 0) return;
        atomicAdd(&born[step], became);
        atomicAdd(&died[step], ceased);
    }
    /* Adds a thread's places that are set after the last step. All threads of a warp call it. */
    __device__ __forceinline__ void add_set(uint32_t count)
    {
        count = add_up(count);
        if (threadIdx.x == 0) atomicAdd(&set, count);
    }
    /* Adds the counts to a world's tallies. */
    __device__ __forceinline__ void hand_over(const mass_bits_work &w, int world)
    {
        __syncthreads();
        const unsigned threads = blockDim.y * WARP, all = w.steps * w.sum_count;
        for (unsigned i = threadIdx.y * WARP + threadIdx.x; i < all; i += threads) {
            const int step = i / w.sum_count;
            const mass_bits_sum &s = w.sums[i % w.sum_count];
            int64_t left = set;
            for (int t = step + 1; t < w.steps; t++) left += (int64_t)died[t] - born[t];
            int64_t *const tally = s.tally - (w.steps - 1 - step) * w.row + world;
            atomicAdd((unsigned long long *)tally, s.set * left + s.born * born[step] + s.died * died[step]);
        }
        __syncthreads();
    }
};

} // namespace bits
#endif
