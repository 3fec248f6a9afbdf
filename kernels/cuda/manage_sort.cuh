/* SPDX-License-Identifier: Apache-2.0 */
/* Order within a cell. A rank is the key by which items of one cell are ordered. In a cell of up to CROWD items, each
 * item counts the smaller ones. Larger cells are crowds: the whole grid merge-sorts them in one cooperative launch,
 * tile by tile. */
#ifndef MASS_KERNELS_CUDA_MANAGE_SORT_H
#define MASS_KERNELS_CUDA_MANAGE_SORT_H

#include "conflict.h"
#include "manage_scan.cuh"

#include <cooperative_groups.h>
#include <cub/block/block_merge_sort.cuh>

namespace {

constexpr uint32_t SORT_ITEMS = 4, SORT_TILE = THREADS * SORT_ITEMS;

/* Lists the tiles of a cell with n items, for sort_tile, and notes the largest crowd. */
__device__ void note_crowd(const task &t, int stage, uint32_t cell, uint32_t n)
{
    const uint32_t tiles = (n - 1) / SORT_TILE + 1, at = atomicAdd(&t.stages[stage].tiles, tiles);
    for (uint32_t k = 0; k < tiles; k++) t.crowded[at + k] = {cell, k};
    atomicMax(&t.stages[stage].biggest, n);
}

struct rank {
    uint64_t key, tie;
};

/* Returns true if a's key is smaller, or equal and its tie-breaker smaller. */
__device__ __forceinline__ bool is_before(const rank &a, const rank &b)
{
    return a.key < b.key || (a.key == b.key && a.tie < b.tie);
}

/* Orders items of the new order by id. Items are agents by old index, then newborns, then, if CUT, arrivals from other
 * ranks. */
template <bool CUT> struct by_id {
    __device__ rank operator()(const task &t, uint32_t cell, uint32_t item) const
    {
        item &= ~LOST;
        if (item < t.w.room) return {t.w.id[item], 0};
        if (CUT && comes(t, item)) return {arrival(t, item - t.remote.first_arrival)->id, 0};
        return {t.worlds[world_of(t, cell)].child_id + (item - t.w.room), 0};
    }
};

/* Orders claims of births by the parents' ids, then by the number of a parent's birth. */
struct by_parent {
    __device__ rank operator()(const task &t, uint32_t, uint32_t birth) const
    {
        if (t.remote.claims && birth >= all_births(t)) {
            const mass_remote_claim *const c = claim_of(t, birth - all_births(t));
            return {c->key, c->id};
        }
        return {t.w.id[birth % t.w.room], birth / t.w.room};
    }
};

/* Orders claims, the better one first. */
struct by_rule {
    __device__ rank operator()(const task &t, uint32_t cell, uint32_t i) const
    {
        if (t.remote.claims && i >= t.w.room) {
            const mass_remote_claim *const c = claim_of(t, i - t.w.room);
            return t.w.conflict == MASS_LOWEST_ID ? rank{c->id, 0} : rank{c->key, c->id};
        }
        const uint64_t id = t.w.id[i];
        if (t.w.conflict == MASS_LOWEST_ID) return {id, 0};
        return {mass_conflict_key(&t.w, i, world_of(t, cell), id), id};
    }
};

/* Returns how many of a cell's items, from `first` to `last` - 1, come before `item`. */
template <class Rank>
__device__ uint32_t items_before(const task &t, uint32_t cell, const uint32_t *items, uint32_t first, uint32_t last,
                                 uint32_t item, Rank rank_of)
{
    const rank own = rank_of(t, cell, item);
    uint32_t n = 0;
    for (uint32_t k = first; k < last; k++) n += is_before(rank_of(t, cell, items[k]), own);
    return n;
}

/* Crowds. */

struct ranked {
    rank r;
    uint32_t item;
};

struct ranked_before {
    __device__ bool operator()(const ranked &a, const ranked &b) const { return is_before(a.r, b.r); }
};

typedef cub::BlockMergeSort<ranked, THREADS, SORT_ITEMS> tile_sort;

union sort_memory {
    tile_sort::TempStorage sort;
    struct {
        uint32_t split[2];
        ranked items[SORT_TILE];
    } merge;
};

/* Sorts n items of a cell by rank, at most a tile. All threads of the block call it. */
template <class Rank>
__device__ void sort_tile(const task &t, uint32_t cell, uint32_t *items, uint32_t n, Rank rank_of, sort_memory *memory)
{
    const uint32_t first = threadIdx.x * SORT_ITEMS;
    const ranked last = {{UINT64_MAX, UINT64_MAX}, 0}; /* fills the tile, after all items */
    ranked own[SORT_ITEMS];
#pragma unroll
    for (uint32_t k = 0; k < SORT_ITEMS; k++) {
        own[k] = last;
        if (first + k < n) own[k] = {rank_of(t, cell, items[first + k]), items[first + k]};
    }
    __syncthreads();
    tile_sort(memory->sort).Sort(own, ranked_before(), (int)n, last);
#pragma unroll
    for (uint32_t k = 0; k < SORT_ITEMS; k++)
        if (first + k < n) items[first + k] = own[k].item;
    __syncthreads();
}

/* Two consecutive sorted runs of one cell. */
template <class Rank> struct two_runs {
    const task &t;
    uint32_t cell;
    const uint32_t *items;
    uint32_t first, second; /* lengths */
    Rank rank_of;

    /* Returns how many of the first n merged items come from the first run. */
    __device__ uint32_t split(uint32_t n) const
    {
        uint32_t low = n > second ? n - second : 0, high = n < first ? n : first;
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            const rank a = rank_of(t, cell, items[middle]), b = rank_of(t, cell, items[first + n - 1 - middle]);
            if (is_before(b, a)) high = middle;
            else low = middle + 1;
        }
        return low;
    }
};

