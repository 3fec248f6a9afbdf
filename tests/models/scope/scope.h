/* SPDX-License-Identifier: Apache-2.0 */
/* What the body of scope.c and the plain program in plain.c compute alike. */
#ifndef MASS_TESTS_MODELS_SCOPE_H
#define MASS_TESTS_MODELS_SCOPE_H

#include <mass/arithmetic.h>
#include <mass/plugin.h>

typedef struct scope_step {
    int x, y, z;
} scope_step;

/* Returns an offset of at most r along each axis, or along one axis alone. */
MASS_FN scope_step scope_offset(uint32_t bits, int64_t r, int64_t axes)
{
    const uint32_t n = (uint32_t)(2 * r + 1), axis = bits >> 24 & 3;
    scope_step s = {(int)(bits % n) - (int)r, (int)((bits >> 8) % n) - (int)r, (int)((bits >> 16) % n) - (int)r};
    if (axes && axis != 0) s.x = 0;
    if (axes && axis != 1) s.y = 0;
    if (axes && axis != 2) s.z = 0;
    return s;
}

/* Mixes what a body meets: the result depends on the order. */
MASS_FN uint64_t scope_mix(uint64_t trail, int64_t value, int dx, int dy, int dz)
{
    return (trail * 6364136223846793005u + (uint64_t)value) * 31 + (uint64_t)(dx * 5 + dy * 7 + dz * 11);
}

/* Returns the place on which an ant begins, if it has a seat there. */
MASS_FN int64_t scope_place(int64_t ant, int64_t places) { return (ant * 7919 + ant / 5 + 3) % places; }

/* Compares the state with that of a plain program which takes all steps; fails the run where they differ. */
mass_status scope_compare(mass_host *host);

#endif
