/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of doubles without any rounding: they do not depend on order, threads, devices or partitions. The method is the
 * long accumulator of U. Kulisch, "Computer arithmetic and validity" (2013): an integer in units of the least double,
 * wide enough for all doubles. One rounding at the end makes it a double.
 *
 * An accumulator is an array of MASS_EXACT_WORDS int64_t, empty when all are 0: digits of 28 bits, lowest first, and
 * counts of the numbers that were added. A number adds less than 2^28 to each of three digits and carries nothing. So
 * the sum of two accumulators is the sum of their words, and 2^35 numbers fit before mass_exact_normalise has to carry.
 * Functions write only through their pointers; any thread, host or device. */
#ifndef MASS_EXACT_H
#define MASS_EXACT_H

#include <mass/arithmetic.h>

enum {
    MASS_EXACT_BITS = 28,   /* bits of a digit: digit i counts 2^(28 i - 1074) */
    MASS_EXACT_DIGITS = 76, /* the last one has the sum's sign, and holds the carries of 2^63 numbers */
    MASS_EXACT_NAN = MASS_EXACT_DIGITS, /* from here on counts: of NaNs, of infinities, and of all numbers that were
                                           added */
    MASS_EXACT_PLUS_INFINITY,
    MASS_EXACT_MINUS_INFINITY,
    MASS_EXACT_COUNT,
    MASS_EXACT_WORDS
};

enum {
    MASS_EXACT_MASK_ = (1 << MASS_EXACT_BITS) - 1,
    MASS_EXACT_LONG_ = MASS_EXACT_DIGITS + 2,    /* digits of a sum if the last one has 28 bits too */
    MASS_EXACT_HIGHEST_ = 73 * MASS_EXACT_BITS,  /* from here on, exponents of the two highest values, and of infinities
                                                    and NaN */
    MASS_EXACT_NEAR_ONE_ = 35 * MASS_EXACT_BITS, /* from here on, 56 exponents: of numbers of 2^-42 to 2^14 */
    MASS_EXACT_SPAN_ = 2 * MASS_EXACT_BITS
};

/* Return the mantissa and the exponent of a double v = mantissa * 2^(exponent - 1074), 0 <= exponent < 2046. For
 * infinities and NaN the two are meaningless. */
MASS_FN int64_t mass_exact_mantissa_(double v)
{
    const uint64_t bits = mass_bits_f64(v), sign = (uint64_t)((int64_t)bits >> 63);
    const uint64_t hidden = (uint64_t)((bits >> 52 & 0x7ff) != 0) << 52;
    return (int64_t)((((bits & 0xfffffffffffffull) | hidden) ^ sign) - sign);
}
MASS_FN int32_t mass_exact_exponent_(double v)
{
    const int32_t field = (int32_t)(mass_bits_f64(v) >> 52 & 0x7ff);
    return field - (field != 0);
}

/* Splits a mantissa times 2^shift, shift below 56, into two digits that are not negative, and the rest above them. */
MASS_FN void mass_exact_cut_(int64_t mantissa, int32_t shift, int64_t digits[3])
{
    const uint64_t low = (uint64_t)mantissa << shift;
    digits[0] = (int64_t)(low & MASS_EXACT_MASK_);
    digits[1] = (int64_t)(low >> MASS_EXACT_BITS & MASS_EXACT_MASK_);
    digits[2] = mantissa >> (MASS_EXACT_SPAN_ - shift);
}

/* Gets the three digits, from `first` on, that a finite v adds, each below 2^28 in magnitude; 0 for zeros. */
MASS_FN void mass_exact_split(double v, int *first, int64_t digits[3])
{
    const int32_t exponent = mass_exact_exponent_(v);
    *first = exponent / MASS_EXACT_BITS;
    mass_exact_cut_(mass_exact_mantissa_(v), exponent % MASS_EXACT_BITS, digits);
}

/* Adds to a word. On a GPU it is atomic: many threads may share an accumulator, in global or shared memory. The branch
 * also keeps a window in plain registers. Otherwise compilers pair its digits in vectors, and an addition takes twice
 * the time. */
MASS_FN void mass_exact_put_(int64_t *word, int64_t v)
{
    if (v == 0) return;
#ifdef __CUDA_ARCH__
    atomicAdd((unsigned long long *)word, (unsigned long long)v);
#else
    *word = (int64_t)((uint64_t)*word + (uint64_t)v);
#endif
}

