/* SPDX-License-Identifier: Apache-2.0 */
/* What the bodies of near.c and the plain program in reference.c compute alike: how a walk mixes what it meets, and the
 * numbers of phases and draws. */
#ifndef MASS_TESTS_MODELS_NEAR_H
#define MASS_TESTS_MODELS_NEAR_H

#include <mass/plugin.h>

/* The phases by number, in the order of the schedule. */
enum { NEAR_MOVE_A, NEAR_MANAGE_A, NEAR_MOVE_B, NEAR_MANAGE_B, NEAR_NOTE_A, NEAR_NOTE_B, NEAR_LOOK, NEAR_HUNT,
       NEAR_AGAIN, NEAR_MEET, NEAR_STAY };
enum { NEAR_DRAW = 3, NEAR_RADIUS = 2, NEAR_STAY_RADIUS = 1, NEAR_MODULUS = 100003 };

/* Mixes a walk: the result depends on the order. */
static inline uint64_t near_mix(uint64_t trail, uint64_t id, int64_t value, int dx, int dy, int dz)
{
    trail = trail * 6364136223846793005u + (uint64_t)value;
    trail = trail * 1442695040888963407u + id;
    return trail * 31 + (uint64_t)(dx * 5 + dy * 7 + dz * 11);
}

/* Returns the value that follows one, from a trail. */
static inline int32_t near_next(int32_t value, uint64_t trail)
{
    return (int32_t)(((uint64_t)value * 7 + trail % 1000) % NEAR_MODULUS);
}

/* Compares the state with that of a plain program for the last step; fails the run where they differ. */
mass_status near_compare(mass_host *host);

#endif
