/* SPDX-License-Identifier: Apache-2.0 */
/* How loops on CPUs add up tallies: sums, counters of bins, and the form of minima and maxima. Included by
 * kernel_cpu.h. */
#ifndef MASS_KERNEL_CPU_TALLIES_H
#define MASS_KERNEL_CPU_TALLIES_H

#include <mass/callback.h>
#include <mass/impl/exact.h>
#include <mass/impl/launch.h>
#include <string.h>

/* Is true for an expression of type uint8_t or bool. */
#ifdef __cplusplus
template <class T> constexpr int mass_is_byte_(T) { return 0; }
constexpr int mass_is_byte_(uint8_t) { return 1; }
constexpr int mass_is_byte_(bool) { return 1; }
#define MASS_IS_BYTE_(bin) mass_is_byte_(bin)
#else
#define MASS_IS_BYTE_(bin) _Generic((bin), uint8_t: 1, bool: 1, default: 0)
#endif

/* The contribution of a place or an agent to an integer sum. Bytes are apart from the rest, since vectors hold more of
 * them. Functions pass it by value: compilers do not vectorise variables whose address is taken.
 *
 * Sums in fixed point consist of numbers of 64 bits. For these, a row also adds the upper halves, and records if a
 * number was out of range (mass_beyond_fixed). So it knows if its sum is in range, in whatever order the loop added. */
typedef struct mass_sum {
    int64_t rest;
    uint64_t bytes;
    int64_t high, beyond;
} mass_sum;
/* Return a sum to which a number was added: an integer, one that may be in fixed point, or a byte. */
MASS_FN mass_sum mass_added_integer(mass_sum sum, int64_t v)
{
    sum.rest = mass_sum_i64(sum.rest, v);
    return sum;
}
MASS_FN mass_sum mass_added_long(mass_sum sum, int64_t v)
{
    sum.rest = mass_sum_i64(sum.rest, v);
    sum.high += v >> 32;
    sum.beyond |= mass_beyond_fixed(v);
    return sum;
}
MASS_FN mass_sum mass_added_byte(mass_sum sum, uint8_t v)
{
    sum.bytes += v;
    return sum;
}
/* The two parts of a sum: below 256, which is all if one byte was added, and the rest. */
MASS_FN uint8_t mass_sum_low(mass_sum sum) { return (uint8_t)sum.bytes; }
MASS_FN int64_t mass_sum_above(mass_sum sum)
{
    return mass_sum_i64(sum.rest, (int64_t)(sum.bytes & ~(uint64_t)255));
}
/* Returns a row's sum in fixed point from its parts, or MASS_NO_SUM. For less than 2^29 contributions, it has not
 * wrapped if the sum of the upper halves is this small. */
MASS_FN int64_t mass_row_fixed(int64_t sum, int64_t high, int64_t beyond)
{
    const int64_t most = ((int64_t)1 << 30) + ((int64_t)1 << 29);
    return beyond < 0 || high >= most || high < -most || mass_beyond_fixed(sum) < 0 ? MASS_NO_SUM : sum;
}
/* Return the start of a row's sum. For integers it is 0. For doubles it is the pointer to the exact sum, to which the
 * body adds each value at once. */
