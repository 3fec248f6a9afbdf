/* SPDX-License-Identifier: Apache-2.0 */
/* A manage over ranks without the host (cuda/manage_queued.h): what fills the boxes and empties them, and who finds out
 * whether all ranks can carry it out. */
#ifndef MASS_KERNELS_CUDA_MANAGE_QUEUED_H
#define MASS_KERNELS_CUDA_MANAGE_QUEUED_H

#include "manage_far.cuh"
#include "manage_single.cuh"

namespace {

constexpr uint32_t CLAIM = sizeof(mass_far_claim);
constexpr uint32_t NEWS_THREADS = 512;

/* ---- claims ---- */

/* Puts the claims of those who leave into boxes, with all that they would take along. */
struct claim_boxes {
    static constexpr bool CUT = true;
    mass_cuda_queued q;
    pieces all;

    __device__ void begin() const
    {
        if (q.reach && thread_number() == 0) ++*q.number;
    }

    __device__ void ask(const task &t, uint32_t i, const agent &a) const
    {
        if (a.move != MASS_CELL_FAR) return;
        t.state[i] = 0;
        const uint32_t world = world_of(t, a.cell);
        const far_seat seat = find_seat(t, world, t.w.move_far[i]);
        const mass_cuda_box box = q.boxes[seat.rank];
        char *const first = q.out + (size_t)box.out * t.far.stride;
        const uint32_t at = q.moves ? atomicAdd((uint32_t *)first, 1) : UINT32_MAX;
        if (at >= box.out_room) {
            t.far.counted->trouble = 1;
            return;
        }
        fill(t, i, world, seat, (q.reach ? q.reach[seat.rank].claims : first) + (size_t)(1 + at) * t.far.stride);
        if (q.reach) __threadfence_system();
    }

    __device__ void fill(const task &t, uint32_t i, uint32_t world, const far_seat &seat, char *to) const
    {
        const uint64_t id = t.w.id[i];
        const uint64_t key = t.w.conflict == MASS_LOWEST_ID ? 0 : mass_conflict_key(&t.w, i, world, id);
        *(mass_far_claim *)to = {key, id, seat.cell, i, q.rank, 0};
        *(mass_far_traveller *)(to + CLAIM) = {id, seat.cell, seat.rank};
        for (uint32_t k = 0; k < all.count; k++) {
            const piece &p = all.p[k];
            store_piece(to + CLAIM + p.at, p.bytes, load_piece(p.from + (size_t)i * p.stride, p.bytes));
        }
    }
};

/* Of other ranks, once claims are all in boxes. */
struct claims_of_others {
    static constexpr bool CUT = true;
    mass_cuda_queued q;

    /* By the first block. */
    __device__ void tell_claims(const task &t) const
    {
        if (!q.reach || !q.moves || blockIdx.x > 0) return;
        tell(q, MASS_CUDA_FLAG_CLAIMS, [&](uint32_t r) {
            *(uint32_t *)q.reach[r].claims = *(const uint32_t *)(q.out + (size_t)q.boxes[r].out * t.far.stride);
        });
    }

