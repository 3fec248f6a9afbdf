/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of Heat: for two materials, and for one. */
#ifndef HEAT_KERNELS_H
#define HEAT_KERNELS_H

#include <mass/callback.h>

extern const mass_callback heat_2d_r1, heat_2d_r2, heat_3d_r1, heat_3d_r2;
extern const mass_callback heat_sine, heat_random, heat_census;

extern const mass_callback heat_one_2d_r1, heat_one_2d_r2, heat_one_3d_r1, heat_one_3d_r2;
extern const mass_callback heat_one_sine, heat_one_random, heat_one_census;

/* `total` counts in units of 2^-18 K. */
enum { HEAT_FRACTION_BITS = 18 };

#endif