MASS_FN mass_exact_window *mass_sum_begin_f64(mass_exact_window *exact) { return exact; }
MASS_FN mass_sum mass_sum_begin_i64(const mass_exact_window *exact)
{
    const mass_sum none = {0, 0, 0, 0};
    (void)exact;
    return none;
}
/* An exact sum has no further parts: it was added to at once. */
MASS_FN uint8_t mass_exact_low(const mass_exact_window *sum) { return (void)sum, 0; }
MASS_FN int64_t mass_exact_above(const mass_exact_window *sum) { return (void)sum, 0; }
/* The sum of the upper halves; and a number that is negative if one was out of range. */
MASS_FN int64_t mass_sum_high(mass_sum sum) { return sum.high; }
MASS_FN int64_t mass_sum_beyond(mass_sum sum) { return sum.beyond; }
#define MASS_IS_F64_(T) (MASS_TYPE_OF(T) == MASS_F64)
#ifdef __cplusplus
template <class V> MASS_FN mass_sum mass_added_(mass_sum sum, V v)
{
    return mass_is_byte_(v)    ? mass_added_byte(sum, (uint8_t)v)
           : sizeof(V) == 8    ? mass_added_long(sum, (int64_t)v)
                               : mass_added_integer(sum, (int64_t)v);
}
MASS_FN mass_exact_window *mass_added_(mass_exact_window *sum, double v) { return mass_added_real(sum, v); }
#define MASS_ADDED_(sum, v) mass_added_
template <class T> struct mass_sum_of_ {
    typedef mass_sum type;
    static constexpr mass_sum (*begin)(const mass_exact_window *) = mass_sum_begin_i64;
};
template <> struct mass_sum_of_<double> {
    typedef mass_exact_window *type;
    static constexpr mass_exact_window *(*begin)(mass_exact_window *) = mass_sum_begin_f64;
};
#define MASS_SUMMED_(T) mass_sum_of_<T>::type
#define MASS_SUM_BEGIN_(T) mass_sum_of_<T>::begin
/* The same parts, by the type of the sum. */
MASS_FN uint8_t mass_low_(mass_sum sum) { return mass_sum_low(sum); }
MASS_FN uint8_t mass_low_(const mass_exact_window *sum) { return mass_exact_low(sum); }
MASS_FN int64_t mass_above_(mass_sum sum) { return mass_sum_above(sum); }
MASS_FN int64_t mass_above_(const mass_exact_window *sum) { return mass_exact_above(sum); }
MASS_FN int64_t mass_high_(mass_sum sum) { return mass_sum_high(sum); }
MASS_FN int64_t mass_high_(const mass_exact_window *sum) { return mass_exact_above(sum); }
MASS_FN int64_t mass_beyond_(mass_sum sum) { return mass_sum_beyond(sum); }
MASS_FN int64_t mass_beyond_(const mass_exact_window *sum) { return mass_exact_above(sum); }
#define MASS_SUM_LOW_(sum) mass_low_(sum)
#define MASS_SUM_ABOVE_(sum) mass_above_(sum)
#define MASS_SUM_HIGH_(sum) mass_high_(sum)
#define MASS_SUM_BEYOND_(sum) mass_beyond_(sum)
#else
#define MASS_ADDED_(sum, v)                                                                             \
    _Generic((sum), mass_sum: _Generic((v), uint8_t: mass_added_byte, bool: mass_added_byte,            \
                                       long: mass_added_long, unsigned long: mass_added_long,           \
                                       long long: mass_added_long, unsigned long long: mass_added_long, \
                                       default: mass_added_integer),                                    \
             mass_exact_window *: mass_added_real)
#define MASS_SUMMED_(T) __typeof__(_Generic((T *)0, double *: (mass_exact_window *)0, default: (mass_sum){0, 0, 0, 0}))
#define MASS_SUM_BEGIN_(T) _Generic((T *)0, double *: mass_sum_begin_f64, default: mass_sum_begin_i64)
#define MASS_SUM_LOW_(sum) _Generic((sum), mass_exact_window *: mass_exact_low, default: mass_sum_low)(sum)
#define MASS_SUM_ABOVE_(sum) _Generic((sum), mass_exact_window *: mass_exact_above, default: mass_sum_above)(sum)
#define MASS_SUM_HIGH_(sum) _Generic((sum), mass_exact_window *: mass_exact_above, default: mass_sum_high)(sum)
#define MASS_SUM_BEYOND_(sum) _Generic((sum), mass_exact_window *: mass_exact_above, default: mass_sum_beyond)(sum)
#endif

/* The bins of a world, in which a body counts. */
typedef struct mass_counter {
    int64_t *at;
    uint32_t length, copies_log2, shared, all_bytes; /* 1: it has a bin for every byte */
    uint32_t fixed;
} mass_counter;

/* Returns the counter of a world, which counts from the first one of `bins`. */
MASS_FN mass_counter mass_counter_of(int64_t *bins, const mass_bins *b, int64_t world)
{
    const mass_counter c = {bins + ((world * b->length) << b->copies_log2), b->length, b->copies_log2, b->shared,
                            b->length >= 256, b->fixed};
    return c;
}
/* Returns the counter of one of the copies that a loop uses in turn, so that equal neighbours do not wait for each
 * other. */
