/* SPDX-License-Identifier: Apache-2.0 */
/* Rules whose forms of several steps are compared with single steps (fused.cu). */
#ifndef MASS_TESTS_SDK_CUDA_FUSED_H
#define MASS_TESTS_SDK_CUDA_FUSED_H

#include <mass/kernel.h>

/* ---- one attribute, with tallies ---- */

MASS_STENCIL(bytes, 2, 1, READS(TYPED(health, uint8_t)), WRITES(TYPED(health, uint8_t)),
             SUMS(TYPED(population, int64_t), TYPED(score, int64_t)), MAXES(TYPED(most, int64_t)))
{
    int n = 0;
    MASS_MOORE_2D(dx, dy, 1) { n += NEAR(health, dx, dy); }
    OUT(health) = (uint8_t)((n == 3) | ((n == 2) & IN(health)));
    ADD(population, OUT(health));
    ADD(score, n * INT64_C(-1000000007));
    MOST(most, (int64_t)n * 16 + IN(health));
}

MASS_STENCIL(star, 2, 1, READS(TYPED(a, float)), WRITES(TYPED(a, float)))
{
    OUT(a) = 0.125f * (NEAR(a, -1, 0) + NEAR(a, 1, 0) + NEAR(a, 0, -1) + NEAR(a, 0, 1)) + 0.5f * IN(a);
}

MASS_STENCIL(wide, 2, 2, READS(TYPED(a, int32_t)), WRITES(TYPED(a, int32_t)))
{
    OUT(a) = 3 * NEAR(a, -2, 1) - 5 * NEAR(a, 2, 2) + NEAR(a, 0, -2) + 7 * NEAR(a, 1, -1) + IN(a);
}

MASS_STENCIL(box, 3, 1, READS(TYPED(a, int32_t)), WRITES(TYPED(a, int32_t)), SUMS(TYPED(total, int64_t)))
{
    int32_t n = 2 * IN(a) + (int32_t)(AT_Z * 5 + AT_X - AT_Y);
    MASS_MOORE_3D(dx, dy, dz, 1) { n += (dx + 3 * dy + 9 * dz) * NEAR(a, dx, dy, dz); }
    OUT(a) = n;
    ADD(total, n & 255);
}

/* ---- several: one that is not written, one with another name, one that is not read; position, step and random numbers
 * ---- */

MASS_STENCIL(mixed, 2, 1, READS(TYPED(now, int32_t, level), TYPED(ground, uint8_t)),
             WRITES(TYPED(next, int32_t, level), TYPED(seen, uint8_t)), GIVEN(TYPED(rate, int64_t)))
{
    const int32_t around = NEAR(now, -1, -1) + NEAR(now, 1, 1) - 2 * NEAR(now, 0, 1);
    const int32_t draw = (int32_t)(RANDOM(3).v[1] & 1023);
    const int32_t place = (int32_t)(AT_X * 7 + AT_Y * 11 + SIZE_X);
    OUT(next) = around * 3 + NEAR(ground, 1, 0) - NEAR(ground, 0, -1) + draw + place +
                (int32_t)STEP * (int32_t)PARAM(rate) + (EXISTS(1, 1) ? 0 : 5);
    OUT(seen) = (uint8_t)(IN(now) + IN(ground));
}

#endif
