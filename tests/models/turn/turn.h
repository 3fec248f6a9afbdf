/* SPDX-License-Identifier: Apache-2.0 */
/* What the body of turn.c and the plain program in plain.c compute alike, and how both begin. */
#ifndef MASS_TESTS_MODELS_TURN_H
#define MASS_TESTS_MODELS_TURN_H

#include <mass/arithmetic.h>
#include <mass/plugin.h>

enum { TURN_CHILDREN = 2, TURN_RADII = 7 };

/* Mixes what a body meets: the result depends on the order. */
MASS_FN uint64_t turn_mix(uint64_t trail, uint64_t id, int64_t value, int dx, int dy, int dz)
{
    trail = trail * 6364136223846793005u + (uint64_t)value;
    trail = trail * 1442695040888963407u + id;
    return trail * 31 + (uint64_t)(dx * 5 + dy * 7 + dz * 11);
}

/* Returns an offset of -r to r from some bits. */
MASS_FN int turn_offset(uint32_t bits, int r) { return (int)(bits % (uint32_t)(2 * r + 1)) - r; }

/* Returns the place on which an agent begins. */
MASS_FN int64_t turn_place(int64_t agent, int64_t places) { return (agent * 7919 + agent / 7 + 5) % places; }

/* Compares the state with that of a plain program which takes all steps; fails the run where they differ. */
mass_status turn_compare(mass_host *host);

#endif
