/* SPDX-License-Identifier: Apache-2.0 */
/* What the bodies of veer.h and the plain program in veer_plain.c compute alike, and how both begin. */
#ifndef MASS_TESTS_MODELS_POINTS_VEERS_H
#define MASS_TESTS_MODELS_POINTS_VEERS_H

#include "trail.h"

#include <mass/random.h>

/* The callback's radius, and what a body does wrong: it moves by any way, names places, or points that are none. */
enum { VEER_RADIUS = 3, VEER_FAR = 1, VEER_TO_PLACE, VEER_BEARS_ON_PLACE, VEER_NAN, VEER_BEARS_AT_NAN };

/* Returns the bits of a number, by its type. */
#define VEER_BITS(v) (sizeof(v) == sizeof(float) ? mass_bits_f32((float)(v)) : mass_bits_f64((double)(v)))

/* Is true if an offset is within r along each axis. */
MASS_FN int veer_is_within(int64_t dx, int64_t dy, int64_t dz, int64_t r)
{
    return dx >= -r && dx <= r && dy >= -r && dy <= r && dz >= -r && dz <= r;
}

/* Returns a way along an axis: less than `most` cells long, or of any length. */
MASS_FN double veer_step(mass_random4 r, int axis, double cell, double length, double at, int64_t most, int any)
{
    const double unit = (double)(r.v[axis] >> 8) * 0x1p-24 * 2 - 1, all = 0.99 * (double)most * cell;
    const uint32_t how = r.v[3] >> 4 * axis & 15;
    if (any && how < 2) return unit * length * 99;
    if (any && how < 5) return how == 2 ? length * 0.5 : how == 3 ? length - at : -at - 1e-20;
    if (how < 7) return how == 5 ? 0 : unit * 1e-30;
    if (how == 8) { /* to the end of the cell, as near as a division comes */
        const double to = ((double)(int64_t)(at / cell) + 1) * cell - at;
        return to < all ? to : 0;
    }
    return unit * all;
}

/* Returns a distance: of up to `sight` cells, and `most`. */
MASS_FN double veer_sight(mass_random4 r, double sight, int64_t most, double cell)
{
    const double all = sight < (double)most ? sight : (double)most, length = all * cell;
    if ((r.v[2] & 7) == 0 && length / cell <= all) return length;
    return length * ((double)(r.v[2] >> 8) * 0x1p-24);
}

/* Finds the point at which agent i begins. Many share a point or an axis, and some are on edges of cells. */
static inline void veer_point(int64_t i, const int64_t size[3], double cell, int floats, double p[3])
{
    const uint64_t key = 0x9e3779b97f4a7c15u * (uint64_t)(i / 2 + 1);
    for (int a = 0; a < 3; a++) {
        const uint64_t word = mass_random_block(key, (uint64_t)a, 0, 0, 0).v[0];
        const double unit = word % 4 == 0 ? 0 : (double)(word >> 8) * 0x1p-24, length = (double)size[a] * cell;
        const double at = ((double)(word % (uint64_t)size[a]) + unit) * cell;
        p[a] = floats ? (double)(float)at : at;
        if (!(p[a] < (floats ? (double)(float)length : length))) p[a] = 0;
    }
}

/* Compares the state with that of a plain program which takes all steps; fails the run where they differ. */
mass_status veer_compare(mass_host *host);

#endif
