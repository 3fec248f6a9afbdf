/* SPDX-License-Identifier: Apache-2.0 */
/* The memory layout of a partition's places: rows of `pitch` elements with ghosts on all sides. All arrays of a
 * space have the same layout. Pure arithmetic. */
#ifndef MASS_ENGINE_LAYOUT_H
#define MASS_ENGINE_LAYOUT_H

#include "model/model.h"

/* Bytes of the widest word for copies of memory. No such word contains ghosts of two rows. So rows with their ghosts
 * can be copied in whole words. */
enum { MASS_LAYOUT_WIDE = 16 };

typedef struct mass_layout {
    mass_gidx origin[3];  /* global coordinates of the first place */
    mass_lidx extent[3];
    int32_t ghost[3];
    int64_t pitch, plane, world_stride; /* in elements */
    int64_t first;    /* the element of place (0, 0, 0) of world 0 */
    int64_t elements; /* of all worlds, with ghosts, padding and what a wide load may touch at the end */
} mass_layout;

/* Returns the axis that partitions cut: the slowest one of the space. */
static inline uint32_t mass_slab_axis(const mass_space_def *s) { return s->dimensions - 1; }

/* In a space with attributes of bits, pitch, plane, world_stride, first and elements are multiples of MASS_BITS_LINE
 * (bits.h). So place 0 of every row begins a cache line. A whole word is before it, and one is after the last ghost
 * of the row. */

/* Makes the layout of a partition with `rows` rows along the slab axis, from row `first` on. Returns false if its size
 * is beyond the address range, and leaves *out unchanged then. */
bool mass_layout_make(const mass_model *m, uint32_t space, mass_gidx first, mass_gidx rows, int32_t worlds,
                      mass_layout *out);

#endif
