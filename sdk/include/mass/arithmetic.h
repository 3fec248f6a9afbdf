/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic whose result does not depend on compiler, instruction set or device. Plain +, -, *, / and sqrt are safe,
 * because mass_add_plugin() forbids contraction. The functions here replace operations that C leaves open or that
 * compilers choose freely. They are pure: any thread, host or device. */
#ifndef MASS_ARITHMETIC_H
#define MASS_ARITHMETIC_H

#include <mass/types.h>
#include <string.h>

#ifdef __CUDACC__
#define MASS_FN static __device__ __forceinline__
#define MASS_FN_MEMBER __device__ __forceinline__
#elif defined(__SANITIZE_ADDRESS__) || defined(MASS_INLINE_FREELY)
/* The compiler chooses what it inlines: long bodies, and gcc's checks of them, otherwise take minutes to compile. */
#define MASS_FN static inline __attribute__((unused))
#else
#define MASS_FN static inline __attribute__((always_inline, unused))
#endif

/* Return the bits of a float as an integer, and back. */
MASS_FN uint32_t mass_bits_f32(float v) { uint32_t b; memcpy(&b, &v, 4); return b; }
MASS_FN float mass_f32_bits(uint32_t b) { float v; memcpy(&v, &b, 4); return v; }
MASS_FN uint64_t mass_bits_f64(double v) { uint64_t b; memcpy(&b, &v, 8); return b; }
MASS_FN double mass_f64_bits(uint64_t b) { double v; memcpy(&v, &b, 8); return v; }

/* Return v, or the canonical quiet NaN for any NaN: processors differ in sign and payload. */
MASS_FN float mass_canonical_f32(float v) { return v == v ? v : mass_f32_bits(0x7fc00000u); }
MASS_FN double mass_canonical_f64(double v) { return v == v ? v : mass_f64_bits(0x7ff8000000000000ull); }

/* Return the smaller and the larger of two numbers; b if either is NaN or both are zeros. */
MASS_FN float mass_min_f32(float a, float b) { return a < b ? a : b; }
MASS_FN float mass_max_f32(float a, float b) { return a > b ? a : b; }
MASS_FN double mass_min_f64(double a, double b) { return a < b ? a : b; }
MASS_FN double mass_max_f64(double a, double b) { return a > b ? a : b; }

/* Convert a float to an integer towards zero, saturating; NaN gives 0. */
MASS_FN int32_t mass_i32_f64(double v)
{
    return v != v ? 0 : v >= 2147483647.0 ? INT32_MAX : v <= -2147483648.0 ? INT32_MIN : (int32_t)v;
}
MASS_FN int64_t mass_i64_f64(double v)
{
    return v != v ? 0
         : v >= 9223372036854775808.0 ? INT64_MAX
         : v <= -9223372036854775808.0 ? INT64_MIN : (int64_t)v;
}

/* Returns v in units of 2^-bits, for an exact sum of a fixed-point tally with as many fraction_bits. NaN, infinities
 * and numbers of 2^62 units and more give values that no such sum can hold: they make it MASS_NO_SUM
 * (mass_sum_fixed). */
MASS_FN int64_t mass_fixed(double v, int bits)
{
    return v != v ? INT64_MIN : mass_i64_f64(v * (double)((int64_t)1 << bits));
}

/* Returns the same number as mass_fixed. It uses masks and conversions to 32 bits, which gcc vectorises: 2 to 4 times
 * as fast in a vectorised loop over places, half as fast elsewhere. */
MASS_FN int64_t mass_fixed_in_vectors(double v, int bits)
{
#if defined(__CUDACC__) || defined(__clang__) /* these vectorise no loops as long as this */
    return mass_fixed(v, bits);
#else
    const double units = v * (double)((int64_t)1 << bits);
    const int64_t word = (int64_t)mass_bits_f64(units), size = word & INT64_MAX;
    const uint64_t inside = (uint64_t)((size - 0x43e0000000000000) >> 63); /* all ones if the size is below 2^63 */
    const double all = mass_f64_bits((uint64_t)word & inside);
    const int32_t high = (int32_t)(all * 0x1p-32);
    const double rest = all - (double)high * 0x1p32; /* exact, as are the next ones */
    const int32_t half = (int32_t)(rest * 0.5);
    const int32_t last = (int32_t)(rest - (double)half * 2);
    const uint64_t whole = ((uint64_t)(int64_t)high << 32) + ((uint64_t)(int64_t)half << 1) + (uint64_t)(int64_t)last;
    const uint64_t beyond = (uint64_t)INT64_MIN - (uint64_t)(units > 0); /* the most, or the least */
    return (int64_t)((whole & inside) | (beyond & ~inside));
#endif
}

/* Shift by any count: 0 from the width on. */
MASS_FN uint32_t mass_shl_u32(uint32_t v, uint32_t n) { return n < 32 ? v << n : 0; }
MASS_FN uint32_t mass_shr_u32(uint32_t v, uint32_t n) { return n < 32 ? v >> n : 0; }
MASS_FN uint64_t mass_shl_u64(uint64_t v, uint32_t n) { return n < 64 ? v << n : 0; }
MASS_FN uint64_t mass_shr_u64(uint64_t v, uint32_t n) { return n < 64 ? v >> n : 0; }

/* Returns a + b modulo 2^64, as sums of integers wrap. */
MASS_FN int64_t mass_sum_i64(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }

/* Fixed-point sums are at least -2^62 and below 2^62, so the sum of two of them does not wrap. A sum out of this range
 * becomes MASS_NO_SUM and stays so. mass_beyond_fixed is negative for a number out of the range. */
#define MASS_NO_SUM INT64_MIN
MASS_FN int64_t mass_beyond_fixed(int64_t v) { return (int64_t)((uint64_t)v ^ (uint64_t)v << 1); }
MASS_FN int64_t mass_sum_fixed(int64_t a, int64_t b)
{
    const int64_t sum = mass_sum_i64(a, b);
    return (mass_beyond_fixed(a) | mass_beyond_fixed(b) | mass_beyond_fixed(sum)) < 0 ? MASS_NO_SUM : sum;
}

/* Divide integers, with a result for every input: x / 0 is 0 and x mod 0 is x; the least integer divided by -1 is
 * itself. */
MASS_FN int32_t mass_div_i32(int32_t a, int32_t b)
{
    return b == 0 ? 0 : b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b;
}
MASS_FN int32_t mass_mod_i32(int32_t a, int32_t b) { return b == 0 ? a : b == -1 ? 0 : a % b; }
MASS_FN int64_t mass_div_i64(int64_t a, int64_t b)
{
    return b == 0 ? 0 : b == -1 ? (int64_t)(0u - (uint64_t)a) : a / b;
}
MASS_FN int64_t mass_mod_i64(int64_t a, int64_t b) { return b == 0 ? a : b == -1 ? 0 : a % b; }

/* Map a double to an integer of the same order, and back, so that integer operations can find minima and maxima of
 * doubles. Not for NaN; -0 and 0 have the same rank. */
MASS_FN int64_t mass_rank_f64(double v)
{
    const int64_t b = (int64_t)mass_bits_f64(v + 0.0), sign = b >> 63;
    return (int64_t)((((uint64_t)b & (uint64_t)INT64_MAX) ^ (uint64_t)sign) - (uint64_t)sign);
}
MASS_FN double mass_f64_rank(int64_t r)
{
    return mass_f64_bits(r < 0 ? (uint64_t)INT64_MIN - (uint64_t)r : (uint64_t)r);
}

#endif
