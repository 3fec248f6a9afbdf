/* SPDX-License-Identifier: Apache-2.0 */
/* Elementary functions with the same bits on every compiler and device. They use only +, -, *, / on doubles and integer
 * operations, in one order. mass_add_plugin() compiles them with -ffp-contract=off, or nvcc's -fmad=false. Pure; any
 * thread, host or device.
 *
 * sqrt is correctly rounded. exp, log, sin and cos of doubles are within 1 ulp of the true value everywhere. They
 * overflow to infinities, and underflow through subnormals to zero. Their float versions round the double result, so
 * they are within 0.50001 ulp. Every NaN that they return is the canonical one. exp and log have no branches and
 * vectorise; sin and cos branch beyond 2^20 pi/2.
 *
 * Methods: reduction of exp and sin by constants in parts, W. J. Cody and W. Waite, "Software manual for the elementary
 * functions" (1980); of huge angles, M. Payne and R. Hanek, "Radian reduction for trigonometric functions" (SIGNUM
 * 1983). Exact error terms of sums and products: T. J. Dekker, "A floating-point technique for extending the available
 * precision" (1971). Polynomials: Chebyshev fits of the remainders, made at 400 bits. Each comment gives the error of
 * the rounded polynomial, relative to the function. */
#ifndef MASS_MATH_H
#define MASS_MATH_H

#include <mass/arithmetic.h>

#ifdef __FAST_MATH__
#error "mass/math.h: -ffast-math lets the compiler change results; compile without it"
#endif

/* A function that loops must not inline. */
#ifdef __CUDACC__
#define MASS_COLD_FN static __device__ __noinline__
#else
#define MASS_COLD_FN static __attribute__((noinline, cold, unused))
#endif

/* ---- square root ---- */

/* Return the square root, correctly rounded; -0 for -0, and NaN for other numbers below 0. */
#ifdef __CUDACC__
MASS_FN float mass_sqrt_f32(float v) { return mass_canonical_f32(__fsqrt_rn(v)); }
MASS_FN double mass_sqrt_f64(double v) { return mass_canonical_f64(__dsqrt_rn(v)); }
#else
MASS_FN float mass_sqrt_f32(float v) { return mass_canonical_f32(__builtin_sqrtf(v)); }
MASS_FN double mass_sqrt_f64(double v) { return mass_canonical_f64(__builtin_sqrt(v)); }
#endif

/* ---- exponential and logarithm ---- */

#define MASS_INFINITY_ mass_f64_bits(0x7ff0000000000000ull)
#define MASS_NAN_ mass_f64_bits(0x7ff8000000000000ull)
/* Adding and subtracting it rounds to an integer; the low bits of the sum contain that integer too. */
#define MASS_ROUNDER_ 0x1.8p52
/* log 2: 42 bits, so that a multiple by an exponent is exact, and the rest. */
#define MASS_LOG2_HIGH_ 0x1.62e42fefa3800p-1
#define MASS_LOG2_LOW_ 0x1.ef35793c76730p-45

/* (e^r - 1 - r) / r^2 for |r| <= log(2) / 2; error 2^-61. */
MASS_FN double mass_exp_polynomial_(double r)
{
    const double z = r * r;
    const double even = 0.5 + z * (0x1.5555555555556p-5 + z * (0x1.6c16c16c162d4p-10 +
        z * (0x1.a01a01a6d889cp-16 + z * (0x1.27e4db646b17ep-22 + z * 0x1.1f730349868cep-29))));
    const double odd = 0x1.5555555555557p-3 + z * (0x1.11111111100dcp-7 +
        z * (0x1.a01a01abe7fe1p-13 + z * (0x1.71de0231960ebp-19 + z * 0x1.af4de97ca4194p-26)));
    return even + r * odd;
}

