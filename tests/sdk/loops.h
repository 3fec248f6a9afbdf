/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU loops of a callback, in every form that this processor can run. The arrays of partitions show writes to
 * elements that must not change. */
#ifndef MASS_TESTS_LOOPS_H
#define MASS_TESTS_LOOPS_H

#include <mass/callback.h>

/* The next CPU form after *at that this processor runs, or NULL; starts with *at = 0. */
const mass_form *next_form(const mass_callback *callback, uint32_t *at);

#define EACH_FORM(form, callback) \
    uint32_t form##_at = 0;       \
    for (const mass_form *form; (form = next_form(&(callback), &form##_at));)

/* Returns a launch over a partition of a torus, with gaps between its rows, planes and worlds. Ghosts are 3 deep along
 * x, and along y and z if they are longer than 1. */
mass_launch launch_of(int nx, int ny, int nz, int worlds);
mass_range whole(const mass_launch *l);

/* Loops over all places of all worlds; and the position of a place in an array. */
#define EACH_PLACE(l, w, z, y, x)                    \
    for (int w = 0; w < (l)->worlds; w++)            \
        for (int z = 0; z < (l)->extent[2]; z++)     \
            for (int y = 0; y < (l)->extent[1]; y++) \
                for (int x = 0; x < (l)->extent[0]; x++)

/* Returns the element of a place in the arrays of a launch. */
static inline int64_t place_at(const mass_launch *l, int w, int z, int y, int x)
{
    return w * l->world_stride + z * l->plane + y * l->pitch + x;
}

/* Returns an attribute's array at its first place; ghosts and gaps are around it. */
void *array_of(const mass_launch *l, size_t size);
void array_free(const mass_launch *l, void *array, size_t size);
/* Fills every byte of an array, with ghosts and gaps, from a seeded sequence. */
void scramble(const mass_launch *l, void *array, size_t size, uint32_t seed);
void expect_equal(const mass_launch *l, const void *got, const void *expected, size_t size, const mass_form *form);

#endif
