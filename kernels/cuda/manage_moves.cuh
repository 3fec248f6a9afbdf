/* SPDX-License-Identifier: Apache-2.0 */
/* Moves, if places have a capacity. Every request is granted at first; freed[] counts the seats of agents that leave.
 * Claims beyond the free seats are refused. The thread of a refused agent continues: it takes back a seat on the
 * agent's own cell. If that seat was promised to a claim, the worst granted one is refused next, and so on. The order
 * of threads changes which refusal causes another, but not which claims are refused. Afterwards cell_of tells where
 * each agent is. Kernels do nothing once queued work has stopped. */
#ifndef MASS_KERNELS_CUDA_MANAGE_MOVES_H
#define MASS_KERNELS_CUDA_MANAGE_MOVES_H

#include "manage_claims.cuh"

namespace {

/* Makes the claims of all moves to cells, those of other ranks included. Sets the states of agents that stay or leave
 * the rank, and adds the outcome of `phases` and the movers' cells to freed[]. If cells hold more than one agent,
 * claims[] counts the claims, and seat[] and remote.seat[] number them. */
__global__ void claim_moves(const __grid_constant__ task t, uint32_t phases)
{
    if (is_stopped(t)) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        settle(t, i, a, phases, false);
        if (!is_moving(t, a)) {
            t.state[i] = a.move == MASS_CELL_NOWHERE ? REFUSED : STANDS;
            continue;
        }
        atomicAdd(&t.freed[a.cell], 1);
        if (a.move == MASS_CELL_REMOTE) t.state[i] = GRANTED;
        else if (t.w.capacity == 1) challenge(t, a.move, i, by_rule());
        else t.seat[i] = atomicAdd(&t.claims[a.move], 1);
    }
    EACH_CLAIM(k, false) {
        const uint32_t cell = claim_of(t, k)->cell;
        if (t.w.capacity == 1) challenge(t, cell, t.w.room + k, by_rule());
        else t.remote.seat[k] = atomicAdd(&t.claims[cell], 1);
    }
}

/* Decides moves with capacity 1, also those of other ranks' agents: state[] becomes GRANTED for the best claim if its
 * cell has a free seat, else LOSES. Does not decide moves to other ranks. freed[] stays as it is. */
__global__ void decide_moves(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        if (!is_moving(t, a) || a.move == MASS_CELL_REMOTE) continue;
        const bool best = t.claims[a.move] == i + 1;
        t.state[i] = best && free_seats(t, a.move, t.freed[a.move]) > 0 ? GRANTED : LOSES;
    }
    EACH_CLAIM(k, false) {
        const uint32_t cell = claim_of(t, k)->cell;
        const bool best = t.claims[cell] == t.w.room + k + 1;
        t.remote.state[k] = best && free_seats(t, cell, t.freed[cell]) > 0 ? GRANTED : LOSES;
    }
}

/* Lists the claims of moves in t.order by cell, in any order. claims[] must have the first claim of each cell. */
__global__ void place_moves(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        if (is_moving(t, a) && a.move != MASS_CELL_REMOTE) t.order[t.claims[a.move] + t.seat[i]] = i;
    }
    EACH_CLAIM(k, false) t.order[t.claims[claim_of(t, k)->cell] + t.remote.seat[k]] = t.w.room + k;
}

/* Decides moves by the rank of their claims, and writes the claims sorted: sets state[], remote.state[] and
 * sorted[]. */
__global__ void rank_moves(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    EACH(k, t.claims[t.cells]) {
        const uint32_t i = t.order[k];
        const bool comes = t.remote.claims && i >= t.w.room;
        const uint32_t cell = comes ? claim_of(t, i - t.w.room)->cell : t.w.move[i];
        const uint32_t rank = rank_claim(t, k, cell, by_rule());
        t.sorted[t.claims[cell] + rank] = i;
        (comes ? t.remote.state[i - t.w.room] : t.state[i]) =
            rank < free_seats(t, cell, t.freed[cell]) ? GRANTED : LOSES;
    }
}

/* Finds the agent, or the other rank's claim, whose granted claim has the last of `seats` free seats of a cell.
 * Returns false if there is none. */
__device__ bool last_claim(const task &t, uint32_t cell, int64_t seats, uint32_t *i)
{
    if (seats < 1) return false;
    if (t.w.capacity == 1) {
        *i = t.claims[cell] - 1;
        return t.claims[cell] != 0;
    }
    const int64_t at = t.claims[cell] + seats - 1;
    if (at >= t.claims[cell + 1]) return false;
    *i = t.sorted[at];
    return true;
}

/* Keeps a refused agent on its cell, and refuses the claims that this displaces (LOST_SEAT), one after the other. If
 * that is another rank's claim, its own rank continues. */
__device__ void keep_seat(const task &t, uint32_t loser)
{
    for (;; t.state[loser] = LOST_SEAT) {
        const uint32_t cell = t.w.cell[loser];
        const int32_t freed = atomicSub(&t.freed[cell], 1);
        if (!last_claim(t, cell, free_seats(t, cell, freed), &loser)) return;
        if (t.remote.claims && loser >= t.w.room) {
            refuse_claim(t, loser - t.w.room);
            return;
        }
    }
}

/* Keeps refused agents in their cells, and refuses the claims of other ranks that got no place. */
__global__ void take_back(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    EACH(i, *t.w.count) {
        if (t.state[i] == LOSES) keep_seat(t, i);
    }
    EACH_CLAIM(k, false) {
        if (t.remote.state[k] == LOSES) refuse_claim(t, k);
    }
}

/* Queues the kernels that decide all moves: claims, then the best claims of each cell, then refusals and what follows
 * from them. phases: as in queue_births. */
void queue_moves(const launcher &l, uint32_t phases)
{
    const task &t = l.t;
    LAUNCH(l, claim_moves, phases);
    if (t.w.capacity == 1) {
        LAUNCH(l, decide_moves);
    } else {
        queue_scan(l, scan_cells{MOVE_CLAIMS, t.claims, t.claims, CROWD}, t.cells);
        LAUNCH(l, place_moves);
        queue_sort(l, MOVE_CLAIMS, t.claims, (uint64_t)t.w.room + t.remote.claims, by_rule());
        LAUNCH(l, rank_moves);
    }
    LAUNCH(l, take_back);
}

} // namespace
#endif
