/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a manage that concerns other ranks (cuda/manage_remote.h): claims to their cells, refusals, and agents
 * that move there. */
#ifndef MASS_KERNELS_CUDA_MANAGE_REMOTE_H
#define MASS_KERNELS_CUDA_MANAGE_REMOTE_H

#include "manage_births.cuh"
#include "manage_moves.cuh"
#include "manage_order.cuh"
#include "manage_values.cuh"

namespace {

constexpr uint32_t BIRTH = 0x80000000u; /* marks a birth, by its number, in the list of travellers */

struct remote_seat {
    int32_t rank;
    uint32_t cell;
};

/* Returns the rank that holds a place, and that rank's cell for it. */
__device__ remote_seat find_seat(const task &t, uint32_t world, int64_t place)
{
    int32_t low = 0, high = t.remote.ranks;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (t.remote.first_place[middle] <= place) low = middle;
        else high = middle;
    }
    const int64_t first = t.remote.first_place[low], places = t.remote.first_place[low + 1] - first;
    return {low, (uint32_t)(world * places + place - first)};
}

/* Returns the place of a birth that is requested on another rank. */
__device__ int64_t place_of_birth(const task &t, uint32_t i, uint32_t b)
{
    const uint32_t number = birth_number(t, i, b);
    return t.w.child_cell[number] == MASS_CELL_REMOTE ? t.w.remote_child[number] : t.w.remote_move[i];
}

/* Returns whether an agent asks to move to another rank's cell. */
__device__ bool leaves(const task &t, const agent &a) { return a.move == MASS_CELL_REMOTE && is_moving(t, a); }

/* ---- a population with an occupancy bitmap (mass_manage_work), if hosts carry messages between ranks ---- */

/* Writes start[] from an occupancy bitmap. */
__global__ void starts_of_seats(const __grid_constant__ task t, const mass_seats *occupancy)
{
    for (uint64_t cell = thread_number(); cell <= t.cells; cell += all_threads()) { /* 64 bits: there may be nearly 2^32
                                                                                       cells */
        const mass_seats s = occupancy[cell / 32];
        t.w.start[cell] = s.before + __popc(s.held & ((1u << cell % 32) - 1));
    }
}

/* Copies agents' elements of an array into canonical order. */
__global__ void copy_in_order(const __grid_constant__ task t, const char *from, uint32_t size, char *to)
{
    EACH(i, *t.w.count) {
        const char *const own = from + (size_t)i * size;
        char *const there = to + (size_t)number_of(t, t.w.cell[i]) * size;
        for (uint32_t k = 0; k < size; k++) there[k] = own[k];
    }
}

/* Copies an array of agents from scratch memory back to its place. */
__global__ void copy_back(const __grid_constant__ task t, char *to, uint32_t size, const char *from)
{
    const size_t bytes = (size_t)*t.w.count * size;
    for (size_t k = thread_number(); k < bytes; k += all_threads()) to[k] = from[k];
}

/* Queues the copies that put an array into canonical order through scratch memory. No array: does nothing. */
void queue_in_order(const launcher &l, const void *array, size_t size, void *scratch)
{
    if (!array) return;
    LAUNCH(l, copy_in_order, (const char *)array, (uint32_t)size, (char *)scratch);
    LAUNCH(l, copy_back, (char *)array, (uint32_t)size, (const char *)scratch);
}

/* Writes the occupancy bitmap from start[], unless queued work has stopped. */
__global__ void seats_of_starts(const __grid_constant__ task t, mass_seats *occupancy)
{
    if (is_stopped(t)) return;
    EACH(k, t.cells / 32 + 1) {
        const uint32_t first = k * 32, before = t.w.start[first];
        uint32_t held = 0;
        for (uint32_t c = 0, last = before; c < 32 && first + c < t.cells; c++) {
            const uint32_t next = t.w.start[first + c + 1];
            held |= (uint32_t)(next > last) << c;
            last = next;
        }
        occupancy[k] = {held, before};
    }
}

/* ---- claims ---- */

/* Appends a claim, to the cell and rank of `seat`, to the list for other ranks, and counts it. Beyond `room`, only
 * counts it. */
__device__ void add_claim(const task &t, mass_remote_claim *list, uint32_t room, const remote_seat &seat,
                          mass_remote_claim c)
{
    const uint32_t at = atomicAdd(&t.remote.counts->claims, 1);
    c.cell = seat.cell;
    c.rank = seat.rank;
    if (at < room) list[at] = c;
}

/* Lists the requests for cells of other ranks: of moves and of births, as asked. */
__global__ void ask_far(const __grid_constant__ task t, mass_remote_claim *list, uint32_t room, bool moves, bool births)
{
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        const uint32_t world = world_of(t, a.cell);
        if (moves && leaves(t, a)) {
            const uint64_t id = t.w.id[i];
            const uint64_t key = t.w.conflict == MASS_LOWEST_ID ? 0 : mass_conflict_key(&t.w, i, world, id);
            add_claim(t, list, room, find_seat(t, world, t.w.remote_move[i]), {key, id, 0, i, 0, 0});
        }
        for (uint32_t b = 0, n = births ? births_of(t, a) : 0; b < n; b++)
            if (cell_of_birth(t, i, a, b) == MASS_CELL_REMOTE)
                add_claim(t, list, room, find_seat(t, world, place_of_birth(t, i, b)),
                          {t.w.id[i], b, 0, birth_number(t, i, b), 0, 1});
    }
}

/* Takes the seats of claims that were granted, from freed[]. births: of births, else of moves. */
__global__ void settle_claims(const __grid_constant__ task t, bool births)
{
    EACH_CLAIM(k, births) {
        if (t.remote.state[k] == GRANTED) atomicSub(&t.freed[claim_of(t, k)->cell], 1);
    }
}

