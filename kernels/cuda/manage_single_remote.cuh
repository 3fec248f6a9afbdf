/* SPDX-License-Identifier: Apache-2.0 */
/* The part of manage_single.cuh that concerns other ranks, if all work is queued (cuda/manage_queued.h). Other ranks'
 * claims to cells of this one are in slots of mailboxes. The claim in slot k is item t.w.room + k, after the agents'.
 * Claims may arrive until moves are settled. A claim that is refused goes back in a mailbox for its rank. */
#ifndef MASS_KERNELS_CUDA_MANAGE_SINGLE_REMOTE_H
#define MASS_KERNELS_CUDA_MANAGE_SINGLE_REMOTE_H

#include "manage_notify.cuh"

namespace {

/* Returns the number of blocks for other ranks' claims. These are the first blocks; the others handle agents. */
__host__ __device__ constexpr uint32_t claim_blocks(uint32_t claims)
{
    constexpr uint32_t MOST = 32;
    const uint32_t blocks = (claims + THREADS - 1) / THREADS;
    return blocks < MOST ? blocks : MOST;
}

/* The mailbox of a slot: its first slot, which has the number of claims, and the claims that fit. */
struct claim_box {
    uint32_t first, room;
};

/* Returns the mailbox that slot k is in. */
__device__ __forceinline__ claim_box box_of_claim(const task &t, uint32_t k)
{
    int32_t r = 0;
    while (r + 1 < t.remote.ranks && t.remote.boxes[r + 1].in <= k) r++;
    return {t.remote.boxes[r].in, t.remote.boxes[r].in_room};
}

/* Notes that the claim in slot k has arrived, and is to the cell. Call it before claim_place. Other threads may find
 * the claim's item in claims[] before, since an earlier manage left it there. Then is_claim_to is false. */
__device__ void note_claim(const task &t, uint32_t k, uint32_t cell)
{
    __threadfence(); /* the claim is visible before the note */
    *(volatile uint32_t *)&t.remote.claimed[k] = cell + 1;
    __threadfence();
}

/* Returns whether claim k has arrived and is to the cell. If so, its contents may be read. */
__device__ bool is_claim_to(const task &t, uint32_t cell, uint32_t k)
{
    const bool is = k < t.remote.claims && *(const volatile uint32_t *)&t.remote.claimed[k] == cell + 1;
    if (is) __threadfence();
    return is;
}

/* Sends a claim back to its rank, once. A mailbox has room for all of a rank's claims. */
__device__ void return_claim(const task &t, uint32_t k)
{
    if (atomicExch(&t.remote.returned[k], 1)) return;
    const mass_remote_claim *const c = claim_of(t, k);
    const uint32_t turn = t.remote.reach ? *(const volatile uint32_t *)&t.remote.counted->round % 2 : 0;
    uint32_t *const box = t.remote.refused_out + turn * t.remote.out_words + t.remote.boxes[c->rank].refused_out;
    const uint32_t at = MASS_CUDA_REFUSALS_FROM + atomicAdd(box, 1);
    if (!t.remote.reach) {
        box[at] = c->index;
        return;
    }
    const mass_cuda_reach &reach = t.remote.reach[c->rank];
    reach.refused[turn * reach.round_words + at] = c->index;
}

/* Lists an agent that leaves, and counts it, also in its world. If more leave than fit, the manage stops. */
__device__ void note_leaver(const task &t, uint32_t i)
{
    const uint32_t at = atomicAdd(&t.remote.counted->left, 1);
    if (at < t.remote.leaver_room) t.remote.leavers[at] = i;
    atomicAdd(&t.worlds[world_of(t, t.w.cell[i])].away, 1);
}

/* Seats, lists and counts the arrivals: claims that were not refused occupy their cells. */
__device__ void seat_arrivals(const task &t)
{
    EACH(k, t.remote.claims) {
        const uint32_t claimed = t.remote.claimed[k], returned = t.remote.returned[k];
        const bool comes = claimed && returned == 0;
        const uint32_t cell = comes ? claimed - 1 : MASS_CELL_NOWHERE;
        t.remote.arrival_seat[k] = cell;
        if (!comes) continue;
        atomicOr(&t.occupancy[cell / 32], 1u << cell % 32);
        atomicSub(&t.worlds[world_of(t, cell)].away, 1);
        t.remote.items[atomicAdd(&t.remote.counted->arrivals, 1)] = t.remote.first_arrival + k;
    }
}

/* Adds the counts of a block's threads to *total. All threads of the block call it. */
__device__ void add_counts(uint32_t *total, uint32_t count)
{
    __shared__ uint32_t all;
    if (threadIdx.x == 0) all = 0;
    __syncthreads();
    if (count) atomicAdd(&all, count);
    __syncthreads();
    if (threadIdx.x == 0 && all) atomicAdd(total, all);
}

} // namespace
#endif
