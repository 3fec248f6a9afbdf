/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the agents that places bring forth (sprouts.h). */
#include "cuda/each.cuh"
#include "cuda/kernels.h"

#include <cub/device/device_scan.cuh>
#include <mass/impl/launch.h>
#include <string.h>

namespace {

constexpr size_t TOTALS = 256; /* bytes of the scratch memory before that of the scan */

struct totals {
    unsigned long long born;
    uint32_t any;
};

/* Returns the number of cells of all worlds. */
uint64_t cells_of(const mass_sprout_work *w) { return (uint64_t)w->worlds * (uint64_t)w->places; }

/* Returns whether the gate of a cell's world is closed: no agent is born there, and requests stay. */
__device__ bool is_closed(const mass_sprout_work &w, uint64_t cell)
{
    return w.gates && w.gates[cell / (uint64_t)w.places];
}

/* Returns the number of agents in the cells before `cell`. */
__device__ uint32_t first_agent(const mass_sprout_work &w, uint64_t cell)
{
    if (!w.occupancy) return w.start[cell];
    const mass_seats s = w.occupancy[cell / 32];
    return s.before + (uint32_t)__popc(s.held & ((1u << cell % 32) - 1));
}

/* Sets before[cell] to the sprouts that are born on the cell, and before[cells] to 0. Adds them to all->born, and sets
 * all->any if an open cell has a request. */
__global__ void admit(const mass_sprout_work w, uint64_t cells, totals *all)
{
    unsigned long long born = 0;
    uint32_t any = 0;
    EACH(c, cells + 1) {
        const uint32_t asked = c < cells ? w.asked[c] : 0;
        uint32_t births = 0;
        if (asked && !is_closed(w, c)) {
            any = 1;
            births = asked & 0xffff;
            if (w.capacity && births) {
                const uint32_t held = w.occupancy ? w.occupancy[c / 32].held >> c % 32 & 1
                                                  : w.start[c + 1] - w.start[c];
                const uint32_t seats = held < w.capacity ? w.capacity - held : 0;
                births = births < seats ? births : seats;
            }
        }
        w.before[c] = births;
        born += births;
    }
    if (born) atomicAdd(&all->born, born);
    if (any) all->any = 1;
}

/* ---- the merge ---- */

/* Copies ids, cells and flags of the agents to their new indices. */
__global__ void move_agents(const mass_sprout_work w)
{
    EACH(i, *w.count) {
        const uint32_t cell = w.cell[i];
        const uint64_t to = i + w.before[cell];
        w.id_to[to] = w.id[i];
        w.cell_to[to] = cell;
        w.lost_to[to] = w.lost[i];
    }
}

/* Adds the ids, cells and flags of the sprouts of each cell behind its agents. */
__global__ void add_agents(const mass_sprout_work w, uint64_t cells)
{
    EACH(c, cells) {
        const uint32_t before = w.before[c], births = w.before[c + 1] - before;
        if (births == 0) continue;
        const uint64_t world = c / (uint64_t)w.places;
        const uint64_t id = w.id_base[world] + (before - w.before[world * (uint64_t)w.places]);
        const uint32_t to = first_agent(w, c + 1) + before;
        for (uint32_t k = 0; k < births; k++) {
            w.id_to[to + k] = id + k;
            w.cell_to[to + k] = (uint32_t)c;
            w.lost_to[to + k] = 0;
        }
    }
}

/* Copies an array's values to the new indices of their agents. */
template <class T>
__global__ void move_values(const mass_sprout_work w, const char *from, char *to, size_t size)
{
    EACH(i, *w.count) copy_element<T>(to + (i + w.before[w.cell[i]]) * size, from + i * size, size);
}

/* Writes an array's values of the sprouts. */
template <class T>
__global__ void add_values(const mass_sprout_work w, uint64_t cells, const char *value, char *to, size_t size)
{
    EACH(c, cells) {
        const uint32_t before = w.before[c], births = w.before[c + 1] - before;
        if (births == 0) continue;
        const uint64_t first = first_agent(w, c + 1) + before;
        for (uint32_t k = 0; k < births; k++)
            copy_element<T>(to + (first + k) * size, value + (k * cells + c) * size, size);
    }
}

/* A part of an element, which a kernel gets by value. */
struct chunk {
    uint32_t at, bytes;
    unsigned char byte[64];
};

/* Writes a part of the default of the sprouts of each cell. */
__global__ void add_defaults(const mass_sprout_work w, uint64_t cells, const __grid_constant__ chunk part, char *to,
                             size_t size)
{
    EACH(c, cells) {
        const uint32_t before = w.before[c], births = w.before[c + 1] - before;
        if (births == 0) continue;
        const uint64_t first = first_agent(w, c + 1) + before;
        for (uint32_t k = 0; k < births; k++)
            for (uint32_t b = 0; b < part.bytes; b++) to[(first + k) * size + part.at + b] = (char)part.byte[b];
    }
}

/* Writes the positions of the sprouts of each cell. */
__global__ void add_points(const mass_sprout_work w, uint64_t cells, char *to, size_t size)
{
    EACH(c, cells) {
        const uint32_t before = w.before[c], births = w.before[c + 1] - before;
        if (births == 0) continue;
        const uint64_t world = c / (uint64_t)w.places, first = first_agent(w, c + 1) + before;
        const uint64_t id = w.id_base[world] + (before - w.before[world * (uint64_t)w.places]);
        for (uint32_t k = 0; k < births; k++)
            mass_point_of_agent(&w.draws, (int32_t)world, (mass_gidx)(c % (uint64_t)w.places), id + k,
                                to + (first + k) * size);
    }
}

/* Updates the first agents of cells, or the occupancy bitmap. */
__global__ void move_starts(const mass_sprout_work w, uint64_t cells)
{
    if (!w.occupancy) {
        EACH(c, cells + 1) w.start[c] += w.before[c];
        return;
    }
    EACH(word, cells / 32 + 1) {
        mass_seats s = w.occupancy[word];
        s.before += w.before[word * 32];
        for (uint32_t bit = 0; bit < 32 && word * 32 + bit < cells; bit++)
            if (w.before[word * 32 + bit + 1] != w.before[word * 32 + bit]) s.held |= 1u << bit;
        w.occupancy[word] = s;
    }
}

/* Updates the tallies and next ids of worlds and the number of agents; with a bitmap, also the first agent of each
 * world. */
__global__ void count_worlds(const mass_sprout_work w, uint64_t cells)
{
    EACH(i, (uint64_t)w.worlds + 1) {
        const uint64_t first = i * (uint64_t)w.places;
        if (w.occupancy) w.start[first] += w.before[first];
        if (i == (uint64_t)w.worlds) {
            *w.count += w.before[cells];
            continue;
        }
        const uint32_t born = w.before[first + (uint64_t)w.places] - w.before[first];
        w.next_id[i] += born;
        if (w.born) w.born[i] += born;
    }
}

/* ---- requests ---- */

/* Writes a part of the default to the values that may differ from it. */
__global__ void reset_values(const mass_sprout_work w, uint64_t cells, const __grid_constant__ chunk part, char *value,
                             size_t size)
{
    EACH(c, cells) {
        const uint32_t asked = w.asked[c];
        if (!asked || is_closed(w, c)) continue;
        for (uint32_t k = 0; k < asked >> 16; k++)
            for (uint32_t b = 0; b < part.bytes; b++)
                value[(k * cells + c) * size + part.at + b] = (char)part.byte[b];
    }
}

/* Clears the requests of open cells, and counts the births for which there was no seat. If there are any, sets
 * *w.ignored. */
__global__ void clear_requests(const mass_sprout_work w, uint64_t cells)
{
    EACH(c, cells) {
        const uint32_t asked = w.asked[c];
        if (!asked || is_closed(w, c)) continue;
        const uint32_t unborn = (asked & 0xffff) - (w.before ? w.before[c + 1] - w.before[c] : 0);
        w.asked[c] = 0;
        if (unborn && w.ignored && !*w.ignored) *w.ignored = 1;
        if (unborn && w.unborn && w.before)
            atomicAdd((unsigned long long *)&w.unborn[c / (uint64_t)w.places], (unsigned long long)unborn);
    }
}

/* Returns the part of an element from byte `at` on. */
chunk chunk_of(const mass_sprout_array *a, size_t at)
{
    chunk c = {};
    c.at = (uint32_t)at;
    c.bytes = (uint32_t)(a->size - at < sizeof c.byte ? a->size - at : sizeof c.byte);
    memcpy(c.byte, (const char *)a->initial + at, c.bytes);
    return c;
}

/* Queues the values of one array. */
template <class T>
void queue_values(cudaStream_t stream, const mass_sprout_work *w, const mass_sprout_array *a, uint64_t cells)
{
    move_values<T><<<BLOCKS, THREADS, 0, stream>>>(*w, (const char *)a->from, (char *)a->to, a->size);
    if (a - w->arrays == w->points)
        add_points<<<blocks_for(cells), THREADS, 0, stream>>>(*w, cells, (char *)a->to, a->size);
    else if (a->value)
        add_values<T><<<blocks_for(cells), THREADS, 0, stream>>>(*w, cells, (const char *)a->value, (char *)a->to,
                                                                 a->size);
    else
        for (size_t at = 0; at < a->size; at += sizeof(chunk::byte))
            add_defaults<<<blocks_for(cells), THREADS, 0, stream>>>(*w, cells, chunk_of(a, at), (char *)a->to, a->size);
}

/* Queues the values of one array: those of the old agents at their new places, and the first ones of agents that are
 * born. It copies in numbers as large as the element's size allows. */
void queue_array(cudaStream_t stream, const mass_sprout_work *w, const mass_sprout_array *a, uint64_t cells)
{
    if (a->size % 8 == 0) queue_values<uint64_t>(stream, w, a, cells);
    else if (a->size % 4 == 0) queue_values<uint32_t>(stream, w, a, cells);
    else if (a->size % 2 == 0) queue_values<uint16_t>(stream, w, a, cells);
    else queue_values<uint8_t>(stream, w, a, cells);
}

} // namespace

