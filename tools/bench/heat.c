/* SPDX-License-Identifier: Apache-2.0 */
/* Diffusion of one material, next to a copy of as many bytes. */
#include "shape.h"

static const float ALPHA = 0.1f;

/* Returns the sum of the places `r` away along each axis, in the order of the model's own sum: both must have the same
 * bits. */
static float around(const float *f, const mass_gidx size[3], mass_gidx x, mass_gidx y, mass_gidx z, mass_gidx r)
{
    const float flat = (bench_shape_at(f, size, x - r, y, z) + bench_shape_at(f, size, x + r, y, z)) +
                       (bench_shape_at(f, size, x, y - r, z) + bench_shape_at(f, size, x, y + r, z));
    return size[2] == 1 ? flat : flat + (bench_shape_at(f, size, x, y, z - r) + bench_shape_at(f, size, x, y, z + r));
}

/* Computes one step on a torus, plainly: the values that the engine must have too. */
static void reference(const float *now, float *next, const mass_gidx size[3], int radius)
{
    const float axes = size[2] == 1 ? 2 : 3;
    for (mass_gidx z = 0; z < size[2]; z++)
        for (mass_gidx y = 0; y < size[1]; y++)
            for (mass_gidx x = 0; x < size[0]; x++) {
                const float here = bench_shape_at(now, size, x, y, z), near = around(now, size, x, y, z, 1);
                float laplacian = near - 2 * axes * here;
                if (radius == 2)
                    laplacian = (16 * near - around(now, size, x, y, z, 2) - 30 * axes * here) * (1.0f / 12);
                next[(z * size[1] + y) * size[0] + x] = here + ALPHA * laplacian;
            }
}

/* Compute a step of the reference with a radius of 1 and of 2. */
static void reference_r1(const void *now, void *next, const mass_gidx size[3]) { reference(now, next, size, 1); }
static void reference_r2(const void *now, void *next, const mass_gidx size[3]) { reference(now, next, size, 2); }

enum { SETTINGS = 7, SHAPES = 10 };
/* The settings of the model: one material, on a torus, with a random start. */
#define SETTINGS_OF(radius)                                                                                      \
    {{"radius", radius, NULL}, {"materials", "1", NULL}, {"start", "random", NULL}, {"heat_steps", "0", NULL},   \
     {"edge_x", "torus", NULL}, {"edge_y", "torus", NULL}, {"edge_z", "torus", NULL}}
static const mass_setting near[SETTINGS] = SETTINGS_OF("1"), far[SETTINGS] = SETTINGS_OF("2");

static const bench_shape shapes[SHAPES] = {
    {"radius 1", "heat", near, SETTINGS, 2, 512, {613, 377, 1}, reference_r1},
    {"radius 1", "heat", near, SETTINGS, 2, 4096, {0}, reference_r1},
    {"radius 1", "heat", near, SETTINGS, 2, 16384, {0}, reference_r1},
    {"radius 2", "heat", far, SETTINGS, 2, 512, {613, 377, 1}, reference_r2},
    {"radius 2", "heat", far, SETTINGS, 2, 4096, {0}, reference_r2},
    {"radius 2", "heat", far, SETTINGS, 2, 16384, {0}, reference_r2},
    {"radius 1", "heat", near, SETTINGS, 3, 64, {61, 37, 43}, reference_r1},
    {"radius 1", "heat", near, SETTINGS, 3, 512, {0}, reference_r1},
    {"radius 2", "heat", far, SETTINGS, 3, 64, {61, 37, 43}, reference_r2},
    {"radius 2", "heat", far, SETTINGS, 3, 512, {0}, reference_r2}};

mass_status bench_heat(const bench_options *o, mass_error *error)
{
    return bench_shapes("heat", shapes, SHAPES, o, error);
}
