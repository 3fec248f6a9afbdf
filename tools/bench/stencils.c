/* SPDX-License-Identifier: Apache-2.0 */
/* Stencils with the names of papers: shape, dimensions and radius, with one f32 for each place. */
#include "command.h"
#include "shape.h"

#include <stdio.h>
#include <string.h>

/* These have the weights of the model (models/stencils.c), in the order of its sums. */
static float star2d1r(const float *f, const mass_gidx size[3], mass_gidx x, mass_gidx y, mass_gidx z)
{
    return 0.5f * bench_shape_at(f, size, x, y, z) +
           0.125f * ((bench_shape_at(f, size, x - 1, y, z) + bench_shape_at(f, size, x + 1, y, z)) +
                     (bench_shape_at(f, size, x, y - 1, z) + bench_shape_at(f, size, x, y + 1, z)));
}

/* Returns the new value of a place: weights 1 2 1, 2 4 2, 1 2 1 over 16. The order of sums is the model's. */
static float box2d1r(const float *f, const mass_gidx size[3], mass_gidx x, mass_gidx y, mass_gidx z)
{
    float rows[3];
    for (int k = 0; k < 3; k++)
        rows[k] = bench_shape_at(f, size, x - 1, y + k - 1, z) + 2.0f * bench_shape_at(f, size, x, y + k - 1, z) +
                  bench_shape_at(f, size, x + 1, y + k - 1, z);
    return 0.0625f * (rows[0] + 2.0f * rows[1] + rows[2]);
}

/* Returns the new value of a place: 1/4 of itself and 1/8 of each of its six neighbours. The order of sums is the
 * model's. */
static float star3d1r(const float *f, const mass_gidx size[3], mass_gidx x, mass_gidx y, mass_gidx z)
{
    return 0.25f * bench_shape_at(f, size, x, y, z) +
           0.125f * (((bench_shape_at(f, size, x - 1, y, z) + bench_shape_at(f, size, x + 1, y, z)) +
                      (bench_shape_at(f, size, x, y - 1, z) + bench_shape_at(f, size, x, y + 1, z))) +
                     (bench_shape_at(f, size, x, y, z - 1) + bench_shape_at(f, size, x, y, z + 1)));
}

typedef float stencil(const float *f, const mass_gidx size[3], mass_gidx x, mass_gidx y, mass_gidx z);
/* Computes one step of all places; `value` gives the new value of each. */
static void step(const float *now, float *next, const mass_gidx size[3], stencil *value)
{
    for (mass_gidx z = 0; z < size[2]; z++)
        for (mass_gidx y = 0; y < size[1]; y++)
            for (mass_gidx x = 0; x < size[0]; x++)
                next[(z * size[1] + y) * size[0] + x] = value(now, size, x, y, z);
}
static void step_star2d1r(const void *now, void *next, const mass_gidx size[3]) { step(now, next, size, star2d1r); }
static void step_box2d1r(const void *now, void *next, const mass_gidx size[3]) { step(now, next, size, box2d1r); }
static void step_star3d1r(const void *now, void *next, const mass_gidx size[3]) { step(now, next, size, star3d1r); }

enum { SHAPES = 8 };

mass_status bench_stencils(const bench_options *o, mass_error *error)
{
    static const mass_setting star2[] = {{"shape", "star2d1r", NULL}}, box2[] = {{"shape", "box2d1r", NULL}},
                              star3[] = {{"shape", "star3d1r", NULL}};
    char plugin[PATH_MAX];
    const mass_status status = bench_beside("../lib/mass/bench/stencils.so", plugin, error);
    const bench_shape shapes[SHAPES] = {
        {"star2d1r", plugin, star2, 1, 2, 512, {613, 377, 1}, step_star2d1r},
        {"star2d1r", plugin, star2, 1, 2, 4096, {0}, step_star2d1r},
        {"star2d1r", plugin, star2, 1, 2, 16384, {0}, step_star2d1r},
        {"box2d1r", plugin, box2, 1, 2, 512, {613, 377, 1}, step_box2d1r},
        {"box2d1r", plugin, box2, 1, 2, 4096, {0}, step_box2d1r},
        {"box2d1r", plugin, box2, 1, 2, 16384, {0}, step_box2d1r},
        {"star3d1r", plugin, star3, 1, 3, 64, {61, 37, 43}, step_star3d1r},
        {"star3d1r", plugin, star3, 1, 3, 512, {0}, step_star3d1r}};
    return status == MASS_OK ? bench_shapes("stencils", shapes, SHAPES, o, error) : status;
}