/* Adds v, which may be infinite or NaN, to the words, without counting it. */
MASS_FN void mass_exact_put_number_(int64_t *words, double v)
{
    int first;
    int64_t digits[3];
    if (v != v) mass_exact_put_(words + MASS_EXACT_NAN, 1);
    else if (v - v != 0) mass_exact_put_(words + (v > 0 ? MASS_EXACT_PLUS_INFINITY : MASS_EXACT_MINUS_INFINITY), 1);
    else {
        mass_exact_split(v, &first, digits);
        for (int i = 0; i < 3; i++) mass_exact_put_(words + first + i, digits[i]);
    }
}

/* Four neighbouring digits of an accumulator, meant for registers. The window moves to the digits of the numbers, so
 * numbers of one magnitude, within a factor of 2^28, rarely access memory. */
typedef struct mass_exact_window {
    int64_t *words;
    int64_t digit[4];
    int64_t count;
    int32_t exponent; /* the least of the 56 exponents that it takes; a multiple of 28 */
} mass_exact_window;

/* Makes an empty window over words. The caller owns words, which must outlive the window. On a CPU no other thread may
 * use them until the last flush of the window. */
MASS_FN void mass_exact_begin(mass_exact_window *w, int64_t *words)
{
    w->words = words;
    w->digit[0] = w->digit[1] = w->digit[2] = w->digit[3] = w->count = 0;
    w->exponent = MASS_EXACT_NEAR_ONE_;
}

/* Adds the window's digits to its words, and makes them 0. The count remains. */
MASS_FN void mass_exact_flush_digits_(mass_exact_window *w)
{
    int64_t *const words = w->words + w->exponent / MASS_EXACT_BITS;
    mass_exact_put_(words + 0, w->digit[0]);
    mass_exact_put_(words + 1, w->digit[1]);
    mass_exact_put_(words + 2, w->digit[2]);
    mass_exact_put_(words + 3, w->digit[3]);
    w->digit[0] = w->digit[1] = w->digit[2] = w->digit[3] = 0;
}

/* Moves the window, no further than needed, so that it can take v, and returns 1. If no window takes v, adds v to the
 * words and returns 0. */
MASS_FN int mass_exact_move_(mass_exact_window *w, double v)
{
    const int32_t exponent = mass_exact_exponent_(v);
    if (v == 0) return 0;
    if (exponent >= MASS_EXACT_HIGHEST_) {
        mass_exact_put_number_(w->words, v);
        return 0;
    }
    mass_exact_flush_digits_(w);
    w->exponent = (exponent / MASS_EXACT_BITS - (exponent > w->exponent)) * MASS_EXACT_BITS;
    return 1;
}

/* Adds v to the sum, and counts it. The caller must flush at least every 2^34 numbers, for example after each row. */
MASS_FN void mass_exact_add(mass_exact_window *w, double v)
{
    const int32_t exponent = mass_exact_exponent_(v);
    int64_t cut[3];
    w->count++;
    if ((uint32_t)(exponent - w->exponent) >= MASS_EXACT_SPAN_ && !mass_exact_move_(w, v)) return;
    mass_exact_cut_(mass_exact_mantissa_(v), exponent - w->exponent, cut);
    w->digit[0] += cut[0];
    w->digit[1] += cut[1];
    w->digit[2] += cut[2] & MASS_EXACT_MASK_;
    w->digit[3] += cut[2] >> MASS_EXACT_BITS;
}

/* Adds all digits and counts of the window to the words. The window is empty then and can be used again. */
MASS_FN void mass_exact_flush(mass_exact_window *w)
{
    mass_exact_flush_digits_(w);
    mass_exact_put_(w->words + MASS_EXACT_COUNT, w->count);
    w->count = 0;
}

/* Returns a word's digit, 0 to 2^28 - 1, with the carry of the words below added. *carry becomes the carry of this
 * word. */
MASS_FN int64_t mass_exact_carry_(int64_t word, int64_t *carry)
{
    const int64_t low = (word & MASS_EXACT_MASK_) + *carry;
    *carry = (word >> MASS_EXACT_BITS) + (low >> MASS_EXACT_BITS);
    return low & MASS_EXACT_MASK_;
}

/* Carries, so that another 2^35 numbers fit. The sum stays the same, and equal sums get equal bits: digits of 0 to 2^28
 * - 1, the last one signed. */
MASS_FN void mass_exact_normalise(int64_t words[])
{
    int64_t carry = 0;
    for (int i = 0; i < MASS_EXACT_DIGITS - 1; i++) words[i] = mass_exact_carry_(words[i], &carry);
    words[MASS_EXACT_DIGITS - 1] += carry;
}

