/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the new order: a counting sort by cell of the surviving agents and the births, then a sort by id within
 * cells. */
#ifndef MASS_KERNELS_CUDA_MANAGE_ORDER_H
#define MASS_KERNELS_CUDA_MANAGE_ORDER_H

#include "manage_requests.cuh"
#include "manage_sort.cuh"

namespace {

/* Adds n agents to a cell's count, and returns the count before. FEW: counts are bytes. The thread whose addition
 * overflows a byte sets *t.many. */
template <bool FEW> __device__ uint32_t add_seats(const task &t, uint32_t cell, uint32_t n)
{
    if (!FEW) return atomicAdd(&t.occupancy[cell], n);
    const uint32_t shift = cell % 4 * 8, first = atomicAdd(&t.few[cell / 4], n << shift) >> shift & 0xff;
    if (first + n > 0xff) *t.many = 1;
    return first;
}

/* Takes a position in a cell for an agent, and returns it. One thread adds for all if a warp's agents have the same
 * cell. */
template <bool FEW> __device__ uint32_t take_seat(const task &t, uint32_t cell)
{
    const uint32_t lanes = __activemask();
    int same;
    __match_all_sync(lanes, cell, &same);
    if (!same) return add_seats<FEW>(t, cell, 1);
    const uint32_t lane = threadIdx.x % 32, leader = __ffs(lanes) - 1;
    uint32_t first = 0;
    if (lane == leader) first = add_seats<FEW>(t, cell, __popc(lanes));
    return __shfl_sync(lanes, first, leader) + __popc(lanes & ((1u << lane) - 1));
}

/* Assigns positions to the births of agent i, lists them in newborn[], and counts the refused ones. order[] must have
 * the number of births before those of each agent. */
template <bool FEW> __device__ void seat_newborns(const task &t, uint32_t i, const agent &a, uint32_t births)
{
    uint32_t k = t.order[i], refused = births;
    for (uint32_t b = 0; b < births; b++) {
        const uint32_t number = birth_number(t, i, b);
        if (!is_born(t, number)) continue;
        const uint32_t cell = cell_of_birth(t, i, a, b);
        t.newborn[k] = number;
        if (cell != MASS_CELL_REMOTE) t.sorted[k] = add_seats<FEW>(t, cell, 1);
        k++;
        refused--;
    }
    const bool again = !FEW && t.few;
    if (refused && !again) atomicAdd(&t.worlds[world_of(t, a.cell)].refused, refused);
}

/* Returns the number of granted births of all agents before agent i. */
__device__ uint32_t births_before(const task &t, uint32_t i)
{
    if (nobody_asks(t, ASKS_BIRTH)) return 0;
    return i < *t.w.count ? births_before_agent(t, i) : *t.born;
}

/* Sets a world's numbers of agents and births, and the first id of its children. */
__device__ void count_world(const task &t, uint32_t world)
{
    const uint64_t cell = (uint64_t)world * (uint64_t)t.w.places;
    const uint32_t first = t.w.start[cell], end = t.w.start[cell + (uint64_t)t.w.places];
    world_count *const c = &t.worlds[world];
    c->first = first;
    c->before = end - first;
    if (t.w.children == 0) return;
    c->born = births_before(t, end) - births_before(t, first);
    const uint64_t *const ids = t.remote.cut ? t.remote.id_base : t.w.next_id;
    c->child_id = (ids ? ids[world] : 0) - births_before(t, first);
}

/* Closes the gates of all worlds, so that later launches do nothing. Without w.closed, does nothing. */
__device__ void close_gates(const task &t)
{
    if (t.w.closed) EACH(world, (uint32_t)t.w.worlds) t.w.closed[world] = 1;
}

/* Assigns positions in new cells to agents, newborns and arrivals. It runs after the count of births. If byte counts
 * were too small, it runs again with whole words. Also sets the worlds' counts. Closes all gates instead if queued work
 * has stopped. */
template <bool FEW> __global__ void seat_agents(const __grid_constant__ task t)
{
    follow();
    if (is_stopped(t)) {
        close_gates(t);
        return;
    }
    if (!FEW && t.few && *t.many == 0) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        const uint32_t births = births_of(t, a), cell = cell_of(t, i, a);
        if (!is_dead(a) && cell != MASS_CELL_REMOTE) t.seat[i] = take_seat<FEW>(t, cell);
        if (births) seat_newborns<FEW>(t, i, a, births);
    }
    EACH(k, t.remote.arrival_count) {
        const uint32_t cell = arrival(t, k)->cell;
        if (cell < MASS_CELL_REMOTE) t.remote.arrival_seat[k] = add_seats<FEW>(t, cell, 1);
    }
    EACH(world, (uint32_t)t.w.worlds) count_world(t, world);
}

