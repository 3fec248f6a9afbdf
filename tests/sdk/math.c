/* SPDX-License-Identifier: Apache-2.0 */
/* Elementary functions against the C library's long double ones, which carry 11 more bits. */
#include <mass/math.h>

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

enum { ARGUMENTS = 2000000 };

/* A seeded sequence of words: the splitmix64 generator. */
static uint64_t next_word(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* Arguments of every kind, in turn: any bits, so any exponent, infinities and NaNs; subnormal;
 * within a few units; within a thousand; near 1; near multiples of pi/2. */
static double next_argument(uint64_t *state, int i)
{
    const uint64_t word = next_word(state);
    const double unit = (double)(int64_t)word * 0x1p-63;
    switch (i % 6) {
    case 0: return mass_f64_bits(word);
    case 1: return mass_f64_bits(word & 0x800fffffffffffffull);
    case 2: return unit * 4;
    case 3: return unit * 1000;
    case 4: return 1 + unit * 0x1p-8;
    default: return (double)(word >> (40 + word % 24)) * 1.57079632679489661923;
    }
}

static double ulp_f64(double v)
{
    const double size = fabs(v);
    return size < DBL_MIN ? 0x1p-1074 : ldexp(1, ilogb(size) - 52);
}

static double ulp_f32(double v)
{
    const double size = fabs(v);
    return size < (double)FLT_MIN ? 0x1p-149 : ldexp(1, ilogb(size) - 23);
}

static int same_f64(double a, double b) { return mass_bits_f64(a) == mass_bits_f64(b); }
static int same_f32(float a, float b) { return mass_bits_f32(a) == mass_bits_f32(b); }

/* How far `got` is from `exact` in ulps; infinite if only one of them is a number. */
static double error_f64(double got, long double exact)
{
    const double rounded = (double)exact;
    if (isnan(exact)) return same_f64(got, mass_canonical_f64(rounded)) ? 0 : INFINITY;
    if (isinf(rounded) || isinf(got)) return got == rounded ? 0 : INFINITY;
    return (double)(fabsl((long double)got - exact) / (long double)ulp_f64(rounded));
}

static double error_f32(float got, long double exact)
{
    const float rounded = (float)exact;
    if (isnan(exact)) return same_f32(got, mass_canonical_f32(rounded)) ? 0 : INFINITY;
    if (isinf(rounded) || isinf(got)) return got == rounded ? 0 : INFINITY;
    return (double)(fabsl((long double)got - exact) / (long double)ulp_f32((double)rounded));
}

#define WITHIN_ONE_ULP(NAME, EXACT, SEED)                                                          \
    Test(math, NAME##_f64_is_within_one_ulp)                                                       \
    {                                                                                              \
        uint64_t state = SEED;                                                                     \
        for (int i = 0; i < ARGUMENTS; i++) {                                                      \
            const double v = next_argument(&state, i), got = mass_##NAME##_f64(v);                 \
            const long double exact = EXACT((long double)v);                                       \
            if (!(error_f64(got, exact) <= 1))                                                     \
                cr_assert_fail(#NAME "(%a) is %a, not %La", v, got, exact);                        \
        }                                                                                          \
    }                                                                                              \
    Test(math, NAME##_f32_is_the_nearest_but_for_ties)                                             \
    {                                                                                              \
        uint64_t state = SEED + 1;                                                                 \
        for (int i = 0; i < ARGUMENTS; i++) {                                                      \
            const float v = i % 6 ? (float)next_argument(&state, i)                                \
                                  : mass_f32_bits((uint32_t)next_word(&state));                    \
            const float got = mass_##NAME##_f32(v);                                                \
            const long double exact = EXACT((long double)v);                                       \
            if (!(error_f32(got, exact) <= 0.50001))                                               \
                cr_assert_fail(#NAME "f(%a) is %a, not %La", (double)v, (double)got, exact);       \
        }                                                                                          \
    }

WITHIN_ONE_ULP(exp, expl, 11)
WITHIN_ONE_ULP(log, logl, 12)
WITHIN_ONE_ULP(sin, sinl, 13)
WITHIN_ONE_ULP(cos, cosl, 14)

Test(math, sqrt_is_the_nearest)
{
    uint64_t state = 15;
    for (int i = 0; i < ARGUMENTS; i++) {
        const double v = next_argument(&state, i), got = mass_sqrt_f64(v);
        const float w = mass_f32_bits((uint32_t)next_word(&state)), float_got = mass_sqrt_f32(w);
        if (!(error_f64(got, sqrtl((long double)v)) <= 0.5))
            cr_assert_fail("sqrt(%a) is %a", v, got);
        if (!(error_f32(float_got, sqrtl((long double)w)) <= 0.5))
            cr_assert_fail("sqrtf(%a) is %a", (double)w, (double)float_got);
    }
}

/* 6381956970095103 2^797 is the double nearest to a multiple of pi/2: J.-M. Muller, "Elementary
 * functions", 3rd edition, chapter 11. The other two are pi and pi/2, rounded. */
Test(math, angles_nearest_to_a_quadrant_keep_all_their_bits)
{
    const double nearest = ldexp(6381956970095103.0, 797);
    cr_assert_eq(mass_cos_f64(nearest), -4.6871659242546276e-19);
    cr_assert_eq(mass_sin_f64(nearest), 1.0);
    cr_assert_eq(mass_sin_f64(0x1.921fb54442d18p+1), 0x1.1a62633145c07p-53);
    cr_assert_eq(mass_cos_f64(0x1.921fb54442d18p+0), 0x1.1a62633145c07p-54);
}

/* Both reductions of an angle must agree where they meet, at 2^20 pi/2. */
Test(math, sin_and_cos_are_right_on_either_side_of_the_large_reduction)
{
    const uint64_t bits = mass_bits_f64(0x1.921fb54442d18p+20) - 50000;
    for (int i = 0; i < 100000; i++) {
        const double v = mass_f64_bits(bits + (uint64_t)i);
        if (!(error_f64(mass_sin_f64(v), sinl((long double)v)) <= 1)) cr_assert_fail("sin(%a)", v);
        if (!(error_f64(mass_cos_f64(v), cosl((long double)v)) <= 1)) cr_assert_fail("cos(%a)", v);
    }
}

Test(math, sin_is_odd_and_cos_even_to_the_bit)
{
    uint64_t state = 16;
    for (int i = 0; i < ARGUMENTS; i++) {
        const double v = next_argument(&state, i);
        if (!isfinite(v)) continue;
        if (!same_f64(mass_sin_f64(-v), -mass_sin_f64(v))) cr_assert_fail("sin(%a)", v);
        if (!same_f64(mass_cos_f64(-v), mass_cos_f64(v))) cr_assert_fail("cos(%a)", v);
    }
}

Test(math, zeros_keep_their_sign)
{
    cr_assert(same_f64(mass_sin_f64(0.0), 0.0));
    cr_assert(same_f64(mass_sin_f64(-0.0), -0.0));
    cr_assert(same_f64(mass_sqrt_f64(-0.0), -0.0));
    cr_assert(same_f32(mass_sin_f32(-0.0f), -0.0f));
    cr_assert(same_f32(mass_sqrt_f32(-0.0f), -0.0f));
    cr_assert(same_f64(mass_log_f64(1.0), 0.0));
}

Test(math, exact_values_are_exact)
{
    cr_assert_eq(mass_exp_f64(0.0), 1.0);
    cr_assert_eq(mass_exp_f64(-0.0), 1.0);
    cr_assert_eq(mass_cos_f64(0.0), 1.0);
    cr_assert_eq(mass_sin_f64(0x1p-1074), 0x1p-1074);
    cr_assert_eq(mass_sqrt_f64(0x1p-1074), 0x1p-537);
}

Test(math, exp_overflows_and_underflows_where_doubles_end)
{
    cr_assert_eq(mass_exp_f64(INFINITY), (double)INFINITY);
    cr_assert(same_f64(mass_exp_f64(-INFINITY), 0.0));
    cr_assert(isfinite(mass_exp_f64(0x1.62e42fefa39efp+9)), "exp of log(DBL_MAX)");
    cr_assert_eq(mass_exp_f64(0x1.62e42fefa39f0p+9), (double)INFINITY);
    cr_assert_eq(mass_exp_f64(-0x1.74910d52d3051p+9), 0x1p-1074, "exp of log(2^-1075), rounded");
    cr_assert(same_f64(mass_exp_f64(-0x1.74910d52d3052p+9), 0.0));
    cr_assert_eq(mass_exp_f32(89.0f), INFINITY);
    cr_assert(same_f32(mass_exp_f32(-104.0f), 0.0f));
}

Test(math, log_has_its_values_at_the_ends)
{
    cr_assert_eq(mass_log_f64(0.0), -(double)INFINITY);
    cr_assert_eq(mass_log_f64(-0.0), -(double)INFINITY);
    cr_assert_eq(mass_log_f64(INFINITY), (double)INFINITY);
    cr_assert_eq(mass_log_f32(0.0f), -INFINITY);
}

Test(math, every_nan_is_the_canonical_one)
{
    const double nans[] = {mass_f64_bits(0xfff8000000000001ull),
                           mass_f64_bits(0x7ff0000000000001ull)};
    const uint64_t canonical = 0x7ff8000000000000ull;
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(mass_bits_f64(mass_exp_f64(nans[i])), canonical);
        cr_assert_eq(mass_bits_f64(mass_log_f64(nans[i])), canonical);
        cr_assert_eq(mass_bits_f64(mass_sin_f64(nans[i])), canonical);
        cr_assert_eq(mass_bits_f64(mass_cos_f64(nans[i])), canonical);
        cr_assert_eq(mass_bits_f64(mass_sqrt_f64(nans[i])), canonical);
    }
    cr_assert_eq(mass_bits_f64(mass_log_f64(-1.0)), canonical);
    cr_assert_eq(mass_bits_f64(mass_log_f64(-INFINITY)), canonical);
    cr_assert_eq(mass_bits_f64(mass_sqrt_f64(-1.0)), canonical);
    cr_assert_eq(mass_bits_f64(mass_sin_f64(INFINITY)), canonical);
    cr_assert_eq(mass_bits_f64(mass_cos_f64(-INFINITY)), canonical);
    cr_assert_eq(mass_bits_f32(mass_sin_f32(-INFINITY)), 0x7fc00000u);
    cr_assert_eq(mass_bits_f32(mass_log_f32(-1.0f)), 0x7fc00000u);
    cr_assert_eq(mass_bits_f32(mass_sqrt_f32(-1.0f)), 0x7fc00000u);
}

/* One number for all bits of many results, so that another compiler, optimisation or device that
 * changes any of them is noticed: FNV-1a over words. */
static void expect_hash(double (*function)(double), uint64_t expected)
{
    uint64_t state = 17, hash = 0xcbf29ce484222325ull;
    for (int i = 0; i < ARGUMENTS; i++)
        hash = (hash ^ mass_bits_f64(function(next_argument(&state, i)))) * 0x100000001b3ull;
    cr_assert_eq(hash, expected, "%016llx", (unsigned long long)hash);
}
static double exp_of(double v) { return mass_exp_f64(v); }
static double log_of(double v) { return mass_log_f64(v); }
static double sin_of(double v) { return mass_sin_f64(v); }
static double cos_of(double v) { return mass_cos_f64(v); }

Test(math, bits_of_exp_are_the_same_everywhere) { expect_hash(exp_of, 0xd5aaabb09caf16e1ull); }
Test(math, bits_of_log_are_the_same_everywhere) { expect_hash(log_of, 0xf76da56d06e36737ull); }
Test(math, bits_of_sin_are_the_same_everywhere) { expect_hash(sin_of, 0x8098c31ea40c0a71ull); }
Test(math, bits_of_cos_are_the_same_everywhere) { expect_hash(cos_of, 0x223dd7ce2a0c15d8ull); }