/* Returns e to the power of v: 0 or infinity if that is too small or too large; NaN for NaN. */
MASS_FN double mass_exp_f64(double v)
{
    const double low = v > -746.0 ? v : -746.0, x = low < 710.0 ? low : 710.0;
    const double rounded = x * 0x1.71547652b82fep+0 + MASS_ROUNDER_, k = rounded - MASS_ROUNDER_;
    const double high = x - k * MASS_LOG2_HIGH_, rest = k * MASS_LOG2_LOW_;
    const double r = high - rest, lost = (high - r) - rest;
    const double sum = 1.0 + r, sum_lost = (1.0 - sum) + r;
    const double y = sum + (sum_lost + (lost + r * r * mass_exp_polynomial_(r)));
    /* Two powers of two, since 2^k may be subnormal or infinite where y 2^k is not. */
    const uint64_t exponent = (mass_bits_f64(rounded) + 2048) & 0xffff, half = exponent >> 1;
    const double scaled = y * mass_f64_bits((half - 1) << 52);
    return mass_canonical_f64(v == v ? scaled * mass_f64_bits((exponent - half - 1) << 52) : v);
}

/* (log((1 + s) / (1 - s)) - 2 s) / s^3 for z = s^2, |s| <= 3 - sqrt(8); error 2^-60. */
MASS_FN double mass_log_polynomial_(double z)
{
    const double w = z * z;
    const double even = 0x1.5555555555555p-1 + w * (0x1.2492492476c87p-2 +
        w * (0x1.745cf901605f7p-3 + w * 0x1.0fbe83c2cbcf3p-3));
    const double odd = 0x1.9999999999a38p-2 + w * (0x1.c71c720160b47p-3 +
        w * (0x1.3b1c360763b8ap-3 + w * 0x1.0c04595972ab8p-3));
    return even + z * odd;
}

/* Returns the natural logarithm; -infinity for zeros, NaN for negative numbers. */
MASS_FN double mass_log_f64(double v)
{
    const double lifted = v * 0x1p54;
    const int tiny = v < 0x1p-1022;
    const uint64_t bits = mass_bits_f64(tiny ? lifted : v);
    /* v = 2^k (1 + f) with 1 + f between sqrt(1/2) and sqrt(2) */
    const uint64_t root = 0x3fe6a09e667f3bcdull, moved = bits + (0x3ff0000000000000ull - root);
    const double f = mass_f64_bits((moved & 0xfffffffffffffull) + root) - 1.0;
    const double biased = mass_f64_bits(0x4330000000000000ull | moved >> 52);
    const double k = biased - (tiny ? 0x1p52 + 1077.0 : 0x1p52 + 1023.0);
    /* log(1 + f) = f - f^2/2 + s (f^2/2 + s^2 P(s^2)) for s = f / (2 + f) */
    const double s = f / (2.0 + f), z = s * s, square = 0.5 * f * f;
    const double correction = s * (square + z * mass_log_polynomial_(z)) - square;
    const double big = k * MASS_LOG2_HIGH_, sum = big + f, lost = (big - sum) + f;
    const double finite = sum + (lost + (k * MASS_LOG2_LOW_ + correction));
    const double end = v == 0.0 ? -MASS_INFINITY_ : v > 0.0 ? v : MASS_NAN_;
    return ((v > 0.0) & (v < MASS_INFINITY_)) ? finite : end;
}

/* ---- sine and cosine ---- */

/* An angle minus quadrant * pi/2, as head + tail: at most pi/4 but for rounding. */
typedef struct mass_angle_ {
    double head, tail;
    uint64_t quadrant; /* only its two low bits matter */
} mass_angle_;