/* Clears the counts of cells if byte counts were too small. */
__global__ void clear_seats(const __grid_constant__ task t)
{
    follow();
    if (*t.many == 0) return;
    EACH(cell, t.cells) t.occupancy[cell] = 0;
}

/* Queues the count of agents in new cells: in bytes first, if there are byte counts. first: launches the first of these
 * kernels. */
void queue_counts(const launcher &first, const launcher &l)
{
    if (!l.t.few) {
        launch_behind(first, l.blocks, seat_agents<false>);
        return;
    }
    launch_behind(first, l.blocks, seat_agents<true>);
    launch_behind(l, l.tiled, clear_seats);
    launch_behind(l, l.tiled, seat_agents<false>);
}

/* Writes an item of the new order at its position in a cell, and the cell to cell_to. in_bytes: as from
 * counts_in_bytes. */
__device__ __forceinline__ void put_in_cell(const task &t, uint32_t cell, uint32_t seat, uint32_t item, bool in_bytes)
{
    const uint32_t at = first_in_order(t, cell, in_bytes) + seat;
    t.order[at] = item;
    t.w.cell_to[at] = cell;
}

/* Writes surviving agents, births and arrivals to the new order, unsorted within a cell. May also reset requests
 * (resets_where_they_were). */
__global__ void place_agents(const __grid_constant__ task t)
{
    follow();
    if (is_stopped(t)) return;
    const bool in_bytes = counts_in_bytes(t), resets = resets_where_they_were(t);
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        const uint32_t cell = cell_of(t, i, a), item = is_lost(t, i, a) ? i | LOST : i;
        if (!is_dead(a) && cell != MASS_CELL_REMOTE) put_in_cell(t, cell, t.seat[i], item, in_bytes);
        if (resets) end_requests(t, i, a);
    }
    EACH(k, *t.born) {
        const uint32_t i = t.newborn[k] % t.w.room, b = t.newborn[k] / t.w.room;
        const uint32_t cell = cell_of_birth(t, i, get_agent(t, i), b);
        if (cell != MASS_CELL_REMOTE) put_in_cell(t, cell, t.sorted[k], t.w.room + k, in_bytes);
    }
    EACH(k, t.remote.arrival_count) {
        const uint32_t cell = arrival(t, k)->cell;
        if (cell < MASS_CELL_REMOTE) put_in_cell(t, cell, t.remote.arrival_seat[k], t.remote.first_arrival + k,
                                                 in_bytes);
    }
}

/* Returns the final index of the item at index s: its cell's first index plus the number of items before it there. A
 * cell with more than CROWD items keeps s, because queue_sort sorts it. */
template <bool CUT> __device__ uint32_t position(const task &t, uint32_t s, uint32_t count, uint32_t cell)
{
    const bool only = (s == 0 || t.w.cell_to[s - 1] != cell) && (s + 1 == count || t.w.cell_to[s + 1] != cell);
    if (only) return s;
    const uint32_t first = t.w.start[cell], last = t.w.start[cell + 1];
    if (last - first > CROWD && (t.w.capacity == 0 || t.w.capacity > CROWD)) return s;
    return first + items_before(t, cell, t.order, first, last, t.order[s], by_id<CUT>());
}

/* Queues the kernels that compute the new order: the items by cell in t.order, their cells in cell_to, and the new
 * `start`. */
void queue_order(const launcher &l)
{
    const task &t = l.t;
    const bool crowded = t.w.capacity == 0 || t.w.capacity > CROWD;
    launcher first = l;
    first.overlaps = false; /* the work before it may be no kernel */
    if (t.w.children) queue_scan(first, scan_births{BIRTHS}, t.w.room);
    queue_counts(t.w.children ? l : first, l);
    const uint32_t crowd = crowded ? CROWD : UINT32_MAX;
    if (t.few) queue_scan(l, scan_few{AGENTS, crowd}, t.cells);
    queue_scan(l, scan_cells{AGENTS, t.occupancy, t.w.start, crowd}, t.cells);
    launch_behind(l, l.blocks, place_agents);
    if (!crowded) return;
    if (t.remote.cut) queue_sort(l, AGENTS, t.w.start, t.w.room, by_id<true>());
    else queue_sort(l, AGENTS, t.w.start, t.w.room, by_id<false>());
}

} // namespace
#endif
