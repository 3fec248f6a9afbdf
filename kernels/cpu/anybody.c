/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that callbacks search: agents by their ids, and full places (anybody.h). */
#include "cpu/kernels.h"

#include <mass/impl/seats.h>

/* Puts an agent into the first empty slot from its own on. */
static void put(const mass_index_work *w, int32_t world, uint32_t agent)
{
    uint32_t slot = mass_slot_of(world, w->id[agent], w->last_slot);
    while (w->slots[slot] != MASS_NOBODY) slot = (slot + 1) & w->last_slot;
    w->slots[slot] = agent;
}

void mass_cpu_index(const mass_index_work *w)
{
    for (size_t i = 0; i <= w->last_slot; i++) w->slots[i] = MASS_NOBODY;
    for (int32_t world = 0; world < w->worlds; world++)
        for (uint32_t i = w->start[world * w->stride]; i < w->start[(world + 1) * w->stride]; i++) put(w, world, i);
}

/* Returns whether a cell has no free seat. */
static bool is_full(const mass_full_work *w, uint64_t cell)
{
    if (w->occupancy) return w->capacity <= (w->occupancy[cell / 32].held >> cell % 32 & 1);
    return w->start[cell + 1] - w->start[cell] >= w->capacity;
}

void mass_cpu_find_full(const mass_full_work *w)
{
    uint32_t before = 0;
    for (uint64_t first = 0; first <= w->cells; first += 32) {
        uint32_t held = 0;
        for (uint64_t cell = first; cell < first + 32 && cell < w->cells; cell++)
            held |= (uint32_t)is_full(w, cell) << (cell - first);
        w->full[first / 32] = (mass_seats){held, before};
        before += mass_ones_u32(held);
    }
}
