/* SPDX-License-Identifier: Apache-2.0 */
/* A prefix sum in one pass over memory: D. Merrill and M. Garland, "Single-pass parallel prefix scan with decoupled
 * look-back" (2016). Unlike CUB's, it needs one launch, and does nothing once a manage has stopped.
 *
 * A job tells what is summed. is_due(t) tells whether to run, size(t) the number of elements. Types `value` and `four`
 * hold one sum and four elements, which are loaded, summed and stored together. Elements i to i + 3 are read by
 * load(t, i, size, f); those from `size` on are 0. Then store(t, i, size, f, before) gets them again, and the sum of
 * all before them. At the end, finish(t, total) gets the total. BLOCKS is the number of blocks that a processor is to
 * hold. */
#ifndef MASS_KERNELS_CUDA_MANAGE_SCAN_H
#define MASS_KERNELS_CUDA_MANAGE_SCAN_H

#include "manage_task.cuh"

namespace {

constexpr uint32_t SCAN_ROUNDS = 8, SCAN_WARPS = THREADS / 32;
constexpr uint32_t SCAN_TILE = THREADS * SCAN_ROUNDS * 4;

/* Status words of tiles: the sum of the tile, or of all tiles up to it. */
constexpr uint64_t TILE_SUM = (uint64_t)1 << 62, FULL_SUM = (uint64_t)2 << 62, SUM = TILE_SUM - 1;

/* Returns the sum of the values of this lane and of those before it. The whole warp calls it. */
template <class T> __device__ __forceinline__ T sum_of_lanes_up_to(T value, uint32_t lane)
{
    for (uint32_t d = 1; d < 32; d *= 2) {
        const T other = __shfl_up_sync(ALL_LANES, value, d);
        if (lane >= d) value += other;
    }
    return value;
}

/* Returns the sum over all lanes of the warp, in every lane. */
__device__ __forceinline__ uint64_t sum_of_lanes(uint64_t value)
{
    for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(ALL_LANES, value, d);
    return value;
}

/* Returns the sum of all tiles before this one, and publishes `sum`, that of this tile, for later tiles. One warp calls
 * it. */
__device__ uint64_t look_back(volatile uint64_t *status, uint32_t tile, uint64_t sum, uint32_t lane)
{
    uint64_t before = 0;
    if (lane == 0) status[tile] = (tile ? TILE_SUM : FULL_SUM) | sum;
    if (tile == 0) return 0;
    for (int64_t at = (int64_t)tile - 1 - lane;; at -= 32) {
        uint64_t word = FULL_SUM;
        do
            if (at >= 0) word = status[at];
        while (__any_sync(ALL_LANES, word >> 62 == 0));
        const uint32_t full = __ballot_sync(ALL_LANES, word >> 62 == 2);
        const uint32_t last = full ? __ffs(full) - 1 : 31;
        before += sum_of_lanes(lane <= last ? word & SUM : 0);
        if (full) break;
    }
    if (lane == 0) status[tile] = FULL_SUM | (before + sum);
    return before;
}

/* Returns the next tile that no block has begun, to all threads of this block; UINT32_MAX once the manage has
 * stopped. */
__device__ uint32_t take_tile(const task &t, int stage)
{
    __shared__ uint32_t ticket;
    if (threadIdx.x == 0) ticket = t.stop->stopped ? UINT32_MAX : atomicAdd(&t.stages[stage].ticket, 1);
    __syncthreads();
    return ticket;
}

/* Each warp of a block has a sum for each round. Replaces them by the sums of all that comes before, ordered by rounds,
 * then by warps. Sets *all, in thread 0, to the sum of all tiles up to this one. */
template <uint32_t ROUNDS>
__device__ void sums_before_warps(const task &t, int stage, uint32_t tile, uint64_t *sum, uint64_t *all)
{
    constexpr uint32_t SUMS = ROUNDS * SCAN_WARPS;
    static_assert(SUMS <= 32, "one warp adds them up");
    __shared__ uint64_t sums[SUMS];
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0)
        for (uint32_t r = 0; r < ROUNDS; r++) sums[r * SCAN_WARPS + warp] = sum[r];
    __syncthreads();
    if (warp == 0) {
        const uint64_t own = lane < SUMS ? sums[lane] : 0, up_to = sum_of_lanes_up_to(own, lane);
        const uint64_t here = __shfl_sync(ALL_LANES, up_to, 31), others = look_back(t.status[stage], tile, here, lane);
        if (lane < SUMS) sums[lane] = others + up_to - own;
        *all = others + here;
    }
    __syncthreads();
    for (uint32_t r = 0; r < ROUNDS; r++) sum[r] = sums[r * SCAN_WARPS + warp];
}

