/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares a manage: lays out its arrays in scratch, and sets how its kernels are launched. */
#ifndef MASS_KERNELS_CUDA_MANAGE_SCRATCH_H
#define MASS_KERNELS_CUDA_MANAGE_SCRATCH_H

#include "manage_scan.cuh"

namespace {

/* Returns the tiles of a scan over n elements: at least one. */
size_t tiles_of(uint64_t n) { return n ? (n - 1) / SCAN_TILE + 1 : 1; }

/* Takes n elements of scratch memory for an array. */
template <class T> void take(T **array, char *scratch, size_t *used, uint64_t n)
{
    *array = (T *)(scratch + *used);
    *used += (n * sizeof(T) + 255) / 256 * 256;
}

/* Lays out all arrays for `room` agents, and sets by_bits and counted. t->w, t->single and the numbers in t->remote
 * must be set. Returns their size; *zeroed is the size of the part that must begin as zeros. */
size_t lay_out(task *t, char *scratch, uint64_t room, size_t *zeroed)
{
    const mass_manage_work &w = t->w;
    const uint64_t cells = (uint64_t)w.worlds * (uint64_t)w.places, births = w.children * room;
    const uint64_t claims = w.capacity > 1 && births > room ? births : room;
    const bool ranks = w.capacity > 1, lists = !t->single;
    const uint64_t born = t->remote.births; /* on any rank */
    t->by_bits = t->single && w.children == 1;
    t->counted = t->single && !t->remote.cut && (w.children == 0 || w.order.leaves == MASS_ORDER_ANY) &&
                 cells >= mass_cuda_places_to_count;
    size_t used = 0;
    take(&t->stages, scratch, &used, STAGES);
    take(&t->born, scratch, &used, 1);
    take(&t->asks, scratch, &used, ASKS);
    take(&t->dead, scratch, &used, 1);
    take(&t->worlds, scratch, &used, (uint64_t)w.worlds);
    take(&t->status[BIRTH_CLAIMS], scratch, &used, ranks && births ? tiles_of(cells) : 0);
    take(&t->status[MOVE_CLAIMS], scratch, &used, ranks || t->counted ? tiles_of(cells) : 0);
    take(&t->status[BIRTHS], scratch, &used, births ? tiles_of(room) : 0);
    take(&t->status[AGENTS], scratch, &used, tiles_of(cells));
    const bool bytes = lists && !t->remote.cut && cells >= mass_cuda_places_to_count / 8;
    take(&t->many, scratch, &used, bytes);
    take(&t->few, scratch, &used, bytes ? cells / 32 * 8 + 8 : 0);
    if (!bytes) t->few = NULL;
    if (!bytes) take(&t->occupancy, scratch, &used, lists ? cells : cells / 32 + 1);
    take(&t->freed, scratch, &used, lists && w.capacity ? cells : 0);
    take(&t->claims, scratch, &used, lists && w.capacity ? cells + 1 : 0);
    take(&t->remote.counted, scratch, &used, t->single && t->remote.cut ? 1 : 0);
    take(&t->remote.returned, scratch, &used, t->single ? t->remote.claims : 0);
    take(&t->remote.claimed, scratch, &used, t->single ? t->remote.claims : 0);
    take(&t->births, scratch, &used, t->by_bits ? room / 32 + 1 : 0);
    take(&t->sought_bits, scratch, &used, t->counted ? cells / 32 + 1 : 0);
    *zeroed = used;
    take(&t->dying, scratch, &used, t->by_bits && w.occupancy ? cells / 32 + 1 : 0);
    if (w.order.finds == MASS_ORDER_ANY && t->by_bits) *zeroed = used;
    if (t->single) take(&t->claims, scratch, &used, t->counted ? room : cells);
    take(&t->sought, scratch, &used, t->counted ? cells / 32 + 1 : 0);
    take(&t->held, scratch, &used, lists || w.occupancy ? 0 : cells / 32 + 1);
    if (w.occupancy) t->held = (uint2 *)w.occupancy;
    if (bytes) take(&t->occupancy, scratch, &used, cells);
    take(&t->before_few, scratch, &used, bytes ? cells / 32 + 1 : 0);
    take(&t->before, scratch, &used, 1);
    take(&t->seat, scratch, &used, lists ? room : 0);
    take(&t->moving, scratch, &used, lists ? 0 : (room / TILE + 1) * (TILE / 32));
    take(&t->parents, scratch, &used, lists || births == 0 ? 0 : (room / TILE + 1) * (TILE / 32));
    take(&t->order, scratch, &used, claims);
    take(&t->sorted, scratch, &used, t->single && births == 0 ? 0 : claims > born ? claims : born);
    take(&t->birth_seat, scratch, &used, w.capacity ? births : 0);
    take(&t->newborn, scratch, &used, births == 0 ? 0 : room > born ? room : born);
    take(&t->state, scratch, &used, (lists ? w.capacity != 0 : t->remote.cut) ? room : 0);
    take(&t->crowded, scratch, &used, lists ? claims / CROWD + 1 : 0);
    take(&t->remote.arrival_seat, scratch, &used, t->remote.arrival_count);
    take(&t->remote.askers, scratch, &used, t->remote.leaver_room);
    take(&t->remote.leavers, scratch, &used, t->remote.leaver_room);
    take(&t->remote.places, scratch, &used, t->remote.leaver_room + t->remote.arrival_count);
    take(&t->remote.items, scratch, &used, t->remote.leaver_room + t->remote.arrival_count);
    return used;
}

/* Returns whether sub-phase a comes before sub-phase b. */
bool comes_first(const mass_manage_work *w, uint32_t a, uint32_t b)
{
    for (int i = 0; i < 3; i++) {
        if (w->sub_phases[i] == a) return true;
        if (w->sub_phases[i] == b) return false;
    }
    return false;
}

/* Finds out how many blocks the GPU takes, and sets the launcher's numbers of blocks, and whether kernels overlap. The
 * work must be set. */
cudaError_t prepare(launcher *l)
{
    constexpr uint32_t BLOCKS_EACH = 32;
    int device;
    cudaError_t result = cudaGetDevice(&device);
    if (result == cudaSuccess)
        result = cudaDeviceGetAttribute(&l->processors, cudaDevAttrMultiProcessorCount, device);
    int major = 0;
    if (result == cudaSuccess) result = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    if (result != cudaSuccess) return result;
    l->overlaps = major >= 9 && mass_cuda_may_overlap(NULL);
    const uint32_t most = (uint32_t)l->processors * BLOCKS_EACH, needed = (l->t.w.room + THREADS - 1) / THREADS;
    l->blocks = needed < most ? needed : most;
    l->tiled = (l->blocks + TILE / THREADS - 1) / (TILE / THREADS);
    return cudaSuccess;
}

/* Sets all of the task but its scratch, `single` and `remote`. */
void set_work(launcher *l, const mass_manage_work *w, mass_stop *stop, cudaStream_t stream)
{
    *l = {};
    l->stream = stream;
    l->t.w = *w;
    l->t.stop = stop;
    l->t.cells = (uint32_t)((uint64_t)w->worlds * (uint64_t)w->places);
    l->t.kill_first = comes_first(w, MASS_KILL, MASS_MIGRATE);
    l->t.move_first = comes_first(w, MASS_MIGRATE, MASS_SPAWN);
    l->t.kill_before_spawn = comes_first(w, MASS_KILL, MASS_SPAWN);
    l->t.decides = w->capacity != 0;
}

/* Returns whether a manage of the population may find and leave agents in any order. */
bool takes_any_order(const mass_manage_work *w) { return w->occupancy && !w->gates && w->children <= 1; }

/* Returns whether agents or possible births exceed the numbers that items can have. */
bool is_too_large(const mass_manage_work *w)
{
    return w->room > MASS_CUDA_ROOM_MOST || (uint64_t)w->children * w->room > (uint64_t)2 * MASS_CUDA_ROOM_MOST;
}

} // namespace
#endif
