/* SPDX-License-Identifier: Apache-2.0 */
/* Copies places of a partition to a copy of the whole space, and back (turn.h). */
#include "bits.h"
#include "cpu/kernels.h"

#include <string.h>

/* A row of a partition, in its array and in the copy. */
typedef struct copied_row {
    char *place, *copy;
    int64_t count;
    size_t size; /* as in the work */
} copied_row;

/* Copies a row of the partition to the copy, bits as bytes of 0 or 1. */
static void read_row(const copied_row *r)
{
    if (r->size) memcpy(r->copy, r->place, (size_t)r->count * r->size);
    else mass_bits_unpack((uint8_t *)r->copy, (const uint8_t *)r->place, r->count);
}

/* Copies a row back. Leaves the bits behind a row, which are of ghosts, as they are. */
static void write_row(const copied_row *r)
{
    if (r->size) {
        memcpy(r->place, r->copy, (size_t)r->count * r->size);
        return;
    }
    const int64_t whole = r->count / 8 * 8;
    uint8_t *const last = (uint8_t *)r->place + r->count / 8;
    mass_bits_pack((uint8_t *)r->place, (const uint8_t *)r->copy, whole);
    for (int64_t i = whole; i < r->count; i++)
        *last = (uint8_t)((*last & ~(1u << (i - whole))) | (unsigned)(r->copy[i] != 0) << (i - whole));
}

void mass_cpu_turn_copy_places(const mass_turn_places_work *w, bool back)
{
    for (int32_t world = 0; world < w->worlds; world++)
        for (int64_t z = 0; z < w->extent[2]; z++)
            for (int64_t y = 0; y < w->extent[1]; y++) {
                const int64_t element = world * w->world_stride + z * w->plane + y * w->pitch;
                const int64_t row = (world * w->space[2] + w->origin[2] + z) * w->space[1] + w->origin[1] + y;
                const int64_t place = row * w->space[0] + w->origin[0];
                const copied_row r = {w->place + (w->size ? element * (int64_t)w->size : element / 8),
                                      w->copy + place * (int64_t)(w->size ? w->size : 1), w->extent[0], w->size};
                if (back) write_row(&r);
                else read_row(&r);
            }
}