MASS_FN mass_counter mass_counter_lane(const mass_counter *row, int lane, int tallies)
{
    const mass_counter c = {row->at + (lane < 0 ? 0 : lane), tallies ? row->length : 0,
                            lane < 0 ? row->copies_log2 : (uint32_t)MASS_CPU_LANES_LOG2, lane < 0 ? row->shared : 0,
                            tallies && row->all_bytes, row->fixed};
    return c;
}
/* Adds to a bin that the tally has; there is no check. If threads share the bin, the addition is atomic. */
MASS_FN void mass_count_in(const mass_counter *c, uint64_t bin, int64_t v)
{
    int64_t *const at = c->at + (bin << c->copies_log2);
    if (c->shared) __atomic_fetch_add(at, v, __ATOMIC_RELAXED);
    else *at = mass_sum_i64(*at, v);
}
/* Adds to a bin in fixed point. If threads share the bin, a thread that finds or makes it out of range sets it to
 * MASS_NO_SUM. */
MASS_FN void mass_add_fixed_in(const mass_counter *c, uint64_t bin, int64_t v)
{
    int64_t *const at = c->at + (bin << c->copies_log2);
    if (!c->shared) *at = mass_sum_fixed(*at, v);
    else if (mass_sum_fixed(__atomic_fetch_add(at, v, __ATOMIC_RELAXED), v) == MASS_NO_SUM)
        __atomic_store_n(at, MASS_NO_SUM, __ATOMIC_RELAXED);
}
/* Adds to a bin, in fixed point if the tally is. A bin that the tally does not have is ignored. */
MASS_FN void mass_count(const mass_counter *c, uint64_t bin, int64_t v)
{
    if (bin >= c->length) return;
    if (c->fixed) mass_add_fixed_in(c, bin, v);
    else mass_count_in(c, bin, v);
}
/* Adds 1 to a bin. A bin that the tally does not have is ignored. A byte needs no check if there are 256 bins. */
MASS_FN void mass_count_one(const mass_counter *c, uint64_t bin, int byte)
{
    if (byte && c->all_bytes) mass_count_in(c, bin, 1);
    else if (bin < c->length) mass_count_in(c, bin, 1);
}

/* The first values of MIN and MAX, and the form in which tallies store a value: an integer of the same order. */
#ifdef __cplusplus
template <class T> struct mass_limits_;
template <> struct mass_limits_<int64_t> {
    static constexpr int64_t greatest = INT64_MAX, smallest = INT64_MIN;
};
template <> struct mass_limits_<double> {
    static constexpr double greatest = __builtin_inf(), smallest = -__builtin_inf();
};
#define MASS_GREATEST_(T) (mass_limits_<T>::greatest)
#define MASS_SMALLEST_(T) (mass_limits_<T>::smallest)
#define MASS_RANK_(v) mass_rank_(v)
MASS_FN int64_t mass_rank_(int64_t v) { return v; }
MASS_FN int64_t mass_rank_(double v) { return mass_rank_f64(v); }
#else
#define MASS_GREATEST_(T) _Generic(*(T *)0, int64_t: INT64_MAX, double: __builtin_inf(), default: 0)
#define MASS_SMALLEST_(T) _Generic(*(T *)0, int64_t: INT64_MIN, double: -__builtin_inf(), default: 0)
#define MASS_RANK_(v) _Generic((v), double: mass_rank_f64, default: mass_rank_i64)(v)
MASS_FN int64_t mass_rank_i64(int64_t v) { return v; }
#endif
/* Returns the lower or the higher of two ranks. Rows hold ranks, because compilers do not vectorise the minimum of
 * doubles, which may be NaN. */
MASS_FN int64_t mass_better_(int least, int64_t a, int64_t b) { return least ? (a < b ? a : b) : a > b ? a : b; }
#define MASS_FARTHEST_(ACCESS, T) (ACCESS == MASS_MIN ? MASS_GREATEST_(T) : MASS_SMALLEST_(T))

#endif
