/* SPDX-License-Identifier: Apache-2.0 */
/* What the bodies of around.c and the plain program in reference.c compute alike. */
#ifndef MASS_TESTS_MODELS_AROUND_H
#define MASS_TESTS_MODELS_AROUND_H

#include <mass/arithmetic.h>
#include <mass/plugin.h>

enum { AROUND_RADIUS = 7, AROUND_SHORT = 3, AROUND_DRAW = 5 };

/* Mixes a walk: the result depends on the order. */
MASS_FN uint64_t around_mix(uint64_t trail, uint64_t id, int64_t value, int dx, int dy, int dz)
{
    trail = trail * 6364136223846793005u + (uint64_t)value;
    trail = trail * 1442695040888963407u + id;
    return trail * 31 + (uint64_t)(dx * 5 + dy * 7 + dz * 11);
}

/* What an agent is chosen by: few values, so that many are the same; and no number for some of them. */
MASS_FN int around_rank(int32_t value) { return value % 5; }
MASS_FN double around_score(int32_t value, int dx, int dy)
{
    return value % 3 ? (value % 4) * 0.5 - dx * dy % 3 : (double)__builtin_nanf("");
}

/* Compares the state with that of a plain program for the last step; fails the run where they differ. */
mass_status around_compare(mass_host *host);

#endif
