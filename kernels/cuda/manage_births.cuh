/* SPDX-License-Identifier: Apache-2.0 */
/* Births, if places have a capacity. Of the claims to a cell, as many get a seat as there are free seats, in the order
 * of their parents. Afterwards is_born tells which births happen. Kernels do nothing once queued work has stopped. */
#ifndef MASS_KERNELS_CUDA_MANAGE_BIRTHS_H
#define MASS_KERNELS_CUDA_MANAGE_BIRTHS_H

#include "manage_claims.cuh"

namespace {

/* Makes the claims of all births to cells, those of other ranks included. Also adds the outcome of `phases` to freed[].
 * If cells hold more than one agent, claims[] counts them, and birth_seat[] and remote.seat[] number them. */
__global__ void claim_births(const __grid_constant__ task t, uint32_t phases)
{
    if (is_stopped(t)) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        settle(t, i, a, phases, t.move_first);
        for (uint32_t b = 0, n = births_of(t, a); b < n; b++) {
            const uint32_t cell = cell_of_birth(t, i, a, b), number = birth_number(t, i, b);
            if (cell >= MASS_CELL_REMOTE) t.birth_seat[number] = cell == MASS_CELL_REMOTE;
            else if (t.w.capacity == 1) challenge(t, cell, number, by_parent());
            else t.birth_seat[number] = atomicAdd(&t.claims[cell], 1);
        }
    }
    EACH_CLAIM(k, true) {
        const uint32_t cell = claim_of(t, k)->cell;
        if (t.w.capacity == 1) challenge(t, cell, all_births(t) + k, by_parent());
        else t.remote.seat[k] = atomicAdd(&t.claims[cell], 1);
    }
}

/* Decides births with capacity 1: the best claim happens if its cell has a free seat. Refuses the others. Sets
 * birth_seat[] and remote.state[]. */
__global__ void decide_births(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        for (uint32_t b = 0, n = births_of(t, a); b < n; b++) {
            const uint32_t cell = cell_of_birth(t, i, a, b), number = birth_number(t, i, b);
            if (cell >= MASS_CELL_REMOTE) continue;
            t.birth_seat[number] = t.claims[cell] == number + 1 && free_seats(t, cell, t.freed[cell]) > 0;
        }
    }
    EACH_CLAIM(k, true) {
        const uint32_t cell = claim_of(t, k)->cell;
        const bool best = t.claims[cell] == all_births(t) + k + 1;
        if (best && free_seats(t, cell, t.freed[cell]) > 0) t.remote.state[k] = GRANTED;
        else refuse_claim(t, k);
    }
}

/* Lists the claims of births in t.order by cell, in any order. claims[] must have the first claim of each cell. */
__global__ void place_births(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        for (uint32_t b = 0, n = births_of(t, a); b < n; b++) {
            const uint32_t cell = cell_of_birth(t, i, a, b), number = birth_number(t, i, b);
            if (cell < MASS_CELL_REMOTE) t.order[t.claims[cell] + t.birth_seat[number]] = number;
        }
    }
    EACH_CLAIM(k, true) t.order[t.claims[claim_of(t, k)->cell] + t.remote.seat[k]] = all_births(t) + k;
}

/* Decides births by the rank of their claims in sorted lists, against the free seats of the cell. Sets birth_seat[] and
 * remote.state[]. */
__global__ void rank_births(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    EACH(k, t.claims[t.cells]) {
        const uint32_t number = t.order[k], i = number % t.w.room;
        if (t.remote.claims && number >= all_births(t)) {
            const uint32_t claim = number - all_births(t), at = claim_of(t, claim)->cell;
            if (rank_claim(t, k, at, by_parent()) < free_seats(t, at, t.freed[at])) t.remote.state[claim] = GRANTED;
            else refuse_claim(t, claim);
            continue;
        }
        const uint32_t cell = cell_of_birth(t, i, get_agent(t, i), number / t.w.room);
        t.birth_seat[number] = rank_claim(t, k, cell, by_parent()) < free_seats(t, cell, t.freed[cell]);
    }
}

/* Queues the kernels that decide all births: claims, then the best claims of each cell as far as it has room. phases:
 * those whose outcome freed[] lacks, as in claim_births. */
void queue_births(const launcher &l, uint32_t phases)
{
    const task &t = l.t;
    LAUNCH(l, claim_births, phases);
    if (t.w.capacity == 1) {
        LAUNCH(l, decide_births);
        return;
    }
    queue_scan(l, scan_cells{BIRTH_CLAIMS, t.claims, t.claims, CROWD}, t.cells);
    LAUNCH(l, place_births);
    queue_sort(l, BIRTH_CLAIMS, t.claims, (uint64_t)t.w.children * t.w.room + t.remote.claims, by_parent());
    LAUNCH(l, rank_births);
}

} // namespace
#endif