/* Four separate elements. */
template <class T> struct four_values {
    T v[4];
};
/* Returns the sum of the four values. */
template <class T> __device__ __forceinline__ T sum_of_four(const four_values<T> &f)
{
    return f.v[0] + f.v[1] + f.v[2] + f.v[3];
}
/* Returns the sum of the four bytes of a word. */
__device__ __forceinline__ uint32_t sum_of_four(uint32_t word) { return __dp4a(word, 0x01010101u, 0u); }

/* Stores the prefix sums of one tile's elements. The last tile also hands the total to job.finish(). All threads of a
 * block call it. */
template <class Job>
__device__ __forceinline__ void scan_tile(const task &t, const Job &job, uint32_t tile, uint32_t tiles, uint32_t size)
{
    typedef typename Job::value value;
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const uint64_t first = (uint64_t)tile * SCAN_TILE + warp * (32 * 4 * SCAN_ROUNDS) + lane * 4;
    typename Job::four v[SCAN_ROUNDS];
    value before[SCAN_ROUNDS], sum = 0;
#pragma unroll
    for (uint32_t r = 0; r < SCAN_ROUNDS; r++) job.load(t, first + r * 128, size, &v[r]);
#pragma unroll
    for (uint32_t r = 0; r < SCAN_ROUNDS; r++) {
        const value own = sum_of_four(v[r]), up_to = sum_of_lanes_up_to(own, lane);
        before[r] = sum + up_to - own;
        sum += __shfl_sync(ALL_LANES, up_to, 31);
    }
    uint64_t all;
    uint64_t others = sum;
    sums_before_warps<1>(t, job.stage, tile, &others, &all);
    if (threadIdx.x == 0 && tile == tiles - 1) job.finish(t, all);
#pragma unroll
    for (uint32_t r = 0; r < SCAN_ROUNDS; r++) job.store(t, first + r * 128, size, v[r], (value)others + before[r]);
}

/* Computes the prefix sums of a job, tile after tile, unless the job is not due. Each block takes the next tile that
 * none has begun. */
template <class Job>
__global__ void __launch_bounds__(THREADS, Job::BLOCKS) scan(const __grid_constant__ task t, Job job)
{
    follow();
    if (!job.is_due(t)) return;
    const uint32_t size = job.size(t), tiles = size ? (size - 1) / SCAN_TILE + 1 : 1;
    for (uint32_t tile; (tile = take_tile(t, job.stage)) < tiles; __syncthreads()) scan_tile(t, job, tile, tiles, size);
}

/* Queues a scan of `most` elements at most. */
template <class Job> void queue_scan(const launcher &l, Job job, uint32_t most)
{
    const uint32_t tiles = most ? (most - 1) / SCAN_TILE + 1 : 1, at_once = (uint32_t)l.processors * Job::BLOCKS;
    launch_behind(l, tiles < at_once ? tiles : at_once, scan<Job>, job);
}

/* Records a cell of n items, which is a crowd. */
__device__ void note_crowd(const task &t, int stage, uint32_t cell, uint32_t n);

/* Stores the first item of each of four cells with v[0] to v[3] items; `before` is that of the first cell. Records
 * crowds: cells with more than `crowd` items. */
__device__ __forceinline__ void store_firsts(const task &t, int stage, uint32_t *first, uint64_t i, uint32_t size,
                                             const uint32_t v[4], uint32_t before, uint32_t crowd)
{
    const uint4 word = {before, before + v[0], before + v[0] + v[1], before + v[0] + v[1] + v[2]};
    const uint32_t sums[4] = {word.x, word.y, word.z, word.w};
    if (i + 4 <= size) *(uint4 *)(first + i) = word;
    else
        for (int k = 0; k < 4; k++)
            if (i + k < size) first[i + k] = sums[k];
    for (int k = 0; k < 4; k++)
        if (v[k] > crowd) note_crowd(t, stage, (uint32_t)i + k, v[k]);
}

/* Turns the number of items of each cell into the first item of each, and the number of all at [cells]. Records
 * crowds. */
struct scan_cells {
    typedef uint32_t value;
    typedef four_values<value> four;
    static constexpr int BLOCKS = 4;
    int stage;
    const uint32_t *number;
    uint32_t *first;
    uint32_t crowd;

    __device__ bool is_due(const task &t) const { return number != t.occupancy || !counts_in_bytes(t); }
    __device__ uint32_t size(const task &t) const { return t.cells; }
    __device__ void load(const task &, uint64_t i, uint32_t size, four *f) const
    {
        if (i + 4 <= size) {
            const uint4 word = *(const uint4 *)(number + i);
            f->v[0] = word.x, f->v[1] = word.y, f->v[2] = word.z, f->v[3] = word.w;
        } else {
            for (int k = 0; k < 4; k++) f->v[k] = i + k < size ? number[i + k] : 0;
        }
    }
    __device__ void store(const task &t, uint64_t i, uint32_t size, const four &f, value before) const
    {
        store_firsts(t, stage, first, i, size, f.v, before, crowd);
    }
    __device__ void finish(const task &t, uint64_t total) const { first[t.cells] = (uint32_t)total; }
};