/* Returns how many of the first n items of the merged list come from the first of two sorted lists. */
__device__ inline uint32_t split_ranked(const ranked *items, uint32_t first, uint32_t second, uint32_t n)
{
    uint32_t low = n > second ? n - second : 0, high = n < first ? n : first;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (is_before(items[first + n - 1 - middle].r, items[middle].r)) high = middle;
        else low = middle + 1;
    }
    return low;
}

/* Merges two sorted runs, but writes only one tile of the result, from `begin` on. All threads of a block call it. */
template <class Rank>
__device__ void merge_tile(const two_runs<Rank> &runs, uint32_t begin, uint32_t *to, sort_memory *memory)
{
    uint32_t *const split = memory->merge.split;
    ranked *const items = memory->merge.items;
    const uint32_t total = runs.first + runs.second, left = total - begin, n = left < SORT_TILE ? left : SORT_TILE;
    if (threadIdx.x % 32 == 0 && threadIdx.x < 64) split[threadIdx.x / 32] = runs.split(begin + threadIdx.x / 32 * n);
    __syncthreads();
    const uint32_t first = split[1] - split[0];
    for (uint32_t k = threadIdx.x; k < n; k += THREADS) {
        const uint32_t at = k < first ? split[0] + k : runs.first + (begin - split[0]) + (k - first);
        items[k] = {runs.rank_of(runs.t, runs.cell, runs.items[at]), runs.items[at]};
    }
    __syncthreads();
    const uint32_t own = threadIdx.x * SORT_ITEMS;
    if (own < n) {
        uint32_t a = split_ranked(items, first, n - first, own), b = first + own - a;
        for (uint32_t k = own; k < own + SORT_ITEMS && k < n; k++) {
            const bool second = a == first || (b < n && is_before(items[b].r, items[a].r));
            to[begin + k] = items[second ? b++ : a++].item;
        }
    }
    __syncthreads();
}

/* Returns whether a crowd of n items is in the other array after its merges. */
__device__ inline bool is_swapped(uint32_t n)
{
    bool swapped = false;
    for (uint64_t run = SORT_TILE; run < n; run *= 2) swapped = !swapped;
    return swapped;
}

/* Sorts the items of each crowded cell by rank_of: tiles first, then merges of twice the length, in turns between
 * `items` and `other`. first[cell] is a cell's first item. All blocks must run at once. */
template <class Rank>
__global__ void __launch_bounds__(THREADS)
    sort_crowds(const __grid_constant__ task t, int stage, const uint32_t *first, uint32_t *items, uint32_t *other,
                Rank rank_of)
{
    __shared__ sort_memory memory;
    if (t.stop->stopped) return;
    const uint32_t tiles = t.stages[stage].tiles, biggest = t.stages[stage].biggest;
    for (uint32_t k = blockIdx.x; k < tiles; k += gridDim.x) {
        const uint32_t cell = t.crowded[k].x, begin = t.crowded[k].y * SORT_TILE;
        const uint32_t left = first[cell + 1] - first[cell] - begin;
        sort_tile(t, cell, items + first[cell] + begin, left < SORT_TILE ? left : SORT_TILE, rank_of, &memory);
    }
    if (biggest <= SORT_TILE) return;
    uint32_t *from = items, *to = other;
    for (uint64_t run = SORT_TILE; run < biggest; run *= 2) {
        cooperative_groups::this_grid().sync();
        for (uint32_t k = blockIdx.x; k < tiles; k += gridDim.x) {
            const uint32_t cell = t.crowded[k].x, begin = t.crowded[k].y * SORT_TILE;
            const uint32_t n = first[cell + 1] - first[cell];
            if (n <= run) continue;
            const uint32_t pair = (uint32_t)(begin / (2 * run) * (2 * run)), left = n - pair;
            const uint32_t a = left < run ? left : (uint32_t)run;
            const uint32_t b = left - a < run ? left - a : (uint32_t)run;
            const two_runs<Rank> runs = {t, cell, from + first[cell] + pair, a, b, rank_of};
            merge_tile(runs, begin - pair, to + first[cell] + pair, &memory);
        }
        uint32_t *const swap = from;
        from = to;
        to = swap;
    }
    cooperative_groups::this_grid().sync();
    for (uint32_t k = blockIdx.x; k < tiles; k += gridDim.x) {
        const uint32_t cell = t.crowded[k].x, begin = t.crowded[k].y * SORT_TILE,
            n = first[cell + 1] - first[cell];
        if (!is_swapped(n)) continue;
        for (uint32_t i = begin + threadIdx.x; i < n && i < begin + SORT_TILE; i += THREADS)
            items[first[cell] + i] = other[first[cell] + i];
    }
}

/* Queues the sort of t.order in cells with more than CROWD items, which a scan has recorded; overwrites t.sorted there.
 * first: each cell's first item; most: items of all cells. */
template <class Rank>
void queue_sort(const launcher &l, int stage, const uint32_t *first, uint64_t most, Rank rank_of)
{
    if (most <= CROWD) return;
    task t = l.t;
    uint32_t *items = t.order, *other = t.sorted;
    void *arguments[] = {&t, &stage, &first, &items, &other, &rank_of};
    const uint64_t tiles = most / CROWD;
    const unsigned blocks = tiles < (uint64_t)l.processors ? (unsigned)tiles : (unsigned)l.processors;
    cudaLaunchCooperativeKernel(sort_crowds<Rank>, dim3(blocks), dim3(THREADS), arguments, 0, l.stream);
}

} // namespace
#endif
