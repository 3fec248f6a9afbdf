/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/layout.h"

enum { LINE = 64, STRIP = 8, SLACK = 64 };

int32_t mass_slab_owner(const mass_space_def *s, mass_gidx at, int32_t count)
{
    const mass_gidx size = s->size[mass_slab_axis(s)];
    int32_t index = (int32_t)((__int128)at * count / size);
    while (mass_slab_start(s, index + 1, count) <= at) index++;
    return index;
}

/* Elements between starts of rows are a multiple of this, so that x = 0 starts a line in memory for
 * the smallest elements of the space, and a strip for elements of any size. */
static int64_t row_quantum(const mass_model *m, const mass_space_def *s)
{
    size_t smallest = LINE;
    for (uint32_t i = 0; i < s->array_count; i++) {
        const size_t size = m->arrays[s->first_array + i].element_size;
        if (size < smallest) smallest = size;
    }
    int64_t quantum = STRIP; /* a power of two */
    while (quantum * (int64_t)smallest < LINE) quantum *= 2;
    return quantum;
}

static int64_t round_up(int64_t value, int64_t quantum) { return (value + quantum - 1) / quantum * quantum; }

bool mass_layout_make(const mass_model *m, uint32_t space, int32_t index, int32_t count, int32_t worlds,
                      mass_layout *out)
{
    const mass_space_def *s = &m->spaces[space];
    mass_layout l = {0};
    for (uint32_t a = 0; a < 3; a++) {
        l.ghost[a] = s->ghost[a];
        l.extent[a] = (mass_lidx)s->size[a];
    }
    const uint32_t slab = mass_slab_axis(s);
    l.origin[slab] = mass_slab_start(s, index, count);
    l.extent[slab] = (mass_lidx)(mass_slab_start(s, index + 1, count) - l.origin[slab]);

    const int64_t quantum = row_quantum(m, s);
    const int64_t left = round_up(l.ghost[0], quantum);
    const int64_t right = l.ghost[0] > STRIP - 1 ? l.ghost[0] : STRIP - 1;
    l.pitch = round_up(l.extent[0] + right + l.ghost[0], quantum); /* the ghosts between two rows share lines */
    __int128 total = l.pitch;
    total *= l.extent[1] + 2 * (int64_t)l.ghost[1];
    l.plane = (int64_t)total;
    total *= l.extent[2] + 2 * (int64_t)l.ghost[2];
    l.world_stride = (int64_t)total;
    l.first = l.ghost[2] * l.plane + l.ghost[1] * l.pitch + left;
    total = total * worlds + left + SLACK;
    if (total > INT64_MAX / 4096) return false;
    l.elements = (int64_t)total;
    *out = l;
    return true;
}
