/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by births and moves, if places have a capacity. The claims to a cell are ranked: with capacity 1,
 * compare-and-swap finds the best of each cell; otherwise they are sorted. */
#ifndef MASS_KERNELS_CUDA_MANAGE_CLAIMS_H
#define MASS_KERNELS_CUDA_MANAGE_CLAIMS_H

#include "manage_sort.cuh"

namespace {

/* Updates freed[] with agent i's part in `phases`, which were applied since the last update. moved: moves are decided,
 * so a death frees a seat of the cell that the agent moved to. */
__device__ void settle(const task &t, uint32_t i, const agent &a, uint32_t phases, bool moved)
{
    if (phases & 1u << MASS_KILL && is_dead(a)) atomicAdd(&t.freed[moved ? cell_of(t, i, a) : a.cell], 1);
    if (phases & 1u << MASS_MIGRATE && t.state[i] == GRANTED && a.move != MASS_CELL_REMOTE)
        atomicSub(&t.freed[a.move], 1);
    if (phases & 1u << MASS_SPAWN)
        for (uint32_t b = 0, n = births_of(t, a); b < n; b++) {
            const uint32_t cell = cell_of_birth(t, i, a, b);
            if (is_born(t, birth_number(t, i, b)) && cell != MASS_CELL_REMOTE) atomicSub(&t.freed[cell], 1);
        }
}

/* For each claim of other ranks: those of births if BIRTHS, else those of moves. */
#define EACH_CLAIM(K, BIRTHS) EACH(K, t.remote.claims) if (claim_of(t, K)->is_birth == (uint32_t)(BIRTHS))

/* Refuses another rank's claim: sets its state to LOST_SEAT, and lists and counts the refusal for that rank. */
__device__ void refuse_claim(const task &t, uint32_t k)
{
    const mass_remote_claim *const c = claim_of(t, k);
    t.remote.state[k] = LOST_SEAT;
    t.remote.refused[atomicAdd(&t.remote.counts->refused, 1)] = {c->rank, c->index};
}

/* Makes an item the best claim to a cell, unless there is a better one. */
template <class Rank> __device__ void challenge(const task &t, uint32_t cell, uint32_t item, Rank rank_of)
{
    uint32_t best = atomicCAS(&t.claims[cell], 0, item + 1);
    if (best == 0) return;
    const rank own = rank_of(t, cell, item);
    while (is_before(own, rank_of(t, cell, best - 1))) {
        const uint32_t now = atomicCAS(&t.claims[cell], best, item + 1);
        if (now == best) return;
        best = now;
    }
}

/* Returns the rank of item k of t.order among those of its cell. Cells with more than CROWD items must be sorted. */
template <class Rank> __device__ uint32_t rank_claim(const task &t, uint32_t k, uint32_t cell, Rank rank_of)
{
    const uint32_t first = t.claims[cell], last = t.claims[cell + 1];
    if (last - first == 1 || last - first > CROWD) return k - first;
    return items_before(t, cell, t.order, first, last, t.order[k], rank_of);
}

} // namespace
#endif