extern "C" size_t mass_cuda_sprout_scratch(const mass_sprout_work *w)
{
    size_t bytes = 0;
    cub::DeviceScan::ExclusiveSum(nullptr, bytes, w->before, w->before, cells_of(w) + 1);
    return TOTALS + bytes;
}

extern "C" cudaError_t mass_cuda_sprout_count(cudaStream_t stream, const mass_sprout_work *w, void *scratch,
                                              uint64_t *born, bool *any)
{
    totals *const there = (totals *)scratch;
    totals here = {};
    const uint64_t cells = cells_of(w);
    size_t bytes = mass_cuda_sprout_scratch(w) - TOTALS;
    cudaError_t error = cudaMemsetAsync(there, 0, sizeof here, stream);
    if (error != cudaSuccess) return error;
    admit<<<blocks_for(cells), THREADS, 0, stream>>>(*w, cells, there);
    error = cub::DeviceScan::ExclusiveSum((char *)scratch + TOTALS, bytes, w->before, w->before, cells + 1, stream);
    if (error == cudaSuccess) error = cudaMemcpyAsync(&here, there, sizeof here, cudaMemcpyDeviceToHost, stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
    *born = here.born;
    *any = here.any != 0;
    return error != cudaSuccess ? error : cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_sprout_grow(cudaStream_t stream, const mass_sprout_work *w)
{
    const uint64_t cells = cells_of(w);
    move_agents<<<BLOCKS, THREADS, 0, stream>>>(*w);
    add_agents<<<blocks_for(cells), THREADS, 0, stream>>>(*w, cells);
    for (uint32_t i = 0; i < w->array_count; i++) queue_array(stream, w, &w->arrays[i], cells);
    move_starts<<<blocks_for(cells), THREADS, 0, stream>>>(*w, cells);
    count_worlds<<<blocks_for((uint64_t)w->worlds), THREADS, 0, stream>>>(*w, cells);
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_sprout_clear(cudaStream_t stream, const mass_sprout_work *w)
{
    const uint64_t cells = cells_of(w);
    for (uint32_t i = 0; i < w->array_count; i++)
        for (size_t at = 0; w->arrays[i].value && at < w->arrays[i].size; at += sizeof(chunk::byte))
            reset_values<<<blocks_for(cells), THREADS, 0, stream>>>(*w, cells, chunk_of(&w->arrays[i], at),
                                                                    (char *)w->arrays[i].value, w->arrays[i].size);
    clear_requests<<<blocks_for(cells), THREADS, 0, stream>>>(*w, cells);
    return cudaGetLastError();
}
