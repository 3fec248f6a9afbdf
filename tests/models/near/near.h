/* SPDX-License-Identifier: Apache-2.0 */
/* What the bodies of near.c and the plain program in reference.c compute alike: how a walk mixes what it meets, and the
 * numbers of both. */
#ifndef MASS_TESTS_MODELS_NEAR_H
#define MASS_TESTS_MODELS_NEAR_H

#include <mass/arithmetic.h>
#include <mass/plugin.h>

enum { NEAR_DRAW = 3, NEAR_RADIUS = 2, NEAR_STAY_RADIUS = 1, NEAR_MODULUS = 100003 };

/* Mixes a walk: the result depends on the order. */
MASS_FN uint64_t near_mix(uint64_t trail, uint64_t id, int64_t value, int dx, int dy, int dz)
{
    trail = trail * 6364136223846793005u + (uint64_t)value;
    trail = trail * 1442695040888963407u + id;
    return trail * 31 + (uint64_t)(dx * 5 + dy * 7 + dz * 11);
}

/* Returns the value that follows one, from a trail. */
MASS_FN int32_t near_next(int32_t value, uint64_t trail)
{
    return (int32_t)(((uint64_t)value * 7 + trail % 1000) % NEAR_MODULUS);
}

/* Compares the state with that of a plain program for the last step; fails the run where they differ. */
mass_status near_compare(mass_host *host);

#endif
