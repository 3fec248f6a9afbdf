/* SPDX-License-Identifier: Apache-2.0 */
/* What a body sees of its place in every loop: coordinates, edges, random numbers; and what functions come to there. */
#include "loops.h"

#include <mass/kernel.h>
#include <mass/math.h>

#include <criterion/criterion.h>

MASS_MAP(place,
         WRITES(TYPED(x, int64_t), TYPED(y, int64_t), TYPED(z, int64_t), TYPED(step, uint64_t), TYPED(size, int64_t)))
{
    OUT(x) = AT_X;
    OUT(y) = AT_Y;
    OUT(z) = AT_Z;
    OUT(step) = STEP;
    OUT(size) = SIZE_X * 1000000 + SIZE_Y * 1000 + SIZE_Z;
}

Test(kernel, bodies_see_global_coordinates_and_the_step)
{
    const uint64_t clock = 30;
    mass_launch l = launch_of(13, 3, 2, 2);
    l.origin[0] = (mass_gidx)1 << 40;
    l.size[0] = 7, l.size[1] = 8, l.size[2] = 9;
    l.clock = &clock;
    const mass_range all = whole(&l);
    int64_t *out[5];
    for (int i = 0; i < 5; i++) out[i] = array_of(&l, 8);
    EACH_FORM(form, place) {
        for (int i = 0; i < 5; i++) scramble(&l, out[i], 8, 20);
        form->loop(out, &l, &all);
        EACH_PLACE(&l, w, z, y, x) {
            const int64_t at = place_at(&l, w, z, y, x);
            cr_assert_eq(out[0][at], ((int64_t)1 << 40) + x);
            cr_assert_eq(out[1][at], 200 + y);
            cr_assert_eq(out[2][at], 300 + z);
            cr_assert_eq(out[3][at], 42);
            cr_assert_eq(out[4][at], 7008009);
        }
    }
    for (int i = 0; i < 5; i++) array_free(&l, out[i], 8);
}

/* One bit for each of the 27 offsets within 1, and for three that are further away. */
MASS_STENCIL(edges, 3, 1, WRITES(TYPED(there, uint32_t)))
{
    uint32_t there = 0, bit = 0;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) there |= (uint32_t)EXISTS(dx, dy, dz) << bit++;
    there |= (uint32_t)EXISTS(-3, 0, 0) << 27 | (uint32_t)EXISTS(0, 2, 0) << 28;
    there |= (uint32_t)EXISTS(2, -2, 0) << 29;
    OUT(there) = there;
}

static int is_there(const mass_launch *l, const int64_t at[3], int dx, int dy, int dz)
{
    const int64_t to[3] = {at[0] + dx, at[1] + dy, at[2] + dz};
    for (int a = 0; a < 3; a++)
        if (!(l->torus & 1u << a) && (to[a] < 0 || to[a] >= l->size[a])) return 0;
    return 1;
}

static uint32_t edges_plainly(const mass_launch *l, const int64_t at[3])
{
    uint32_t there = 0;
    for (int i = 0; i < 27; i++) there |= (uint32_t)is_there(l, at, i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1) << i;
    return there | (uint32_t)is_there(l, at, -3, 0, 0) << 27 | (uint32_t)is_there(l, at, 0, 2, 0) << 28 |
           (uint32_t)is_there(l, at, 2, -2, 0) << 29;
}

/* The partition is a corner of the space, or its middle, or all of it; every set of axes wraps. */
static void check_edges(uint32_t torus, const mass_gidx origin[3])
{
    mass_launch l = launch_of(11, 4, 3, 1);
    l.torus = torus;
    memcpy(l.origin, origin, sizeof l.origin);
    l.size[0] = 15, l.size[1] = 7, l.size[2] = 5;
    const mass_range all = whole(&l);
    uint32_t *there = array_of(&l, 4);
    EACH_FORM(form, edges) {
        scramble(&l, there, 4, 21);
        form->loop(&there, &l, &all);
        EACH_PLACE(&l, w, z, y, x) {
            const int64_t at[3] = {origin[0] + x, origin[1] + y, origin[2] + z};
            cr_assert_eq(there[place_at(&l, w, z, y, x)], edges_plainly(&l, at), "torus %u at %d %d %d", torus, x, y,
                         z);
        }
    }
    array_free(&l, there, 4);
}

