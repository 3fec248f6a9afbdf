/* SPDX-License-Identifier: Apache-2.0 */
/* The rules: compiled for the CPU, and for CUDA where nvcc is found. */
#include <mass/mass.h>

#define DRAW(FIELD)                         \
    FIELD(opinion, uint8_t, WRITE, opinion) \
    FIELD(share,   double,  PARAM, share)

/* The schedule `start`: a place has opinion 1 with probability `share`. */
MASS_MAP(majority_draw, DRAW)
{
    const mass_random4 r = RANDOM(0);
    OUT(opinion) = (uint8_t)(mass_unit_f64(r.v[0], r.v[1]) < PARAM(share));
}

#define FOLLOW(FIELD)                       \
    FIELD(opinion, uint8_t, READ,  opinion) \
    FIELD(next,    uint8_t, WRITE, opinion) \
    FIELD(ones,    int64_t, SUM,   ones)

/* Every step: a place follows the majority of itself and its eight neighbours. */
MASS_STENCIL(majority_follow, FOLLOW, 2, 1)
{
    uint8_t n = IN(opinion);
    MASS_MOORE_2D(dx, dy, 1) n = (uint8_t)(n + NEAR(opinion, dx, dy));
    OUT(next) = n > 4;
    ADD(ones, n > 4);
}
