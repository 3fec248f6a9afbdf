/* SPDX-License-Identifier: Apache-2.0 */
/* Births, deaths and moves of a population (manage.h), queued one after another: who gets a seat, phase by phase, where
 * places have a capacity; the new order; what goes with the agents; the requests that stay. */
#include "manage_births.cuh"
#include "manage_moves.cuh"
#include "manage_order.cuh"
#include "manage_requests.cuh"
#include "manage_values.cuh"

namespace {

/* Scratch. */

size_t tiles_of(uint64_t n) { return n ? (n - 1) / SCAN_TILE + 1 : 1; }

template <class T> void take(T **array, char *scratch, size_t *used, uint64_t n)
{
    *array = (T *)(scratch + *used);
    *used += (n * sizeof(T) + 255) / 256 * 256;
}

/* Returns the size of it all; *zeroed is that of the part that begins as zeros. */
size_t lay_out(task *t, char *scratch, uint64_t room, size_t *zeroed)
{
    const mass_manage_work &w = t->w;
    const uint64_t cells = (uint64_t)w.worlds * (uint64_t)w.places, births = w.children * room;
    const uint64_t claims = w.capacity > 1 && births > room ? births : room;
    const bool ranks = w.capacity > 1;
    size_t used = 0;
    take(&t->stages, scratch, &used, STAGES);
    take(&t->born, scratch, &used, 1);
    take(&t->worlds, scratch, &used, (uint64_t)w.worlds);
    take(&t->status[BIRTH_CLAIMS], scratch, &used, ranks && births ? tiles_of(cells) : 0);
    take(&t->status[MOVE_CLAIMS], scratch, &used, ranks ? tiles_of(cells) : 0);
    take(&t->status[BIRTHS], scratch, &used, births ? tiles_of(room) : 0);
    take(&t->status[AGENTS], scratch, &used, tiles_of(cells));
    take(&t->seats, scratch, &used, cells);
    take(&t->freed, scratch, &used, w.capacity ? cells : 0);
    take(&t->claims, scratch, &used, w.capacity ? cells + 1 : 0);
    *zeroed = used;
    take(&t->seat, scratch, &used, room);
    take(&t->order, scratch, &used, claims);
    take(&t->sorted, scratch, &used, claims);
    take(&t->birth_seat, scratch, &used, w.capacity ? births : 0);
    take(&t->newborn, scratch, &used, births ? room : 0);
    take(&t->state, scratch, &used, w.capacity ? room : 0);
    take(&t->crowds, scratch, &used, claims / CROWD + 1);
    return used;
}

/* Launches. */

bool comes_first(const mass_manage_work *w, uint32_t a, uint32_t b)
{
    for (int i = 0; i < 3; i++) {
        if (w->order[i] == a) return true;
        if (w->order[i] == b) return false;
    }
    return false;
}

/* Who gets a seat. */
void queue_decisions(const launcher &l)
{
    const mass_manage_work &w = l.t.w;
    uint32_t phases = 0; /* that freed[] does not have yet */
    bool clean = true;
    for (int i = 0; i < 3; i++) {
        const bool births = w.order[i] == MASS_SPAWN && w.children, moves = w.order[i] == MASS_MIGRATE;
        if (births || moves) {
            if (!clean) cudaMemsetAsync(l.t.claims, 0, (l.t.cells + (size_t)1) * sizeof *l.t.claims, l.stream);
            if (births) queue_births(l, phases);
            else queue_moves(l, phases);
            phases = 0;
            clean = false;
        }
        if (w.order[i] != MASS_SPAWN || w.children) phases |= 1u << w.order[i];
    }
}

cudaError_t prepare(launcher *l)
{
    constexpr uint32_t BLOCKS_EACH = 32;
    int device;
    cudaError_t result = cudaGetDevice(&device);
    if (result == cudaSuccess)
        result = cudaDeviceGetAttribute(&l->processors, cudaDevAttrMultiProcessorCount, device);
    if (result != cudaSuccess) return result;
    const uint32_t most = (uint32_t)l->processors * BLOCKS_EACH, needed = (l->t.w.room + THREADS - 1) / THREADS;
    l->blocks = needed < most ? needed : most;
    return cudaSuccess;
}

} // namespace

extern "C" size_t mass_cuda_manage_scratch(const mass_manage_work *w, uint32_t room)
{
    task t = {};
    size_t zeroed;
    t.w = *w;
    return lay_out(&t, NULL, room, &zeroed);
}

extern "C" cudaError_t mass_cuda_manage(cudaStream_t stream, const mass_manage_work *w, void *scratch, mass_stop *stop)
{
    if (w->room == 0) return cudaSuccess;
    if (w->room >= 1u << 30 || (uint64_t)w->children * w->room >= (uint64_t)1 << 31) return cudaErrorInvalidValue;
    launcher l = {};
    l.stream = stream;
    l.t.w = *w;
    l.t.stop = stop;
    l.t.cells = (uint32_t)((uint64_t)w->worlds * (uint64_t)w->places);
    l.t.kill_first = comes_first(w, MASS_KILL, MASS_MIGRATE);
    l.t.move_first = comes_first(w, MASS_MIGRATE, MASS_SPAWN);
    size_t zeroed;
    lay_out(&l.t, (char *)scratch, w->room, &zeroed);
    cudaError_t result = prepare(&l);
    if (result == cudaSuccess) result = cudaMemsetAsync(scratch, 0, zeroed, stream);
    if (result != cudaSuccess) return result;
    if (w->capacity) queue_decisions(l);
    queue_order(l);
    queue_gather(l);
    queue_requests(l);
    return cudaGetLastError();
}
