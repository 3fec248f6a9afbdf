/* SPDX-License-Identifier: Apache-2.0 */
/* How the places of one partition lie in memory: rows of `pitch` elements with ghosts on all sides,
 * the same for every array of a space. Pure arithmetic. */
#ifndef MASS_ENGINE_LAYOUT_H
#define MASS_ENGINE_LAYOUT_H

#include "model/model.h"

/* Bytes of a word that memory is copied in at best. Between two rows, those that the ghosts of either begin and end in
 * hold nothing of the other's, so that rows with their ghosts may be copied in whole words. */
enum { MASS_LAYOUT_WIDE = 16 };

typedef struct mass_layout {
    mass_gidx origin[3];  /* global coordinates of the first place */
    mass_lidx extent[3];
    int32_t ghost[3];
    int64_t pitch, plane, world_stride; /* in elements */
    int64_t first;    /* element of place (0, 0, 0) of world 0 */
    int64_t elements; /* of all worlds, with ghosts, padding and what a wide load may touch beyond */
} mass_layout;

/* The axis that partitions cut: the slowest one of the space. */
static inline uint32_t mass_slab_axis(const mass_space_def *s) { return s->dimensions - 1; }

/* In a space with attributes of bits, pitch, plane, world_stride, first and elements are multiples of MASS_BITS_LINE
 * (bits.h), so that place 0 of every row begins a cache line; a whole word lies before it, and behind the last ghost of
 * the row. */

/* Layout of a partition that has `rows` rows along that axis, from row `first` on. False if it is beyond what can be
 * addressed. */
bool mass_layout_make(const mass_model *m, uint32_t space, mass_gidx first, mass_gidx rows, int32_t worlds,
                      mass_layout *out);

#endif