Test(kernel, exists_knows_bounded_edges_from_wrapping_ones)
{
    const mass_gidx origins[3][3] = {{0, 0, 0}, {4, 3, 2}, {2, 1, 1}};
    for (uint32_t torus = 0; torus <= MASS_AXES_ALL; torus++)
        for (int i = 0; i < 3; i++) check_edges(torus, origins[i]);
}

MASS_MAP(dice, WRITES(TYPED(word, uint32_t))) { OUT(word) = RANDOM(5).v[2]; }

Test(kernel, random_is_the_block_of_the_global_place)
{
    const uint64_t keys[] = {11, 22};
    mass_launch l = launch_of(21, 3, 2, 2);
    l.random_keys = keys;
    const mass_range all = whole(&l);
    uint32_t *word = array_of(&l, 4);
    EACH_FORM(form, dice) {
        scramble(&l, word, 4, 22);
        form->loop(&word, &l, &all);
        EACH_PLACE(&l, w, z, y, x) {
            const int64_t at = place_at(&l, w, z, y, x);
            const int64_t row = (int64_t)(300 + z) * 1000 + 200 + y;
            const uint64_t entity = (uint64_t)(row * 1000 + 100 + x);
            cr_assert_eq(word[at], mass_random_block(keys[w], entity, 12, 4, 5).v[2]);
        }
    }
    array_free(&l, word, 4);
}

MASS_MAP(functions, READS(TYPED(v, double)),
         WRITES(TYPED(exp, double), TYPED(log, double), TYPED(sin, double), TYPED(root, double)))
{
    OUT(exp) = mass_exp_f64(IN(v));
    OUT(log) = mass_log_f64(IN(v));
    OUT(sin) = mass_sin_f64(IN(v));
    OUT(root) = mass_sqrt_f64(IN(v));
}

static double sin_alone(double v) { return mass_sin_f64(v); }
static double exp_alone(double v) { return mass_exp_f64(v); }
static double log_alone(double v) { return mass_log_f64(v); }

/* Vectors and scalars alike; `volatile` keeps the reference from being vectorised too. */
Test(kernel, elementary_functions_have_one_result_in_every_form)
{
    double (*volatile sine)(double) = sin_alone, (*volatile exponential)(double) = exp_alone;
    double (*volatile logarithm)(double) = log_alone;
    mass_launch l = launch_of(10007, 1, 1, 1);
    const mass_range all = whole(&l);
    double *array[5];
    for (int i = 0; i < 5; i++) array[i] = array_of(&l, 8);
    scramble(&l, array[0], 8, 23);
    for (int x = 0; x < 10007; x += 2) array[0][x] = (x - 5000) * 0.03125;
    EACH_FORM(form, functions) {
        for (int i = 1; i < 5; i++) scramble(&l, array[i], 8, 24);
        form->loop(array, &l, &all);
        for (int x = 0; x < 10007; x++) {
            const double v = array[0][x];
            cr_assert_eq(mass_bits_f64(array[1][x]), mass_bits_f64(exponential(v)), "exp %a", v);
            cr_assert_eq(mass_bits_f64(array[2][x]), mass_bits_f64(logarithm(v)), "log %a", v);
            cr_assert_eq(mass_bits_f64(array[3][x]), mass_bits_f64(sine(v)), "sin %a", v);
            if (v >= 0 && array[4][x] < 1e150)
                cr_assert_float_eq(array[4][x] * array[4][x], v, v * 0x1p-51, "sqrt %a", v);
        }
    }
    for (int i = 0; i < 5; i++) array_free(&l, array[i], 8);
}
