/* SPDX-License-Identifier: Apache-2.0 */
/* Models with one f32 for each place on a torus: the rows of a table. Each is checked against a few plain lines, and
 * measured next to a copy of as many bytes. */
#ifndef MASS_BENCH_SHAPE_H
#define MASS_BENCH_SHAPE_H

#include "check.h"
#include "subject.h"

typedef struct bench_shape {
    const char *label; /* of its row */
    const char *plugin; /* its name, or a path */
    const mass_setting *settings;
    uint32_t setting_count, dimensions;
    mass_gidx size;        /* extent along each axis */
    mass_gidx odd_size[3]; /* an unusual size that is checked first; 0: none */
    bench_reference *reference;
} bench_shape;

/* Opens the device of the options and prints a row for each shape, of the options' size if they have one. */
mass_status bench_shapes(const char *command, const bench_shape *shapes, int count, const bench_options *o,
                         mass_error *error);

/* Returns the element at (x, y, z), which may be up to an extent beyond an edge. */
static inline float bench_shape_at(const float *f, const mass_gidx size[3], mass_gidx x, mass_gidx y, mass_gidx z)
{
    return f[(bench_wrap(z, size[2]) * size[1] + bench_wrap(y, size[1])) * size[0] + bench_wrap(x, size[0])];
}

#endif