/* For |v| <= 2^20 pi/2: subtracts pi/2 in three parts of 33 bits, whose multiples are exact, and the rest. */
MASS_FN mass_angle_ mass_angle_small_(double v)
{
    const double rounded = v * 0x1.45f306dc9c883p-1 + MASS_ROUNDER_, n = rounded - MASS_ROUNDER_;
    const double a = v - n * 0x1.921fb544p+0;
    const double p = n * 0x1.0b4611a6p-34, b = a - p, c = a - b, b_lost = (a - (b + c)) + (c - p);
    const double q = n * 0x1.3198a2ep-69, d = b - q, e = b - d, d_lost = (b - (d + e)) + (e - q);
    const double tail = (b_lost + d_lost) - n * 0x1.b839a252049c1p-104, head = d + tail;
    const mass_angle_ angle = {head, (d - head) + tail, mass_bits_f64(rounded)};
    return angle;
}

/* Returns the high half of a product, through halves of its factors. */
MASS_FN uint64_t mass_high_u64_(uint64_t a, uint64_t b)
{
    const uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & 0xffffffffu);
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* Returns head + tail times pi/2; head is at most 1/2. */
MASS_FN mass_angle_ mass_angle_turns_(double head, double tail, uint64_t quadrant)
{
    const double high = 0x1.921fb5p+0, low = 0x1.110b46p-26, rest = 0x1.1a62633145c07p-54;
    const double top = mass_f64_bits(mass_bits_f64(head) & 0xfffffffff8000000ull);
    const double bottom = head - top, product = head * (high + low);
    const double lost = (((top * high - product) + top * low) + bottom * high) + bottom * low;
    const double more = lost + (head * rest + tail * (high + low)), sum = product + more;
    const mass_angle_ angle = {sum, (product - sum) + more, quadrant};
    return angle;
}

/* For any finite |v| >= 1: computes v 2/pi in fixed point, without the bits of 2/pi that make whole turns. No double is
 * nearer than 2^-62 to a multiple of pi/2, and 137 bits of the fraction are right. */
MASS_COLD_FN mass_angle_ mass_angle_large_(double v)
{
    /* 64 zeros, then 2/pi */
    static const uint64_t two_over_pi[20] = {
        0x0000000000000000ull, 0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull,
        0xfe5163abdebbc561ull, 0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull,
        0xe88235f52ebb4484ull, 0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull,
        0x1ff897ffde05980full, 0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull,
        0x7527bac7ebe5f17bull, 0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull};
    const uint64_t bits = mass_bits_f64(v);
    const uint64_t mantissa = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
    const uint32_t at = (uint32_t)(bits >> 52 & 0x7ff) - 1075 + 62, shift = at & 63;
    const uint64_t *const word = two_over_pi + (at >> 6);
    uint64_t window[3], product[3];
    for (int i = 0; i < 3; i++)
        window[i] = word[i] << shift | mass_shr_u64(word[i + 1], 64 - shift);

    /* The low 192 bits of the product: 2 bits of quadrant, 190 of fraction. */
    product[2] = mantissa * window[2];
    product[1] = mantissa * window[1] + mass_high_u64_(mantissa, window[2]);
    product[0] = mantissa * window[0] + mass_high_u64_(mantissa, window[1]) +
                 (product[1] < mantissa * window[1]);
    uint64_t quadrant = product[0] >> 62;
    uint64_t first = product[0] << 2 | product[1] >> 62;
    uint64_t second = product[1] << 2 | product[2] >> 62;
    /* To the nearest quadrant, and to the sign of v. */
    const int above = first >> 63 != 0, minus = above != (bits >> 63 != 0);
    quadrant += (uint64_t)above;
    if (above) first = ~first, second = ~second;
    if (bits >> 63) quadrant = 0 - quadrant;

    /* 128 bits as four exact doubles, added from the least up, with the error of each sum. */
    const double d0 = (double)(first >> 32) * 0x1p-32;
    const double d1 = (double)(first & 0xffffffffu) * 0x1p-64;
    const double d2 = (double)(second >> 32) * 0x1p-96;
    const double d3 = (double)(second & 0xffffffffu) * 0x1p-128;
    const double s2 = d2 + d3, s1 = d1 + s2, head = d0 + s1;
    const double tail = ((d0 - head) + s1) + (((d1 - s1) + s2) + ((d2 - s2) + d3));
    return mass_angle_turns_(minus ? -head : head, minus ? -tail : tail, quadrant);
}

