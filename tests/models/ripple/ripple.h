/* SPDX-License-Identifier: Apache-2.0 */
/* What the bodies of ripple.c and the plain program in plain.c compute alike. */
#ifndef MASS_TESTS_MODELS_RIPPLE_H
#define MASS_TESTS_MODELS_RIPPLE_H

#include <mass/arithmetic.h>
#include <mass/plugin.h>

/* Mixes what a body meets: the result depends on the order. */
MASS_FN uint64_t ripple_mix(uint64_t trail, int64_t value)
{
    return (trail ^ (uint64_t)value) * 6364136223846793005u + 1442695040888963407u;
}

/* Returns an offset of -r to r from some bits. */
MASS_FN int ripple_offset(uint32_t bits, int r) { return (int)(bits % (uint32_t)(2 * r + 1)) - r; }

/* Returns one of few heights, so that many are equal. One is -0, which equals 0. */
MASS_FN double ripple_height(uint64_t bits)
{
    const int step = (int)(bits % 7) - 3;
    return step == 0 && (bits & 8) ? -0.0 : step * 0.75;
}

/* Returns the place on which a walker begins. */
MASS_FN int64_t ripple_place_of(int64_t walker, int64_t places) { return (walker * 7919 + walker / 7 + 5) % places; }

/* Compares the state with that of a plain program which takes all steps; fails the run where they differ. */
mass_status ripple_compare(mass_host *host);

#endif
