/* SPDX-License-Identifier: Apache-2.0 */
#include "split/layout.h"

#include "bits.h"

enum { LINE = 64, STRIP = 8, SLACK = 64, WIDE = MASS_LAYOUT_WIDE };

/* Returns the bytes of the smallest element of the space; LINE at the most, and if it has no array. */
static int64_t smallest_element(const mass_model *m, const mass_space_def *s)
{
    size_t smallest = LINE;
    for (uint32_t i = 0; i < s->array_count; i++) {
        const size_t size = m->arrays[s->first_array + i].element_size;
        if (size < smallest) smallest = size;
    }
    return (int64_t)smallest;
}

/* Returns true if an array of the space is of bits. */
static bool has_bits(const mass_model *m, const mass_space_def *s)
{
    bool bits = false;
    for (uint32_t i = 0; i < s->array_count; i++) bits |= m->arrays[s->first_array + i].bits;
    return bits;
}

/* Returns the unit of a row's pitch, in elements. So x = 0 starts a cache line for the smallest elements, and a
 * strip for elements of any size. */
static int64_t row_quantum(int64_t smallest)
{
    int64_t quantum = STRIP; /* a power of two */
    while (quantum * smallest < LINE) quantum *= 2;
    return quantum;
}

/* Returns the least number of elements between the places of two rows. It has room for the ghosts of both and for a
 * strip. Either row can be copied with its ghosts in whole words of WIDE bytes. */
static int64_t gap_of(int64_t ghost, int64_t smallest)
{
    const int64_t strip = ghost + (ghost > STRIP - 1 ? ghost : STRIP - 1);
    const int64_t words = 2 * (ghost + (WIDE - 1 + smallest - 1) / smallest);
    return strip > words ? strip : words;
}

/* Returns the least multiple of `quantum` that is not below the value. */
static int64_t round_up(int64_t value, int64_t quantum) { return (value + quantum - 1) / quantum * quantum; }

/* Returns the least number of elements between the places of two rows of bits. The ghosts after a row and those before
 * the next row are in separate words. A whole word is between them, and one on either side of a row, so that loads of
 * neighbouring words are valid. */
static int64_t gap_of_bits(int64_t extent, int64_t ghost)
{
    const int64_t end = round_up(extent + ghost, MASS_BITS_WORD) + MASS_BITS_WORD;
    return end + round_up(ghost, MASS_BITS_WORD) - extent;
}

bool mass_layout_make(const mass_model *m, uint32_t space, mass_gidx first, mass_gidx rows, int32_t worlds,
                      mass_layout *out)
{
    const mass_space_def *s = &m->spaces[space];
    mass_layout l = {0};
    for (uint32_t a = 0; a < 3; a++) {
        l.ghost[a] = s->ghost[a];
        l.extent[a] = (mass_lidx)s->size[a];
    }
    const uint32_t slab = mass_slab_axis(s);
    l.origin[slab] = first;
    l.extent[slab] = (mass_lidx)rows;

    const bool bits = has_bits(m, s);
    const int64_t smallest = smallest_element(m, s), quantum = bits ? MASS_BITS_LINE : row_quantum(smallest);
    const int64_t left = round_up(l.ghost[0] + (bits ? MASS_BITS_WORD : 0), quantum);
    const int64_t of_bytes = gap_of(l.ghost[0], smallest), of_bits = gap_of_bits(l.extent[0], l.ghost[0]);
    const int64_t gap = bits && of_bits > of_bytes ? of_bits : of_bytes;
    l.pitch = round_up(l.extent[0] + gap, quantum); /* the ghosts of two rows may share a cache line */
    __int128 total = l.pitch;
    total *= l.extent[1] + 2 * (int64_t)l.ghost[1];
    l.plane = (int64_t)total;
    total *= l.extent[2] + 2 * (int64_t)l.ghost[2];
    l.world_stride = (int64_t)total;
    l.first = l.ghost[2] * l.plane + l.ghost[1] * l.pitch + left;
    total = total * worlds + left + (bits ? MASS_BITS_LINE : SLACK);
    if (total > INT64_MAX / 4096) return false;
    l.elements = (int64_t)total;
    *out = l;
    return true;
}
