/* SPDX-License-Identifier: Apache-2.0 */
/* Heat's rules, compiled for the CPU and for CUDA. */
#include "kernels.h"

#include <mass/mass.h>

/* ---- the start ---- */

/* One factor of a mode: `waves` periods along an axis; 1 along an axis without waves. */
MASS_FN double wave(int64_t waves, mass_gidx at, mass_gidx size)
{
    const double turns = (double)mass_mod_i64(waves * at, size) / (double)size;
    return waves == 0 || size == 1 ? 1.0 : mass_sin_f64(0x1.921fb54442d18p+2 * turns);
}

#define MODE(FIELD)                             \
    FIELD(amplitude, double,  PARAM, amplitude) \
    FIELD(kx,        int64_t, PARAM, kx)        \
    FIELD(ky,        int64_t, PARAM, ky)        \
    FIELD(kz,        int64_t, PARAM, kz)
#define START_A(FIELD) FIELD(a, float, WRITE, temperature[0])
#define START_B(FIELD) FIELD(b, float, WRITE, temperature[1])
#define START_ONE(FIELD) START_A(FIELD)
#define START_TWO(FIELD) START_A(FIELD) START_B(FIELD)
#define SINE_ONE(FIELD) MODE(FIELD) START_A(FIELD)
#define SINE_TWO(FIELD) MODE(FIELD) START_A(FIELD) START_B(FIELD)

#define SINE_HERE                                                                 \
    (float)(PARAM(amplitude) * wave(PARAM(kx), AT_X, SIZE_X) *                    \
            wave(PARAM(ky), AT_Y, SIZE_Y) * wave(PARAM(kz), AT_Z, SIZE_Z))

MASS_MAP(heat_sine, SINE_TWO)
{
    OUT(a) = OUT(b) = SINE_HERE;
}

MASS_MAP(heat_one_sine, SINE_ONE)
{
    OUT(a) = SINE_HERE;
}

MASS_MAP(heat_random, START_TWO)
{
    const mass_random4 r = RANDOM(0);
    OUT(a) = 100.0f * mass_unit_f32(r.v[0]);
    OUT(b) = 100.0f * mass_unit_f32(r.v[1]);
}

MASS_MAP(heat_one_random, START_ONE)
{
    OUT(a) = 100.0f * mass_unit_f32(RANDOM(0).v[0]);
}

/* ---- the tallies ---- */

#define TALLIES(FIELD)                    \
    FIELD(total,   int64_t, SUM, total)   \
    FIELD(minimum, double,  MIN, minimum) \
    FIELD(maximum, double,  MAX, maximum)

#define TALLY(temperature)                                                   \
    do {                                                                     \
        const double t_ = (double)(temperature);                             \
        ADD(total, mass_fixed(t_, HEAT_FRACTION_BITS));                      \
        LEAST(minimum, t_);                                                  \
        MOST(maximum, t_);                                                   \
    } while (0)

#define READ_A(FIELD) FIELD(a, float, READ, temperature[0])
#define READ_B(FIELD) FIELD(b, float, READ, temperature[1])
#define CENSUS_ONE(FIELD) READ_A(FIELD) TALLIES(FIELD)
#define CENSUS_TWO(FIELD) READ_A(FIELD) READ_B(FIELD) TALLIES(FIELD)

MASS_MAP(heat_census, CENSUS_TWO)
{
    TALLY(IN(a));
    TALLY(IN(b));
}

MASS_MAP(heat_one_census, CENSUS_ONE)
{
    TALLY(IN(a));
}

/* ---- the step ---- */

/* Laplacians of second and of fourth order: the sum over 2 or 3 axes of the second difference
 * (1, -2, 1), or (-1, 16, -30, 16, -1) / 12. `near` and `far` are the sums of the places 1 and 2
 * away. The weights are integers, so that they add up to nothing and heat is conserved. */
MASS_FN float laplacian_r1(float axes, float here, float near)
{
    return near - 2.0f * axes * here;
}

MASS_FN float laplacian_r2(float axes, float here, float near, float far)
{
    return (16.0f * near - far - 30.0f * axes * here) * (1.0f / 12.0f);
}