/* Gets the magnitude of the sum, in digits of 28 bits each. Returns 1 if the sum is negative, else 0. */
MASS_FN int mass_exact_magnitude_(const int64_t words[], uint32_t digits[MASS_EXACT_LONG_])
{
    const int last = MASS_EXACT_DIGITS - 1;
    int64_t carry = 0;
    for (int i = 0; i < last; i++) mass_exact_carry_(words[i], &carry);
    const int negative = words[last] + carry < 0;
    carry = 0;
    for (int i = 0; i < last; i++)
        digits[i] = (uint32_t)mass_exact_carry_(negative ? -words[i] : words[i], &carry);
    carry += negative ? -words[last] : words[last];
    for (int i = last; i < MASS_EXACT_LONG_; i++) digits[i] = (uint32_t)mass_exact_carry_(0, &carry);
    return negative;
}

/* Returns 1 if any bit below bit `bit` is set, else 0. */
MASS_FN int mass_exact_any_below_(const uint32_t digits[], int bit)
{
    uint32_t any = digits[bit / MASS_EXACT_BITS] & ((1u << bit % MASS_EXACT_BITS) - 1);
    for (int i = bit / MASS_EXACT_BITS - 1; i >= 0; i--) any |= digits[i];
    return any != 0;
}

/* Returns the double nearest to digits / n, for n of 1 to 2^63; of two, the even one. It divides bit by bit until it
 * has the 53 bits of a double and three more, or three after the least bit of all doubles. The last of these bits is 1
 * if a later bit is. */
MASS_FN double mass_exact_quotient_(const uint32_t digits[MASS_EXACT_LONG_], uint64_t n)
{
    int length = MASS_EXACT_LONG_;
    while (length > 0 && digits[length - 1] == 0) length--;
    uint64_t quotient = 0, rest = 0;
    int bit = length * MASS_EXACT_BITS;
    while (quotient >> 55 == 0 && bit > -3) {
        bit--;
        rest = rest << 1 | (bit < 0 ? 0 : digits[bit / MASS_EXACT_BITS] >> bit % MASS_EXACT_BITS & 1);
        quotient = quotient << 1 | (rest >= n);
        rest -= rest >= n ? n : 0;
    }
    quotient |= rest != 0 || (bit > 0 && mass_exact_any_below_(digits, bit));
    const uint64_t rounded = (quotient + 3 + (quotient >> 3 & 1)) >> 3, infinity = 0x7ff0000000000000ull;
    const uint64_t bits = ((uint64_t)(bit + 3) << 52) + rounded; /* the leading bit adds 1 to the exponent */
    return mass_f64_bits(bits < infinity ? bits : infinity);
}

/* Returns the double nearest to the sum over n. NaN if a NaN or both infinities were added; else an infinity if one
 * was. */
MASS_FN double mass_exact_over_(const int64_t words[], uint64_t n)
{
    const int plus = words[MASS_EXACT_PLUS_INFINITY] != 0, minus = words[MASS_EXACT_MINUS_INFINITY] != 0;
    if (words[MASS_EXACT_NAN] != 0 || (plus && minus)) return mass_f64_bits(0x7ff8000000000000ull);
    if (plus || minus) return mass_f64_bits(plus ? 0x7ff0000000000000ull : 0xfff0000000000000ull);
    uint32_t digits[MASS_EXACT_LONG_];
    const int negative = mass_exact_magnitude_(words, digits);
    const double quotient = mass_exact_quotient_(digits, n);
    return negative ? -quotient : quotient;
}

/* Returns the double nearest to the sum; of two, the even one. It is infinite beyond the largest double, and +0 for 0.
 * As in IEEE 754, NaN and infinities of both signs give the canonical NaN, and infinities of one sign give that
 * infinity. */
MASS_FN double mass_exact_value(const int64_t words[]) { return mass_exact_over_(words, 1); }

/* Returns the double nearest to the mean of the numbers, in one rounding; NaN if there are none. */
MASS_FN double mass_exact_mean(const int64_t words[])
{
    const uint64_t count = (uint64_t)words[MASS_EXACT_COUNT];
    return count ? mass_exact_over_(words, count) : mass_f64_bits(0x7ff8000000000000ull);
}

/* Adds v to the window, if there is one, and returns the window. */
MASS_FN mass_exact_window *mass_added_real(mass_exact_window *window, double v)
{
    if (window) mass_exact_add(window, v);
    return window;
}

#endif