    __device__ void await_claims(const task &) const
    {
        if (q.reach) await(q, MASS_CUDA_FLAG_CLAIMS, 1);
    }
};

/* ---- those that come back ---- */

/* round: of refusals that are taken. */
__global__ void take_refusals(const __grid_constant__ task t, const __grid_constant__ mass_cuda_queued q,
                              uint32_t round)
{
    follow();
    const uint32_t *const refused = q.refused_in + (size_t)round * q.in_words;
    if (q.reach && blockIdx.x == 0)
        tell(q, MASS_CUDA_FLAG_REFUSALS + round, [&](uint32_t r) {
            const mass_cuda_reach &reach = q.reach[r];
            reach.refused[round * reach.round_words] = q.refused_out[round * q.out_words + q.boxes[r].refused_out];
        });
    if (is_stopped(t)) return;
    if (q.reach) await(q, MASS_CUDA_FLAG_REFUSALS + round, 1);
    for (int32_t r = 0; r < q.ranks; r++) {
        const uint32_t *const box = refused + q.boxes[r].refused_in;
        if (r == q.rank) continue;
        EACH(k, box[0] < q.boxes[r].out_room ? box[0] : q.boxes[r].out_room) {
            const uint32_t i = box[MASS_CUDA_REFUSALS_FROM + k];
            t.state[i] = 1;
            go_home(t, i);
        }
    }
}

/* ---- news ---- */

/* Words of news: whether there is trouble; [worlds] next_id; [worlds] births. */
__device__ char *news_for(const mass_cuda_queued &q, int32_t rank)
{
    return q.reach && rank != q.rank ? q.reach[rank].news : q.news_out + q.boxes[rank].news_out;
}
__device__ const int64_t *words_from(const mass_cuda_queued &q, int32_t rank)
{
    return (const int64_t *)(rank == q.rank ? news_for(q, rank) : q.news_in + q.boxes[rank].news_in);
}

/* By one block. */
__device__ void tell_words(const task &t, const mass_cuda_queued &q)
{
    const uint32_t worlds = (uint32_t)t.w.worlds, ranks = (uint32_t)q.ranks;
    bool untold = false;
    for (uint32_t r = threadIdx.x; q.moves && r < ranks; r += blockDim.x)
        untold |= q.refused_out[q.rounds * q.out_words + q.boxes[r].refused_out] != 0;
    untold = __syncthreads_or(untold);
    const uint32_t born = t.w.children ? *t.born : 0;
    const uint64_t after = (uint64_t)*t.w.count - t.far.counted->gone + born + t.far.counted->arrivals;
    const int64_t trouble = t.far.counted->trouble || untold || after > t.w.room || born > t.w.room;
    for (uint32_t r = 0; r < ranks; r++) {
        int64_t *const words = (int64_t *)news_for(q, (int32_t)r);
        if (threadIdx.x == 0) words[0] = trouble;
        for (uint32_t k = threadIdx.x; k < worlds; k += blockDim.x) {
            words[1 + k] = (int64_t)t.w.next_id[k];
            words[1 + worlds + k] = t.worlds[k].born;
        }
    }
}

/* Bits of the 32 cells from one on. */
__device__ uint32_t held_from(const task &t, uint64_t cell)
{
    const uint64_t at = cell / 32, last = t.cells / 32;
    return __funnelshift_r(t.seats[at], at < last ? t.seats[at + 1] : 0, cell % 32);
}

__device__ void write_news(const task &t, const mass_cuda_queued &q)
{
    for (uint32_t s = 0; s < q.seen_out_count; s++) {
        const mass_cuda_run run = q.seen_out[s];
        const size_t before = q.boxes[run.rank].news_out; /* the box */
        uint32_t *const bits = (uint32_t *)(news_for(q, run.rank) + (run.word * sizeof(uint32_t) - before));
        EACH(k, (run.count + 31) / 32) bits[k] = held_from(t, run.first + k * 32ull);
    }
    if (blockIdx.x == 0) tell_words(t, q);
}

__global__ void tell_news(const __grid_constant__ task t, const __grid_constant__ mass_cuda_queued q)
{
    if (!is_stopped(t)) write_news(t, q);
}

__device__ void show_crowds(const task &t, const mass_cuda_queued &q)
{
    for (uint32_t s = 0; s < q.seen_in_count; s++) {
        const mass_cuda_run run = q.seen_in[s];
        const uint32_t *const bits = (const uint32_t *)q.news_in + run.word;
        EACH(k, run.count) q.crowds[run.first + k] = bits[k / 32] >> k % 32 & 1;
    }
}

/* By one block. What they held has been sent. */
__device__ void empty_boxes(const mass_cuda_queued &q, uint32_t slot)
{
    for (uint32_t r = threadIdx.x; r < (uint32_t)q.ranks; r += blockDim.x) {
        *(uint32_t *)(q.out + (size_t)q.boxes[r].out * slot) = 0;
        for (uint32_t round = 0; round <= q.rounds; round++)
            q.refused_out[round * q.out_words + q.boxes[r].refused_out] = 0;
    }
}

/* Ids of births of this rank follow those of the ranks before it. */
__device__ void number_births(const task &t, const mass_cuda_queued &q)
{
    const uint32_t worlds = (uint32_t)t.w.worlds;
    for (uint32_t k = threadIdx.x; k < worlds; k += blockDim.x) {
        int64_t id = 0;
        for (int32_t r = 0; r < q.ranks; r++) {
            const int64_t *const words = words_from(q, r);
            id += words[1 + k] + (r < q.rank ? words[1 + worlds + k] : 0);
        }
        t.worlds[k].child_id += (uint64_t)id;
    }
}

/* All blocks come to the same, so that none waits for the one that sets the stop. */
__device__ void judge_news(const task &t, const mass_cuda_queued &q, bool stopped)
{
    bool trouble = false;
    if (blockIdx.x == 0) empty_boxes(q, t.far.stride);
    for (int32_t r = 0; r < q.ranks && !stopped; r++) trouble |= words_from(q, r)[0] != 0;
    if (stopped || trouble) {
        close_gates(t);
        if (!stopped && thread_number() == 0)
            *t.stop = {1, t.w.phase, t.w.clock ? t.w.step + *t.w.clock : t.w.step, 0};
        return;
    }
    show_crowds(t, q);
    if (blockIdx.x == 0) number_births(t, q);
}

__global__ void judge(const __grid_constant__ task t, const __grid_constant__ mass_cuda_queued q)
{
    judge_news(t, q, is_stopped(t));
}

/* tell_news and judge at once, of MASS_CUDA_NEWS_BLOCKS blocks. None judges before all have told. */
__global__ void __launch_bounds__(NEWS_THREADS)
    meet(const __grid_constant__ task t, const __grid_constant__ mass_cuda_queued q)
{
    follow();
    const bool stopped = is_stopped(t);
    if (!stopped) write_news(t, q);
    tell(q, MASS_CUDA_FLAG_NEWS + blockIdx.x, [](uint32_t) {});
    if (!stopped) await(q, MASS_CUDA_FLAG_NEWS, MASS_CUDA_NEWS_BLOCKS);
    judge_news(t, q, stopped);
}

} // namespace
#endif