/* Returns an angle reduced to a quadrant and a rest of at most pi/4, with an error far below that of a double. */
MASS_FN mass_angle_ mass_angle_f64_(double v)
{
    const uint64_t size = mass_bits_f64(v) & 0x7fffffffffffffffull;
    const uint64_t large = 0x413921fb54442d18ull; /* 2^20 pi/2 */
    if (size > large && size < 0x7ff0000000000000ull) return mass_angle_large_(v);
    return mass_angle_small_(v);
}

/* (sin x - x) / x^3 for z = x^2, |x| <= pi/4; error 2^-57. */
MASS_FN double mass_sin_polynomial_(double z)
{
    return -0x1.5555555555555p-3 + z * (0x1.1111111111110p-7 + z * (-0x1.a01a01a019937p-13 +
        z * (0x1.71de3a54607a5p-19 + z * (-0x1.ae64541295cdfp-26 + z * (0x1.61217ee5cca1bp-33 +
        z * -0x1.ab17bdcbd3414p-41)))));
}

/* (cos x - 1 + x^2/2) / x^4 for z = x^2, |x| <= pi/4; error 2^-59. */
MASS_FN double mass_cos_polynomial_(double z)
{
    return 0x1.5555555555555p-5 + z * (-0x1.6c16c16c16967p-10 + z * (0x1.a01a019f4e9b4p-16 +
        z * (-0x1.27e4fa17bf139p-22 + z * (0x1.1eeb68cd22f56p-29 + z * -0x1.907d8f29fe831p-37))));
}

/* Returns the sine of an angle that is `ahead` quadrants further. */
MASS_FN double mass_sin_angle_(mass_angle_ a, uint64_t ahead)
{
    const double x = a.head, z = x * x, half = 0.5 * z, one_less = 1.0 - half;
    const double sine = x + (z * x * mass_sin_polynomial_(z) + (a.tail - half * a.tail));
    const double cosine = one_less + (((1.0 - one_less) - half) +
                                      (z * z * mass_cos_polynomial_(z) - x * a.tail));
    const uint64_t quadrant = a.quadrant + ahead;
    const double size = quadrant & 1 ? cosine : sine;
    return quadrant & 2 ? -size : size;
}

/* Returns the sine of an angle in radians; NaN for infinities. */
MASS_FN double mass_sin_f64(double v)
{
    const double size = mass_f64_bits(mass_bits_f64(v) & 0x7fffffffffffffffull);
    const double sine = mass_sin_angle_(mass_angle_f64_(v), 0);
    const double end = size < 0x1p-27 ? v : MASS_NAN_; /* also keeps -0 */
    return ((size >= 0x1p-27) & (size < MASS_INFINITY_)) ? sine : end;
}

/* Returns the cosine of an angle in radians; NaN for infinities. */
MASS_FN double mass_cos_f64(double v)
{
    const double size = mass_f64_bits(mass_bits_f64(v) & 0x7fffffffffffffffull);
    const double cosine = mass_sin_angle_(mass_angle_f64_(v), 1);
    return size < MASS_INFINITY_ ? cosine : MASS_NAN_;
}

/* ---- floats ---- */

/* Return the result of the function of doubles, rounded to a float: beyond the range of floats it is an infinity. */
MASS_FN float mass_exp_f32(float v) { return mass_canonical_f32((float)mass_exp_f64(v)); }
MASS_FN float mass_log_f32(float v) { return mass_canonical_f32((float)mass_log_f64(v)); }
MASS_FN float mass_sin_f32(float v) { return mass_canonical_f32((float)mass_sin_f64(v)); }
MASS_FN float mass_cos_f32(float v) { return mass_canonical_f32((float)mass_cos_f64(v)); }

#endif