#define PAIR(f, dx, dy, dz) (NEAR(f, -(dx), -(dy), -(dz)) + NEAR(f, dx, dy, dz))
#define AROUND_2D(f, r) (PAIR(f, r, 0, 0) + PAIR(f, 0, r, 0))
#define AROUND_3D(f, r) (AROUND_2D(f, r) + PAIR(f, 0, 0, r))
#define LAPLACIAN_2D_R1(f) laplacian_r1(2.0f, IN(f), AROUND_2D(f, 1))
#define LAPLACIAN_3D_R1(f) laplacian_r1(3.0f, IN(f), AROUND_3D(f, 1))
#define LAPLACIAN_2D_R2(f) laplacian_r2(2.0f, IN(f), AROUND_2D(f, 1), AROUND_2D(f, 2))
#define LAPLACIAN_3D_R2(f) laplacian_r2(3.0f, IN(f), AROUND_3D(f, 1), AROUND_3D(f, 2))

#define HEATED(FIELD)                       \
    FIELD(heat,       double,  PARAM, heat) \
    FIELD(heat_steps, int64_t, PARAM, heat_steps)
#define DIFFUSE_A(FIELD)                         \
    READ_A(FIELD)                                \
    FIELD(next_a, float,  WRITE, temperature[0]) \
    FIELD(alpha,  double, PARAM, alpha)
#define DIFFUSE_B(FIELD)                          \
    READ_B(FIELD)                                 \
    FIELD(next_b,  float,  WRITE, temperature[1]) \
    FIELD(alpha_b, double, PARAM, alpha_b)
#define STEP_ONE(FIELD) DIFFUSE_A(FIELD) HEATED(FIELD) TALLIES(FIELD)
#define STEP_TWO(FIELD) DIFFUSE_A(FIELD) DIFFUSE_B(FIELD) HEATED(FIELD) TALLIES(FIELD)

/* Whether the place is held at `heat`: in the row y = 0, where nx <= 3 x < 2 nx. The difference
 * wraps around left of there, to more than nx. As a number without a sign, -1 is more than all steps. */
#define ROW_IS_HEATED ((AT_Y == 0) & (STEP <= (uint64_t)PARAM(heat_steps)))
#define HELD (3u * (uint32_t)AT_X - (uint32_t)SIZE_X < (ROW_IS_HEATED ? (uint32_t)SIZE_X : 0u))

/* held ? heat : value, on bits: behind a branch, gcc would not vectorise the loads. */
MASS_FN float unless_held(int held, float value, float heat)
{
    const uint32_t mask = 0u - (uint32_t)held;
    return mass_f32_bits((mass_bits_f32(value) & ~mask) | (mass_bits_f32(heat) & mask));
}

#define DIFFUSE(next, f, alpha, LAPLACIAN)                                                   \
    OUT(next) = unless_held(held, IN(f) + (float)PARAM(alpha) * LAPLACIAN(f),                \
                            (float)PARAM(heat));                                             \
    TALLY(OUT(next))

#define HEAT_STEP(DIMENSIONS, RADIUS, NAME, NAME_ONE, LAPLACIAN)                                 \
    MASS_STENCIL(NAME, STEP_TWO, DIMENSIONS, RADIUS)                                             \
    {                                                                                            \
        const int held = HELD;                                                                   \
        DIFFUSE(next_a, a, alpha, LAPLACIAN);                                                    \
        DIFFUSE(next_b, b, alpha_b, LAPLACIAN);                                                  \
    }                                                                                            \
    MASS_STENCIL(NAME_ONE, STEP_ONE, DIMENSIONS, RADIUS)                                         \
    {                                                                                            \
        const int held = HELD;                                                                   \
        DIFFUSE(next_a, a, alpha, LAPLACIAN);                                                    \
    }

HEAT_STEP(2, 1, heat_2d_r1, heat_one_2d_r1, LAPLACIAN_2D_R1)
HEAT_STEP(2, 2, heat_2d_r2, heat_one_2d_r2, LAPLACIAN_2D_R2)
HEAT_STEP(3, 1, heat_3d_r1, heat_one_3d_r1, LAPLACIAN_3D_R1)
HEAT_STEP(3, 2, heat_3d_r2, heat_one_3d_r2, LAPLACIAN_3D_R2)
