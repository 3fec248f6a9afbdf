/* SPDX-License-Identifier: Apache-2.0 */
/* A manage over ranks without the host (cuda/manage_queued.h): what fills the boxes and empties them, and who finds out
 * whether all ranks can carry it out. */
#ifndef MASS_KERNELS_CUDA_MANAGE_QUEUED_H
#define MASS_KERNELS_CUDA_MANAGE_QUEUED_H

#include "manage_far.cuh"

namespace {

constexpr uint32_t NO_CLAIM = 2; /* in is_birth of a slot */
constexpr uint32_t CLAIM = sizeof(mass_far_claim);

/* All counts are 0 in the beginning. */
__global__ void clear_boxes(const __grid_constant__ task t, const __grid_constant__ mass_cuda_queued q, uint32_t slot)
{
    if (is_stopped(t)) return;
    if (threadIdx.x == 0) *q.counts = {};
    for (uint32_t k = threadIdx.x; k < (uint32_t)t.w.worlds; k += blockDim.x) q.born[k] = q.died[k] = 0;
    for (uint32_t k = threadIdx.x; k < (uint32_t)q.ranks; k += blockDim.x) {
        *(uint32_t *)(q.out + (size_t)q.boxes[k].out * slot) = 0;
        for (uint32_t round = 0; round <= q.rounds; round++)
            q.refused_out[round * q.out_words + q.boxes[k].refused_out] = 0;
    }
}

__global__ void ask_queued(const __grid_constant__ task t, const __grid_constant__ mass_cuda_queued q,
                           const __grid_constant__ pieces all, uint32_t slot)
{
    if (is_stopped(t)) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        if (!leaves(t, a)) continue;
        const uint32_t world = world_of(t, a.cell);
        const far_seat seat = find_seat(t, world, t.w.move_far[i]);
        const mass_cuda_box box = q.boxes[seat.rank];
        char *const first = q.out + (size_t)box.out * slot;
        const uint32_t at = atomicAdd((uint32_t *)first, 1);
        if (at >= box.out_room) {
            q.counts->trouble = 1;
            continue;
        }
        char *const to = first + (size_t)(1 + at) * slot;
        const uint64_t id = t.w.id[i];
        const uint64_t key = t.w.conflict == MASS_LOWEST_ID ? 0 : mass_conflict_key(&t.w, i, world, id);
        *(mass_far_claim *)to = {key, id, seat.cell, i, q.rank, 0};
        *(mass_far_traveller *)(to + CLAIM) = {id, seat.cell, seat.rank};
        for (uint32_t k = 0; k < all.count; k++) {
            const piece &p = all.p[k];
            store_piece(to + CLAIM + p.at, p.bytes, load_piece(p.from + (size_t)i * p.stride, p.bytes));
        }
    }
}

/* Marks slots that hold no claim. */
__global__ void open_boxes(const __grid_constant__ task t, const __grid_constant__ mass_cuda_queued q, uint32_t slot)
{
    if (is_stopped(t)) return;
    EACH(k, q.in_slots) {
        int32_t r = 0;
        while (r + 1 < q.ranks && q.boxes[r + 1].in <= k) r++;
        const uint32_t first = q.boxes[r].in, count = *(const uint32_t *)(q.in + (size_t)first * slot);
        const uint32_t sent = count < q.boxes[r].in_room ? count : q.boxes[r].in_room;
        if (k == first || k - first > sent) ((mass_far_claim *)(q.in + (size_t)k * slot))->is_birth = NO_CLAIM;
    }
}

__global__ void refuse_queued(const __grid_constant__ task t, const __grid_constant__ mass_cuda_queued q,
                              const uint32_t *refused)
{
    if (is_stopped(t)) return;
    for (int32_t r = 0; r < q.ranks; r++) {
        const uint32_t *const box = refused + q.boxes[r].refused_in;
        if (r == q.rank) continue;
        EACH(k, box[0] < q.boxes[r].out_room ? box[0] : q.boxes[r].out_room) {
            const uint32_t i = box[MASS_CUDA_REFUSALS_FROM + k];
            t.state[i] = LOST_SEAT;
            keep_seat(t, i);
        }
    }
}

