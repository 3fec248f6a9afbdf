/* SPDX-License-Identifier: Apache-2.0 */
/* What the bodies of points.h and the plain program in plain.c compute alike. */
#ifndef MASS_TESTS_MODELS_POINTS_TRAIL_H
#define MASS_TESTS_MODELS_POINTS_TRAIL_H

#include <mass/arithmetic.h>
#include <mass/plugin.h>

typedef struct trail_three { double x, y, z; } trail_three;

/* Mixes what a search finds: the result depends on the order. */
MASS_FN uint64_t trail_mix(uint64_t trail, uint64_t id, uint64_t bits)
{
    trail = trail * 6364136223846793005u + bits;
    return trail * 1442695040888963407u + id;
}

/* Compares the state with what a plain program makes of the last step; fails the run where they differ. */
mass_status points_compare(mass_host *host);

#endif
