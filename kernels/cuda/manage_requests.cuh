/* SPDX-License-Identifier: Apache-2.0 */
/* Requests, once their agents are in the new order. Those of open worlds are reset, by the kernel that puts agents into
 * order if all worlds are open (resets_at_once). Those of closed worlds move with their agents. Kernels do nothing once
 * queued work has stopped. */
#ifndef MASS_KERNELS_CUDA_MANAGE_REQUESTS_H
#define MASS_KERNELS_CUDA_MANAGE_REQUESTS_H

#include "manage_task.cuh"

namespace {

/* Returns whether all requests may be reset at once. With a closed world, its requests must be moved first. */
__device__ __forceinline__ bool resets_at_once(const task &t)
{
    return !t.w.gates || (t.w.worlds == 1 && t.w.gates[0] == 0);
}

/* Clears the requests of agent i to move, die and give birth. */
__device__ __forceinline__ void reset(const task &t, uint32_t i)
{
    t.w.move[i] = MASS_CELL_STAY;
    t.w.asked[i] = 0;
}

/* Returns whether the last kernel that reads an agent's requests resets them at its old index. It may if no birth needs
 * its parent's requests. */
__device__ __forceinline__ bool resets_where_they_were(const task &t)
{
    return resets_at_once(t) && t.w.children == 0 && !t.remote.cut;
}

/* Clears the requests of agent i, in memory only where it has some. */
__device__ __forceinline__ void end_requests(const task &t, uint32_t i, const agent &a)
{
    if (a.move != MASS_CELL_STAY) t.w.move[i] = MASS_CELL_STAY;
    if (a.asked) t.w.asked[i] = 0;
}

struct request_array {
    char *at;
    uint32_t size, rows; /* rows: of room elements each */
};

constexpr uint32_t REQUEST_ARRAYS = 64, KEEP_THREADS = 1024, KEEP_UNITS = 4;

struct request_arrays {
    uint32_t count;
    request_array a[REQUEST_ARRAYS];
};

/* Moves n units from `from` to `to`, which may overlap. One block calls it. */
template <class Unit> __device__ void move_units(Unit *to, const Unit *from, uint64_t n)
{
    constexpr uint64_t STEP = KEEP_THREADS * KEEP_UNITS;
    for (uint64_t done = 0; done < n; done += STEP) {
        const uint64_t left = n - done, now = left < STEP ? left : STEP, begin = to < from ? done : left - now;
        Unit unit[KEEP_UNITS];
        for (uint32_t k = 0; k < KEEP_UNITS; k++) {
            const uint64_t i = k * KEEP_THREADS + threadIdx.x;
            if (i < now) unit[k] = from[begin + i];
        }
        __syncthreads();
        for (uint32_t k = 0; k < KEEP_UNITS; k++) {
            const uint64_t i = k * KEEP_THREADS + threadIdx.x;
            if (i < now) to[begin + i] = unit[k];
        }
        __syncthreads();
    }
}

/* Moves a world's elements of one array to its new first index. All threads of the block call it. */
__device__ void keep_world(const task &t, char *row, uint32_t size, uint32_t world)
{
    const uint32_t to = t.w.start[(uint64_t)world * (uint64_t)t.w.places], from = t.worlds[world].first;
    const uint64_t bytes = (uint64_t)t.worlds[world].before * size;
    char *const a = row + (size_t)to * size, *const b = row + (size_t)from * size;
    if (size % 4 == 0) move_units((uint32_t *)a, (const uint32_t *)b, bytes / 4);
    else move_units(a, b, bytes);
}

/* Returns whether a world is closed, and its agents move to higher indices (up) or lower ones. */
__device__ bool is_shifted(const task &t, uint32_t world, bool up)
{
    if (world >= (uint32_t)t.w.worlds || t.w.gates[world] == 0) return false;
    const uint32_t to = t.w.start[(uint64_t)world * (uint64_t)t.w.places], from = t.worlds[world].first;
    return up ? to > from : to < from;
}

/* Moves worlds to lower indices in ascending order, or to higher ones (up) in descending order. So no world is
 * overwritten before it is moved. */
__device__ void keep_worlds(const task &t, char *row, uint32_t size, bool up)
{
    __shared__ bool shifted[KEEP_THREADS];
    const uint32_t groups = ((uint32_t)t.w.worlds + KEEP_THREADS - 1) / KEEP_THREADS;
    for (uint32_t g = 0; g < groups; g++) {
        const uint32_t first = (up ? groups - 1 - g : g) * KEEP_THREADS;
        shifted[threadIdx.x] = is_shifted(t, first + threadIdx.x, up);
        if (!__syncthreads_or(shifted[threadIdx.x])) continue;
        for (uint32_t k = 0; k < KEEP_THREADS; k++) {
            const uint32_t j = up ? KEEP_THREADS - 1 - k : k;
            if (shifted[j]) keep_world(t, row, size, first + j);
        }
        __syncthreads();
    }
}

/* Moves the requests of closed worlds. Each block handles one row of one array. */
__global__ void __launch_bounds__(KEEP_THREADS)
    keep_closed(const __grid_constant__ task t, const __grid_constant__ request_arrays arrays)
{
    if (is_stopped(t)) return;
    const request_array a = arrays.a[blockIdx.x];
    if (blockIdx.y >= a.rows) return;
    char *const row = a.at + (size_t)blockIdx.y * t.w.room * a.size;
    keep_worlds(t, row, a.size, false);
    keep_worlds(t, row, a.size, true);
}

/* Clears the requests of agents of open worlds, and of array elements that no agent holds any more. */
__global__ void reset_open(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    const uint32_t after = t.w.start[t.cells], all = t.single && *t.before > after ? *t.before : after;
    EACH(i, all) {
        if (i >= after || t.w.gates[world_of(t, t.w.cell_to[i])] == 0) reset(t, i);
    }
}

/* Queues the moves of these arrays' requests in closed worlds, and empties the list. */
void queue_keep(const launcher &l, request_arrays *arrays, uint32_t rows)
{
    if (arrays->count == 0) return;
    keep_closed<<<dim3(arrays->count, rows), KEEP_THREADS, 0, l.stream>>>(l.t, *arrays);
    arrays->count = 0;
}

/* Queues the end of a manage with gates: closed worlds keep their requests; open ones lose them. One world: does
 * nothing. */
void queue_requests(const launcher &l)
{
    const mass_manage_work &w = l.t.w;
    if (!w.gates || w.worlds == 1) return;
    const uint32_t rows = w.children ? w.children : 1;
    request_arrays arrays = {
        3, {{(char *)w.move, 4, 1}, {(char *)w.asked, 4, 1}, {(char *)w.child_cell, 4, w.children}}};
    if (w.remote_move) arrays.a[arrays.count++] = {(char *)w.remote_move, 8, 1};
    if (w.remote_child) arrays.a[arrays.count++] = {(char *)w.remote_child, 8, w.children};
    for (uint32_t i = 0; w.children && i < w.array_count; i++) {
        if (!w.arrays[i].child) continue;
        if (arrays.count == REQUEST_ARRAYS) queue_keep(l, &arrays, rows);
        arrays.a[arrays.count++] = {(char *)w.arrays[i].child, (uint32_t)w.arrays[i].size, w.children};
    }
    queue_keep(l, &arrays, rows);
    LAUNCH(l, reset_open);
}

} // namespace
#endif