__device__ uint32_t count_births(const task &t, uint32_t i, const agent &a, uint32_t n, uint32_t *here, uint32_t *far)
{
    uint32_t born = 0;
    for (uint32_t b = 0; b < n; b++) {
        if (!is_born(t, birth_number(t, i, b))) continue;
        born++;
        if (cell_of_birth(t, i, a, b) == MASS_CELL_FAR) ++*far;
        else ++*here;
    }
    return born;
}

/* As conclude, but it changes no request. Those who come lie in slots, and others' cells are nowhere. */
__global__ void __launch_bounds__(THREADS)
    conclude_queued(const __grid_constant__ task t, const __grid_constant__ mass_cuda_queued q, uint32_t slot)
{
    __shared__ uint32_t all_gone, all_here;
    uint32_t gone = 0, here = 0, far = 0;
    if (is_stopped(t)) return;
    if (threadIdx.x == 0) all_gone = all_here = 0;
    __syncthreads();
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        const uint32_t births = births_of(t, a);
        const bool dies = is_dead(a), away = leaves(t, a) && cell_of(t, i, a) == MASS_CELL_FAR;
        if (births) add_count(&q.born[world_of(t, a.cell)], count_births(t, i, a, births, &here, &far));
        if (dies) atomicAdd(&q.died[world_of(t, a.cell)], 1);
        gone += dies || away;
        far += away && !q.moves;
    }
    if (far) q.counts->trouble = 1;
    EACH(k, t.far.claims) {
        const mass_far_claim *const c = claim_of(t, k);
        const bool comes = c->is_birth == 0 && t.far.state[k] == GRANTED;
        ((mass_far_traveller *)(q.in + (size_t)k * slot + CLAIM))->cell = comes ? c->cell : MASS_CELL_NOWHERE;
        if (comes) atomicAdd(&q.counts->arrivals, 1);
    }
    add_count(&all_gone, gone);
    add_count(&all_here, here);
    __syncthreads();
    if (threadIdx.x) return;
    add_count(&q.counts->gone, all_gone);
    add_count(&q.counts->here, all_here);
}

/* Words: on how many ranks there is trouble; [worlds] next_id; [ranks][worlds] births. */
__global__ void sum_queued(const __grid_constant__ task t, const __grid_constant__ mass_cuda_queued q)
{
    if (is_stopped(t)) return;
    const uint32_t worlds = (uint32_t)t.w.worlds, ranks = (uint32_t)q.ranks;
    bool untold = false;
    for (uint32_t r = threadIdx.x; q.moves && r < ranks; r += blockDim.x)
        untold |= q.refused_out[q.rounds * q.out_words + q.boxes[r].refused_out] != 0;
    untold = __syncthreads_or(untold);
    const uint64_t after = (uint64_t)*t.w.count - q.counts->gone + q.counts->here + q.counts->arrivals;
    const bool full = after > t.w.room || (t.w.children && *t.born > t.w.room);
    if (threadIdx.x == 0) q.words[0] = q.counts->trouble || untold || full;
    for (uint32_t k = threadIdx.x; k < worlds * ranks; k += blockDim.x) {
        if (k < worlds) q.words[1 + k] = (int64_t)t.w.next_id[k];
        q.words[1 + worlds + k] = k / worlds == (uint32_t)q.rank ? q.born[k % worlds] : 0;
    }
}

__global__ void judge_queued(const __grid_constant__ task t, const __grid_constant__ mass_cuda_queued q)
{
    if (is_stopped(t)) return;
    const uint32_t worlds = (uint32_t)t.w.worlds;
    __syncthreads();
    if (q.words[0]) {
        if (threadIdx.x == 0) *t.stop = {1, t.w.phase, t.w.clock ? t.w.step + *t.w.clock : t.w.step, 0};
        return;
    }
    for (uint32_t k = threadIdx.x; k < worlds; k += blockDim.x) {
        uint64_t id = (uint64_t)q.words[1 + k];
        for (int32_t r = 0; r < q.rank; r++) id += (uint64_t)q.words[1 + worlds + (uint32_t)r * worlds + k];
        q.id_base[k] = id;
    }
}

} // namespace
#endif
