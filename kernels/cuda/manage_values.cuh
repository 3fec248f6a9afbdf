/* SPDX-License-Identifier: Apache-2.0 */
/* Copies agents' ids and attributes into the new order, and adds to the tallies of worlds. Kernels do nothing once
 * queued work has stopped. */
#ifndef MASS_KERNELS_CUDA_MANAGE_VALUES_H
#define MASS_KERNELS_CUDA_MANAGE_VALUES_H

#include "manage_order.cuh"
#include "manage_requests.cuh"

#include <string.h>

namespace {

/* A piece of an attribute's element, up to 16 bytes. */
struct piece {
    const char *from, *child;
    char *to;
    uint32_t stride, bytes;
    uint32_t at; /* offset in a traveller's record */
    uint4 initial;
};

constexpr uint32_t PIECES = 48, PIECES_AT_ONCE = 4;

struct pieces {
    uint32_t count;
    piece p[PIECES];
};

/* Reads a piece of 1, 2, 4, 8 or 16 aligned bytes. */
__device__ __forceinline__ uint4 load_piece(const char *at, uint32_t bytes)
{
    switch (bytes) {
    case 1: return {*(const uint8_t *)at, 0, 0, 0};
    case 2: return {*(const uint16_t *)at, 0, 0, 0};
    case 4: return {*(const uint32_t *)at, 0, 0, 0};
    case 8: return {((const uint2 *)at)->x, ((const uint2 *)at)->y, 0, 0};
    default: return *(const uint4 *)at;
    }
}

/* Writes a piece of 1, 2, 4, 8 or 16 aligned bytes. */
__device__ __forceinline__ void store_piece(char *at, uint32_t bytes, const uint4 &value)
{
    switch (bytes) {
    case 1: *(uint8_t *)at = (uint8_t)value.x; break;
    case 2: *(uint16_t *)at = (uint16_t)value.x; break;
    case 4: *(uint32_t *)at = value.x; break;
    case 8: *(uint2 *)at = {value.x, value.y}; break;
    default: *(uint4 *)at = value;
    }
}

/* Returns an item's piece: of an agent, an arrival, or a child, which has its parent's request or the initial value. */
template <bool CUT> __device__ __forceinline__ uint4 piece_of(const task &t, const piece &p, uint32_t item)
{
    if (item < t.w.room) return load_piece(p.from + (size_t)item * p.stride, p.bytes);
    if (CUT && comes(t, item)) return load_piece((const char *)arrival(t, item - t.remote.first_arrival) + p.at,
                                                 p.bytes);
    if (!p.child) return p.initial;
    return load_piece(p.child + (size_t)t.newborn[item - t.w.room] * p.stride, p.bytes);
}

/* Copies an item's pieces to array element `to` of the new arrays. Reads several before it writes them. */
template <bool CUT>
__device__ __forceinline__ void copy_pieces(const task &t, const pieces &all, uint32_t item, uint32_t to)
{
    for (uint32_t k = 0; k < all.count; k += PIECES_AT_ONCE) {
        uint4 value[PIECES_AT_ONCE];
#pragma unroll
        for (uint32_t j = 0; j < PIECES_AT_ONCE; j++)
            if (k + j < all.count) value[j] = piece_of<CUT>(t, all.p[k + j], item);
#pragma unroll
        for (uint32_t j = 0; j < PIECES_AT_ONCE; j++)
            if (k + j < all.count)
                store_piece(all.p[k + j].to + (size_t)to * all.p[k + j].stride, all.p[k + j].bytes, value[j]);
    }
}

/* Adds an open world's births, deaths and refused births to its tallies, and advances its next id. */
__device__ void tally_world(const task &t, uint32_t world)
{
    if (t.w.gates && t.w.gates[world]) return;
    const uint64_t cell = (uint64_t)world * (uint64_t)t.w.places;
    const uint32_t after = first_of(t, cell + (uint64_t)t.w.places) - first_of(t, cell);
    const world_count c = t.worlds[world];
    t.w.next_id[world] += c.born;
    if (t.w.born) t.w.born[world] += c.born;
    if (t.w.died) t.w.died[world] += t.remote.died ? t.remote.died[world] : (int64_t)c.before + c.born - c.away - after;
    if (t.w.refused) t.w.refused[world] += c.refused;
}

/* Stores the first agent of a world, if the population has an occupancy bitmap: it then has no other starts. */
__device__ __forceinline__ void note_start(const task &t, uint64_t cell)
{
    if (t.single && t.w.occupancy) t.w.start[cell] = number_of(t, cell);
}

/* Returns the new index of item s of the order. In a single task it is the only item of its cell. */
template <bool CUT> __device__ __forceinline__ uint32_t place_in_order(const task &t, uint32_t s, uint32_t count)
{
    return t.single ? s : position<CUT>(t, s, count, t.w.cell_to[s]);
}

/* Copies ids, flags and the first pieces, and may clear requests. Updates the worlds' tallies and first agents, and the
 * number of agents. If there are `more` pieces to copy, keeps old indices in seat[]; in a single task, order[] has
 * them. */
template <bool CUT>
__global__ void __launch_bounds__(THREADS)
    gather(const __grid_constant__ task t, const __grid_constant__ pieces all, bool more)
{
    follow();
    if (is_stopped(t)) return;
    const uint32_t count = first_of(t, t.cells);
    const bool resets = !t.single && resets_at_once(t) && !resets_where_they_were(t);
    EACH(s, count) {
        const uint32_t order = t.order[s], item = order & ~LOST, cell = t.w.cell_to[s];
        const uint32_t to = place_in_order<CUT>(t, s, count);
        t.w.id_to[to] = by_id<CUT>()(t, cell, item).key;
        t.w.lost_to[to] = (order & LOST) != 0;
        if (more && !t.single) t.seat[to] = item;
        if (resets) reset(t, to);
        copy_pieces<CUT>(t, all, item, to);
    }
    EACH(world, (uint32_t)t.w.worlds) {
        tally_world(t, world);
        note_start(t, (uint64_t)world * (uint64_t)t.w.places);
    }
    if (thread_number() > 0) return;
    note_start(t, t.cells);
    *t.w.count = count;
}

/* Copies further arrays' pieces to the new order. gather handles the first ones. */
template <bool CUT>
__global__ void gather_more(const __grid_constant__ task t, const __grid_constant__ pieces all)
{
    follow();
    if (is_stopped(t)) return;
    EACH(i, first_of(t, t.cells)) copy_pieces<CUT>(t, all, t.single ? t.order[i] & ~LOST : t.seat[i], i);
}

/* Returns the largest piece, 1 to 16 bytes, that divides the array's elements and addresses. */
uint32_t widest_piece(const mass_agent_array &a)
{
    const uintptr_t bits = a.size | (uintptr_t)a.from | (uintptr_t)a.to | (uintptr_t)a.child;
    uint32_t bytes = 16;
    while (bits % bytes) bytes /= 2;
    return bytes;
}

/* Queues the copies of some arrays to the new order. `first`, `last`: the first and last of these calls. */
template <bool CUT> void queue_pieces(const launcher &l, const pieces &all, bool first, bool last)
{
    if (first) launch_behind(l, l.blocks, gather<CUT>, all, !last);
    else launch_behind(l, l.blocks, gather_more<CUT>, all);
}

/* Lists the pieces of all arrays, as many at a time as fit. */
struct piece_list {
    const mass_manage_work &w;
    uint32_t array = 0;
    size_t at = 0; /* offset in an element */

    bool ended() const { return array == w.array_count; }
    /* Replaces *all by the next pieces, at most PIECES. None once it has ended. */
    void next(pieces *all)
    {
        for (all->count = 0; all->count < PIECES && !ended();) {
            const mass_agent_array &a = w.arrays[array];
            const uint32_t bytes = widest_piece(a);
            piece *const p = &all->p[all->count++];
            *p = {(const char *)a.from + at, a.child ? (const char *)a.child + at : NULL, (char *)a.to + at,
                  (uint32_t)a.size, bytes, (uint32_t)(mass_remote_value(&w, array) + at), {}};
            if (a.initial) memcpy(&p->initial, (const char *)a.initial + at, bytes);
            at += bytes;
            if (at < a.size) continue;
            at = 0;
            array++;
        }
    }
};

/* Queues the copies, in as few launches as possible. */
void queue_gather(const launcher &l)
{
    pieces all = {};
    piece_list list = {l.t.w};
    bool first = true;
    do {
        list.next(&all);
        if (l.t.remote.cut) queue_pieces<true>(l, all, first, list.ended());
        else queue_pieces<false>(l, all, first, list.ended());
        first = false;
    } while (!list.ended());
}

} // namespace
#endif