/* The same for agents of the new order that are counted in bytes. Also stores the first item of each 32 cells. */
struct scan_few {
    typedef uint32_t value;
    typedef uint32_t four;
    static constexpr int BLOCKS = 6;
    int stage;
    uint32_t crowd;

    __device__ bool is_due(const task &t) const { return counts_in_bytes(t); }
    __device__ uint32_t size(const task &t) const { return t.cells; }
    __device__ void load(const task &t, uint64_t i, uint32_t size, four *f) const { *f = i < size ? t.few[i / 4] : 0; }
    __device__ void store(const task &t, uint64_t i, uint32_t size, four f, value before) const
    {
        const uint32_t v[4] = {f & 0xff, f >> 8 & 0xff, f >> 16 & 0xff, f >> 24};
        if (i % 32 == 0 && i < size) t.before_few[i / 32] = before;
        store_firsts(t, stage, t.w.start, i, size, v, before, crowd);
    }
    __device__ void finish(const task &t, uint64_t total) const { t.w.start[t.cells] = (uint32_t)total; }
};

/* Stops the queued work: `needed` agents are too many, or the manage cannot be applied. */
__device__ void stop_here(const task &t, uint64_t needed)
{
    t.stop->phase = t.w.phase;
    t.stop->step = t.w.clock ? t.w.step + *t.w.clock : t.w.step;
    t.stop->needed = needed;
    t.stop->stopped = 1;
}

/* Writes the number of births; on one rank, stops the queued work if more agents result than have room. */
__device__ void note_births(const task &t, uint32_t born, uint64_t died)
{
    const uint64_t needed = *t.w.count + (uint64_t)born - died;
    *t.born = born;
    if (needed > t.w.room && !t.remote.cut) stop_here(t, needed); /* over ranks, the host has checked the room */
}

/* Counts the births that happen before those of each agent; deaths in the high word. */
struct scan_births {
    typedef uint64_t value;
    typedef four_values<value> four;
    static constexpr int BLOCKS = 2;
    int stage;

    __device__ bool is_due(const task &) const { return true; }
    __device__ uint32_t size(const task &t) const { return nobody_asks(t, ASKS_BIRTH) ? 0 : *t.w.count; }
    /* Decides a birth before the moves, of a single task: it happens if its claim is the best. */
    __device__ void decide(const task &t, uint32_t i, const agent &a, uint32_t b, uint32_t number) const
    {
        if (t.birth_seat[number]) t.birth_seat[number] = t.claims[cell_of_child(t, i, b, a.cell)] == number + 1;
    }
    /* Returns the births of agent i that happen, and its death in the high word. Decides the births if that is due. */
    __device__ uint64_t births(const task &t, uint32_t i) const
    {
        const agent a = get_agent(t, i);
        uint64_t n = (uint64_t)is_dead(a) << 32;
        for (uint32_t b = 0, most = births_of(t, a); b < most; b++) {
            const uint32_t number = birth_number(t, i, b);
            if (t.single && !t.move_first) decide(t, i, a, b, number);
            n += is_born(t, number);
        }
        return n;
    }
    __device__ void load(const task &t, uint64_t i, uint32_t size, four *f) const
    {
        for (int k = 0; k < 4; k++) f->v[k] = i + k < size ? births(t, (uint32_t)i + k) : 0;
    }
    /* Sets order[] to the births before those of each agent. */
    __device__ void store(const task &t, uint64_t i, uint32_t size, const four &f, value before) const
    {
        for (int k = 0; k < 4; k++, before += f.v[k - 1])
            if (i + k < size) t.order[i + k] = (uint32_t)before;
    }
    __device__ void finish(const task &t, uint64_t total) const { note_births(t, (uint32_t)total, total >> 32); }
};

/* The same for a task by bits, whose births and deaths are decided: counts the births before each word of agents. */
struct scan_words_of_births {
    typedef uint32_t value;
    typedef four_values<value> four;
    static constexpr int BLOCKS = 4;
    int stage;

    __device__ bool is_due(const task &) const { return true; }
    __device__ uint32_t size(const task &t) const { return nobody_asks(t, ASKS_BIRTH) ? 0 : *t.w.count / 32 + 1; }
    __device__ void load(const task &t, uint64_t i, uint32_t size, four *f) const
    {
        for (int k = 0; k < 4; k++) f->v[k] = i + k < size ? __popc(t.births[i + k]) : 0;
    }
    __device__ void store(const task &t, uint64_t i, uint32_t size, const four &f, value before) const
    {
        for (int k = 0; k < 4; k++, before += f.v[k - 1])
            if (i + k < size) t.order[i + k] = before;
    }
    __device__ void finish(const task &t, uint64_t total) const { note_births(t, (uint32_t)total, *t.dead); }
};

} // namespace
#endif