/* Marks births that other ranks refused, by their numbers, in birth_seat[]. */
__global__ void refuse_births(const __grid_constant__ task t, const uint32_t *number, uint32_t count)
{
    EACH(k, count) t.birth_seat[number[k]] = 0;
}

/* Keeps agents whose moves other ranks refused on their cells. That may displace other claims. */
__global__ void refuse_moves(const __grid_constant__ task t, const uint32_t *index, uint32_t count)
{
    EACH(k, count) {
        t.state[index[k]] = LOST_SEAT;
        keep_seat(t, index[k]);
    }
}

/* ---- the outcome ---- */

/* Adds a thread's count for one world. */
__device__ void add_count(uint32_t *count, uint32_t n)
{
    if (n) atomicAdd(count, n);
}

/* Appends an agent or birth to the list of those that leave, and counts it. Beyond `room`, only counts it. */
__device__ void add_traveller(const task &t, uint32_t *list, uint32_t room, uint32_t which)
{
    const uint32_t at = atomicAdd(&t.remote.counts->travellers, 1);
    if (at < room) list[at] = which;
}

/* Returns the number of agent i's births that happen, and adds to *here those that stay on this rank. Lists those that
 * leave, and cancels the requests of the others. */
__device__ uint32_t conclude_births(const task &t, uint32_t i, const agent &a, uint32_t n, uint32_t *list,
                                    uint32_t room, uint32_t *here)
{
    uint32_t born = 0;
    for (uint32_t b = 0; b < n; b++) {
        const uint32_t number = birth_number(t, i, b), cell = cell_of_birth(t, i, a, b);
        if (!is_born(t, number)) {
            t.w.child_cell[number] = MASS_CELL_NOWHERE;
            continue;
        }
        born++;
        if (cell == MASS_CELL_REMOTE) add_traveller(t, list, room, number | BIRTH);
        else ++*here;
    }
    return born;
}

/* Cancels refused requests, lists travellers, and counts deaths, leavers and births. Each block adds its sums to memory
 * at once, since most agents neither die nor leave. */
__global__ void __launch_bounds__(THREADS) conclude(const __grid_constant__ task t, uint32_t *list, uint32_t room)
{
    __shared__ uint32_t all_gone, all_here;
    uint32_t gone = 0, here = 0;
    if (threadIdx.x == 0) all_gone = all_here = 0;
    __syncthreads();
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        const uint32_t births = births_of(t, a), world = world_of(t, a.cell);
        const bool dies = is_dead(a), away = leaves(t, a) && cell_of(t, i, a) == MASS_CELL_REMOTE;
        if (births) add_count(&t.remote.born[world], conclude_births(t, i, a, births, list, room, &here));
        if (away) add_traveller(t, list, room, i);
        if (dies) atomicAdd(&t.remote.died[world], 1);
        gone += dies || away;
        if (t.decides && t.state[i] >= LOSES) t.w.move[i] = MASS_CELL_NOWHERE;
    }
    add_count(&all_gone, gone);
    add_count(&all_here, here);
    __syncthreads();
    if (threadIdx.x) return;
    add_count(&t.remote.counts->gone, all_gone);
    add_count(&t.remote.counts->here, all_here);
}

/* Returns the id of birth b of agent i. */
__device__ uint64_t id_of_birth(const task &t, uint32_t i, uint32_t b, uint32_t world)
{
    const uint32_t first = t.w.start[(uint64_t)world * (uint64_t)t.w.places];
    uint64_t id = t.remote.id_base[world] + (t.order[i] - births_before(t, first));
    for (uint32_t k = 0; k < b; k++) id += is_born(t, birth_number(t, i, k));
    return id;
}

/* Returns the number of travellers, but at most `most`, for which there is memory. */
__device__ uint32_t listed(const task &t, uint32_t most)
{
    const uint32_t count = t.remote.counts->travellers;
    return count < most ? count : most;
}

/* Writes the head of each traveller's record: id, new cell and rank. `list` has the travellers: agents, and births with
 * the bit BIRTH. Births, if there are any, must have been counted. */
__global__ void pack_travellers(const __grid_constant__ task t, const uint32_t *list, uint32_t most, char *to)
{
    EACH(s, listed(t, most)) {
        const bool birth = list[s] & BIRTH;
        const uint32_t which = list[s] & ~BIRTH, i = birth ? which % t.w.room : which, b = which / t.w.room;
        const uint32_t world = world_of(t, t.w.cell[i]);
        const remote_seat seat = find_seat(t, world, birth ? place_of_birth(t, i, b) : t.w.remote_move[i]);
        const uint64_t id = birth ? id_of_birth(t, i, b, world) : t.w.id[i];
        *(mass_remote_traveller *)(to + (size_t)s * t.remote.stride) = {id, seat.cell, seat.rank};
    }
}

/* Packs the values of those on the list of travellers, `stride` bytes apart. */
__global__ void pack_values(const __grid_constant__ task t, const __grid_constant__ pieces all, const uint32_t *list,
                            uint32_t most, char *to)
{
    EACH(s, listed(t, most)) {
        const uint32_t which = list[s] & ~BIRTH;
        for (uint32_t k = 0; k < all.count; k++) {
            const piece &p = all.p[k];
            const char *const from = list[s] & BIRTH ? p.child : p.from;
            const uint4 value = from ? load_piece(from + (size_t)which * p.stride, p.bytes) : p.initial;
            store_piece(to + (size_t)s * t.remote.stride + p.at, p.bytes, value);
        }
    }
}

} // namespace
#endif
