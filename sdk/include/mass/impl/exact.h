/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of doubles without any rounding, so that they depend neither on order nor on threads, devices or
 * partitions: the long accumulator of U. Kulisch, "Computer arithmetic and validity" (2013), an integer in
 * units of the least double, wide enough for all doubles. One rounding makes it a double in the end.
 *
 * An accumulator is an array of MASS_EXACT_WORDS int64_t, empty when all are 0: digits of 28 bits, lowest first,
 * and counts of what was added. A number adds less than 2^28 to each of three digits and carries nothing, so
 * accumulators are merged by adding their words, and 2^35 numbers fit before mass_exact_normalise has to carry.
 * Functions are pure but for what their pointers name; any thread, host or device. */
#ifndef MASS_EXACT_H
#define MASS_EXACT_H

#include <mass/arithmetic.h>

enum {
    MASS_EXACT_BITS = 28,   /* of a digit: digit i counts 2^(28 i - 1074) */
    MASS_EXACT_DIGITS = 76, /* the last one, whose sign is the sum's, holds the carries of 2^63 numbers */
    MASS_EXACT_NAN = MASS_EXACT_DIGITS, /* how many NaNs, infinities and numbers of any kind were added */
    MASS_EXACT_PLUS_INFINITY,
    MASS_EXACT_MINUS_INFINITY,
    MASS_EXACT_COUNT,
    MASS_EXACT_WORDS
};

enum {
    MASS_EXACT_MASK_ = (1 << MASS_EXACT_BITS) - 1,
    MASS_EXACT_LONG_ = MASS_EXACT_DIGITS + 2,    /* digits of a sum when the last one, too, has 28 bits */
    MASS_EXACT_HIGHEST_ = 73 * MASS_EXACT_BITS,  /* exponents from here on: two of numbers, and infinities and NaN */
    MASS_EXACT_NEAR_ONE_ = 35 * MASS_EXACT_BITS, /* from here on, 56 exponents: numbers of 2^-42 to 2^14 */
    MASS_EXACT_SPAN_ = 2 * MASS_EXACT_BITS
};

/* v is mantissa * 2^(exponent - 1074), 0 <= exponent < 2046; meaningless for infinities and NaN. */
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

/* A mantissa times 2^shift, shift below 56, as two digits that are not negative and all that is above them. */
MASS_FN void mass_exact_cut_(int64_t mantissa, int32_t shift, int64_t digits[3])
{
    const uint64_t low = (uint64_t)mantissa << shift;
    digits[0] = (int64_t)(low & MASS_EXACT_MASK_);
    digits[1] = (int64_t)(low >> MASS_EXACT_BITS & MASS_EXACT_MASK_);
    digits[2] = mantissa >> (MASS_EXACT_SPAN_ - shift);
}

/* What a finite v adds to three digits from `first` on, each below 2^28 in magnitude; nothing for zeros. */
MASS_FN void mass_exact_split(double v, int *first, int64_t digits[3])
{
    const int32_t exponent = mass_exact_exponent_(v);
    *first = exponent / MASS_EXACT_BITS;
    mass_exact_cut_(mass_exact_mantissa_(v), exponent % MASS_EXACT_BITS, digits);
}

/* Adds to a word, on a GPU in one piece: many threads may share an accumulator there, in global or shared memory.
 * The branch also keeps a window in plain registers, where compilers else pair its digits up in vectors, for twice
 * the time of an addition. */
MASS_FN void mass_exact_put_(int64_t *word, int64_t v)
{
    if (v == 0) return;
#ifdef __CUDA_ARCH__
    atomicAdd((unsigned long long *)word, (unsigned long long)v);
#else
    *word = (int64_t)((uint64_t)*word + (uint64_t)v);
#endif
}

/* Adds v, which may be infinite or NaN, straight to the words, but does not count it as one more. */
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

/* Four neighbouring digits of an accumulator, meant for registers. It moves to where the numbers are, so numbers
 * of one magnitude, within a factor of 2^28, seldom touch memory. */
