/* SPDX-License-Identifier: Apache-2.0 */
/* What the bodies of mingle.c and the plain program in plain.c compute alike, and how both begin. */
#ifndef MASS_TESTS_MODELS_MINGLE_H
#define MASS_TESTS_MODELS_MINGLE_H

#include <mass/arithmetic.h>
#include <mass/plugin.h>

enum { MINGLE_FOOD = 20, MINGLE_MARK = 7, MINGLE_FEW = 2 };

/* Mixes what a body meets: the result depends on the order. */
MASS_FN uint64_t mingle_mix(uint64_t trail, uint64_t id, int64_t value, int dx, int dy, int dz)
{
    trail = (trail ^ id) * 6364136223846793005u + (uint64_t)value;
    return trail * 1442695040888963407u + (uint64_t)(dx * 3 + dy * 13 + dz * 29);
}

/* Returns an offset of -r to r from some bits. */
MASS_FN int mingle_offset(uint32_t bits, int r) { return (int)(bits % (uint32_t)(2 * r + 1)) - r; }

/* Returns one of few moods, so that many are equal. One is -0, which equals 0. */
MASS_FN float mingle_mood(uint64_t trail)
{
    const int step = (int)(trail >> 33) % 3;
    return step == 0 && trail >> 63 ? -0.0f : (float)step * 1.5f;
}

/* Returns the place on which an agent of a population begins. */
MASS_FN int64_t mingle_place(int population, int64_t agent, int64_t places)
{
    return (agent * (7919 + 2 * population) + agent / 5 + population) % places;
}

/* Compares the state with that of a plain program which takes all steps; fails the run where they differ. */
mass_status mingle_compare(mass_host *host);

#endif
