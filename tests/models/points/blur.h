/* SPDX-License-Identifier: Apache-2.0 */
/* What the bodies of blur.c store for the plain program in blur_plain.c. */
#ifndef MASS_TESTS_MODELS_POINTS_BLUR_H
#define MASS_TESTS_MODELS_POINTS_BLUR_H

#include <mass/plugin.h>

/* An agent's position before its move, the point at which it looked, what it saw of `warmth` at both and of `count` at
 * the point, and the amount that it scattered there. */
typedef struct blur_seen {
    double from_x, from_y, from_z, x, y, z, here, there, count, amount;
} blur_seen;

/* Compares that, and what places got, with what a plain program makes of the fields. Fails the run at a difference. */
mass_status blur_compare(mass_host *host);

#endif