typedef struct mass_exact_window {
    int64_t *words;
    int64_t digit[4];
    int64_t count;
    int32_t exponent; /* the least that it takes, of 56; a multiple of 28 */
} mass_exact_window;

/* An empty window over words, which stay the caller's and outlive it. On a CPU no other thread uses them until
 * the window was flushed for the last time. */
MASS_FN void mass_exact_begin(mass_exact_window *w, int64_t *words)
{
    w->words = words;
    w->digit[0] = w->digit[1] = w->digit[2] = w->digit[3] = w->count = 0;
    w->exponent = MASS_EXACT_NEAR_ONE_;
}

MASS_FN void mass_exact_flush_digits_(mass_exact_window *w)
{
    int64_t *const words = w->words + w->exponent / MASS_EXACT_BITS;
    mass_exact_put_(words + 0, w->digit[0]);
    mass_exact_put_(words + 1, w->digit[1]);
    mass_exact_put_(words + 2, w->digit[2]);
    mass_exact_put_(words + 3, w->digit[3]);
    w->digit[0] = w->digit[1] = w->digit[2] = w->digit[3] = 0;
}

/* Moves the window, no further than it must, to take v; or, where v is nothing to put into one, adds v to the
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

/* Adds v to the sum, and counts it. A caller flushes at least every 2^34 numbers, after each row say. */
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

/* Adds to the words all that the window holds, which is empty then and may be used on. */
MASS_FN void mass_exact_flush(mass_exact_window *w)
{
    mass_exact_flush_digits_(w);
    mass_exact_put_(w->words + MASS_EXACT_COUNT, w->count);
    w->count = 0;
}

/* A word's digit, 0 to 2^28 - 1, once the carry of the words below it is in, which becomes its own. */
MASS_FN int64_t mass_exact_carry_(int64_t word, int64_t *carry)
{
    const int64_t low = (word & MASS_EXACT_MASK_) + *carry;
    *carry = (word >> MASS_EXACT_BITS) + (low >> MASS_EXACT_BITS);
    return low & MASS_EXACT_MASK_;
}

/* Carries, so that another 2^35 numbers fit. The sum stays as it is, and equal sums get equal bits: digits of 0 to
 * 2^28 - 1, the last one signed. */
MASS_FN void mass_exact_normalise(int64_t words[])
{
    int64_t carry = 0;
    for (int i = 0; i < MASS_EXACT_DIGITS - 1; i++) words[i] = mass_exact_carry_(words[i], &carry);
    words[MASS_EXACT_DIGITS - 1] += carry;
}

/* The magnitude of the sum, in digits of 28 bits each; returns whether the sum is negative. */
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

MASS_FN int mass_exact_any_below_(const uint32_t digits[], int bit)
{
    uint32_t any = digits[bit / MASS_EXACT_BITS] & ((1u << bit % MASS_EXACT_BITS) - 1);
    for (int i = bit / MASS_EXACT_BITS - 1; i >= 0; i--) any |= digits[i];
    return any != 0;
}

/* The double nearest to digits / n, n of 1 to 2^63, of two the even one. Long division bit by bit, until there are
 * the 53 bits of a double and three more, the last of which stands for all that follow, or three after the least
 * bit of all doubles. */
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

/* The double nearest to the sum, of two the even one; infinite where a double ends, +0 for 0. As in IEEE 754, NaN
 * and infinities of both signs give NaN, the canonical one, and infinities of one sign that infinity. */
MASS_FN double mass_exact_value(const int64_t words[]) { return mass_exact_over_(words, 1); }

/* The double nearest to the sum divided by how many were added, in one rounding; NaN where there were none. */
MASS_FN double mass_exact_mean(const int64_t words[])
{
    const uint64_t count = (uint64_t)words[MASS_EXACT_COUNT];
    return count ? mass_exact_over_(words, count) : mass_f64_bits(0x7ff8000000000000ull);
}

/* A window that took v in, if there is one. */
MASS_FN mass_exact_window *mass_added_real(mass_exact_window *window, double v)
{
    if (window) mass_exact_add(window, v);
    return window;
}

#endif
