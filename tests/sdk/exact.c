/* SPDX-License-Identifier: Apache-2.0 */
/* Exact sums against a plain fixed-point integer that is wide enough for every double. */
#include <mass/impl/exact.h>
#include <mass/random.h>

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* ---- the reference: integers of 2,560 bits in two's complement, in units of 2^-1074 ---- */

enum { BIG_WORDS = 80 };
typedef struct big { uint32_t word[BIG_WORDS]; } big;

static void big_add(big *a, const big *b)
{
    uint64_t carry = 0;
    for (int i = 0; i < BIG_WORDS; i++) {
        carry += (uint64_t)a->word[i] + b->word[i];
        a->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static big big_negated(const big *a)
{
    big b, one = {{1}};
    for (int i = 0; i < BIG_WORDS; i++) b.word[i] = ~a->word[i];
    big_add(&b, &one);
    return b;
}

static big big_of(double v)
{
    big b = {{0}};
    int exponent;
    double fraction = frexp(fabs(v), &exponent); /* of at most 53 bits, none of them below 2^-1074 */
    for (int bit = exponent + 1073; fraction != 0; bit--) {
        fraction *= 2;
        if (fraction < 1) continue;
        b.word[bit / 32] |= 1u << bit % 32;
        fraction -= 1;
    }
    return v < 0 ? big_negated(&b) : b;
}

static big big_times(const big *a, uint64_t n)
{
    big product = {{0}};
    unsigned __int128 carry = 0;
    for (int i = 0; i < BIG_WORDS; i++) {
        carry += (unsigned __int128)a->word[i] * n;
        product.word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return product;
}

/* -1, 0 or 1, as a is less than b, equal or greater. */
static int big_compare(const big *a, const big *b)
{
    big difference = big_negated(b);
    big_add(&difference, a);
    uint32_t any = 0;
    for (int i = 0; i < BIG_WORDS; i++) any |= difference.word[i];
    return any == 0 ? 0 : difference.word[BIG_WORDS - 1] >> 31 ? -1 : 1;
}

/* v, or where the doubles would go on behind the last one. */
static big big_of_extended(double v)
{
    if (!isinf(v)) return big_of(v);
    const big half = big_of(v < 0 ? -0x1p1023 : 0x1p1023);
    return big_times(&half, 2);
}

/* Which side of n times the midpoint of two neighbouring doubles the doubled sum is on. */
static int side(const big *sum, uint64_t n, double a, double b)
{
    const big doubled = big_times(sum, 2), other = big_of_extended(b);
    big midpoint = big_of_extended(a);
    big_add(&midpoint, &other);
    midpoint = big_times(&midpoint, n);
    return big_compare(&doubled, &midpoint);
}

/* Whether v is the double nearest to sum / n, of two the even one, with the sum's sign. */
static int is_nearest(double v, const big *sum, uint64_t n)
{
    const big zero = {{0}};
    const int sign = big_compare(sum, &zero), odd = mass_bits_f64(v) & 1;
    if (isnan(v) || !!signbit(v) != (sign < 0)) return 0;
    const int above = v == -INFINITY ? 1 : side(sum, n, nextafter(v, -INFINITY), v);
    const int below = v == INFINITY ? -1 : side(sum, n, v, nextafter(v, INFINITY));
    return above >= odd && below <= -odd;
}

/* ---- numbers to add ---- */

enum { NUMBERS = 2000 };

static uint64_t random_bits(uint64_t i)
{
    const mass_random4 r = mass_random_block(2026, i, 0, 0, 0);
    return (uint64_t)r.v[0] << 32 | r.v[1];
}

static double of_any_exponent(uint64_t i)
{
    const double v = mass_f64_bits(random_bits(i));
    return v - v == 0 ? v : 0.0;
}
static double subnormal(uint64_t i) { return mass_f64_bits(random_bits(i) & 0x800fffffffffffffull); }
static double unit(uint64_t i) { return (double)(random_bits(i) >> 11) * 0x1p-53; }
static double of_either_sign(uint64_t i) { return ldexp(unit(i) - 0.5, (int)(i % 60)); }
static double enormous(uint64_t i) { return copysign(DBL_MAX * (1 - unit(i) / 4), unit(i + 7) - 0.5); }
static double often_zero(uint64_t i) { return i % 3 ? 0.0 : of_any_exponent(i); }

static double (*const kinds[])(uint64_t) = {of_any_exponent, subnormal, unit, of_either_sign, enormous, often_zero};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct accumulator { int64_t word[MASS_EXACT_WORDS]; } accumulator;

static accumulator sum_of(const double *v, int n)
{
    accumulator a = {{0}};
    mass_exact_window w;
    mass_exact_begin(&w, a.word);
    for (int i = 0; i < n; i++) mass_exact_add(&w, v[i]);
    mass_exact_flush(&w);
    return a;
}
#define SUM(...) sum_of((const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static void merge(accumulator *a, const accumulator *b)
{
    for (int i = 0; i < MASS_EXACT_WORDS; i++) a->word[i] = (int64_t)((uint64_t)a->word[i] + (uint64_t)b->word[i]);
}

static int same(const accumulator *a, const accumulator *b) { return memcmp(a, b, sizeof *a) == 0; }
static int is(double a, double b) { return mass_bits_f64(a) == mass_bits_f64(b); }
static int is_nan(double v) { return mass_bits_f64(v) == 0x7ff8000000000000ull; }

static accumulator normalised(accumulator a)
{
    mass_exact_normalise(a.word);
    return a;
}

/* ---- one number ---- */

Test(exact, digits_of_a_number_add_up_to_it)
{
    for (uint64_t i = 0; i < NUMBERS; i++) {
        const double v = of_any_exponent(i);
        big sum = {{0}};
        int first;
        int64_t digits[3];
        mass_exact_split(v, &first, digits);
        cr_assert(first >= 0 && first + 3 <= MASS_EXACT_DIGITS);
        for (int k = 0; k < 3; k++) {
            cr_assert(digits[k] > -(1 << 28) && digits[k] < 1 << 28, "%a", v);
            big part = {{0}};
            part.word[28 * (first + k) / 32] = 1u << 28 * (first + k) % 32;
            part = big_times(&part, (uint64_t)llabs(digits[k]));
            if (digits[k] < 0) part = big_negated(&part);
            big_add(&sum, &part);
        }
        const big expected = big_of(v);
        cr_assert_eq(big_compare(&sum, &expected), 0, "%a", v);
    }
}

Test(exact, zeros_have_no_digits)
{
    for (int negative = 0; negative < 2; negative++) {
        int first;
        int64_t digits[3];
        mass_exact_split(negative ? -0.0 : 0.0, &first, digits);
        cr_assert((digits[0] | digits[1] | digits[2]) == 0);
    }
}

Test(exact, the_sum_of_one_number_is_that_number)
{
    const double edges[] = {0x1p-1074, -0x1p-1074, 0x1.ffffffffffffep-1023, DBL_MIN, -DBL_MIN, 1.0, -1.5, 0x1p1022,
                            0x1p1023, DBL_MAX, -DBL_MAX, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        const accumulator a = SUM(edges[i]);
        cr_assert(is(mass_exact_value(a.word), edges[i]) && is(mass_exact_mean(a.word), edges[i]), "%a", edges[i]);
    }
    for (uint64_t i = 0; i < NUMBERS; i++) {
        const double v = of_any_exponent(i);
        const accumulator a = SUM(v);
        cr_assert(is(mass_exact_value(a.word), v + 0.0), "%a", v);
    }
}

/* ---- sums ---- */

Test(exact, sums_and_means_are_the_nearest_doubles)
{
    for (int kind = 0; kind < KINDS; kind++) {
        accumulator a = {{0}};
        big sum = {{0}};
        for (uint64_t i = 0; i < NUMBERS; i++) {
            const double v = kinds[kind](i);
            const accumulator one = SUM(v);
            const big b = big_of(v);
            merge(&a, &one);
            big_add(&sum, &b);
            cr_assert(is_nearest(mass_exact_value(a.word), &sum, 1), "kind %d, number %d", kind, (int)i);
            cr_assert(is_nearest(mass_exact_mean(a.word), &sum, i + 1), "kind %d, number %d", kind, (int)i);
        }
    }
}

Test(exact, what_cancels_leaves_the_rest_to_the_last_bit)
{
    static double v[2 * NUMBERS + 2];
    for (uint64_t i = 0; i < NUMBERS; i++) {
        v[2 * i] = of_any_exponent(i);
        v[2 * i + 1] = -of_any_exponent((i * 7 + 3) % NUMBERS); /* of another, so all cancel only at the end */
    }
    v[2 * NUMBERS] = 1.0;
    v[2 * NUMBERS + 1] = 0x1p-52;
    accumulator a = sum_of(v, 2 * NUMBERS + 2);
    cr_assert(is(mass_exact_value(a.word), 1.0 + 0x1p-52));
    a = sum_of(v, 2 * NUMBERS);
    cr_assert(is(mass_exact_value(a.word), 0.0));
}

Test(exact, ties_go_to_even_unless_the_least_bit_decides)
{
    const struct { double v[3], sum; } cases[] = {
        {{1.0, 0x1p-53, 0}, 1.0},
        {{1.0, 0x1p-53, 0x1p-1074}, 1.0 + 0x1p-52},
        {{1.0, 0x1p-53, -0x1p-1074}, 1.0},
        {{1.0 + 0x1p-52, 0x1p-53, 0}, 1.0 + 0x1p-51},
        {{1.0 + 0x1p-52, 0x1p-53, -0x1p-1074}, 1.0 + 0x1p-52},
        {{2.0, -0x1p-53, 0}, 2.0 - 0x1p-53 - 0x1p-53},
        {{0x1p53, -0.5, 0}, 0x1p53},
        {{0x1p53, -0.5, -0x1p-1074}, 0x1p53 - 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        big sum = {{0}};
        for (int k = 0; k < 3; k++) {
            const big b = big_of(cases[i].v[k]);
            big_add(&sum, &b);
        }
        const accumulator a = sum_of(cases[i].v, 3);
        cr_assert(is_nearest(mass_exact_value(a.word), &sum, 1), "case %zu", i);
    }
}

Test(exact, sums_may_pass_the_last_double_and_come_back)
{
    accumulator a = SUM(DBL_MAX, DBL_MAX, DBL_MAX, -DBL_MAX, 1.0, -DBL_MAX);
    cr_assert(is(mass_exact_value(a.word), DBL_MAX));
    a = SUM(DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX, -0x1p-1074);
    cr_assert(is(mass_exact_value(a.word), -0x1p-1074));
    a = SUM(DBL_MAX, DBL_MAX);
    cr_assert(is(mass_exact_value(a.word), INFINITY));
    cr_assert(is(mass_exact_mean(a.word), DBL_MAX));
    a = SUM(-DBL_MAX, -0x1p969); /* less than half of a last bit; half of one rounds to even, which is infinity */
    cr_assert(is(mass_exact_value(a.word), -DBL_MAX));
    a = SUM(-DBL_MAX, -0x1p970);
    cr_assert(is(mass_exact_value(a.word), -INFINITY));
}

Test(exact, nothing_and_zeros_sum_to_plus_zero)
{
    const accumulator none = {{0}}, zeros = SUM(-0.0, -0.0), cancelled = SUM(-3.0, 3.0);
    cr_assert(is(mass_exact_value(none.word), 0.0) && is_nan(mass_exact_mean(none.word)));
    cr_assert(is(mass_exact_value(zeros.word), 0.0) && is(mass_exact_mean(zeros.word), 0.0));
    cr_assert(is(mass_exact_value(cancelled.word), 0.0) && is(mass_exact_mean(cancelled.word), 0.0));
}

Test(exact, infinities_and_nan_sum_as_in_ieee_754)
{
    const double nan = mass_f64_bits(0xfff0000000000001ull);
    const accumulator plus = SUM(1.0, INFINITY, -DBL_MAX), minus = SUM(-INFINITY, -INFINITY, 1.0),
                      both = SUM(INFINITY, -INFINITY), with_nan = SUM(1.0, nan, INFINITY),
                      among_enormous = SUM(0x1p1021, nan, DBL_MAX);
    cr_assert(is(mass_exact_value(plus.word), INFINITY) && is(mass_exact_mean(plus.word), INFINITY));
    cr_assert(is(mass_exact_value(minus.word), -INFINITY) && is(mass_exact_mean(minus.word), -INFINITY));
    cr_assert(is_nan(mass_exact_value(both.word)) && is_nan(mass_exact_mean(both.word)));
    cr_assert(is_nan(mass_exact_value(with_nan.word)) && is_nan(mass_exact_mean(with_nan.word)));
    cr_assert(is_nan(mass_exact_value(among_enormous.word)));
    cr_assert_eq(with_nan.word[MASS_EXACT_COUNT], 3);
}

/* ---- order, merging, capacity ---- */

Test(exact, order_and_accumulators_do_not_show)
{
    enum { PARTS = 17 };
    for (int kind = 0; kind < KINDS; kind++) {
        static double v[NUMBERS];
        for (uint64_t i = 0; i < NUMBERS; i++) v[i] = kinds[kind](i);
        const accumulator in_order = normalised(sum_of(v, NUMBERS));
        for (uint64_t i = 0; i < NUMBERS; i++) v[i] = kinds[kind](mass_shuffled_u64(1, 0, 0, 0, i, NUMBERS));
        accumulator merged = {{0}};
        for (int from = 0, part = 1; from < NUMBERS; from += NUMBERS / PARTS, part++) {
            const int n = NUMBERS - from < NUMBERS / PARTS ? NUMBERS - from : NUMBERS / PARTS;
            accumulator a = sum_of(v + from, n);
            if (part % 2) mass_exact_normalise(a.word);
            merge(&merged, &a);
        }
        mass_exact_normalise(merged.word);
        cr_assert(same(&merged, &in_order), "kind %d", kind);
    }
}

Test(exact, a_window_adds_what_the_digits_of_its_numbers_do)
{
    for (int kind = 0; kind < KINDS; kind++) {
        static double v[NUMBERS];
        accumulator digit_by_digit = {{0}};
        for (uint64_t i = 0; i < NUMBERS; i++) {
            int first;
            int64_t digits[3];
            v[i] = kinds[kind](i);
            mass_exact_split(v[i], &first, digits);
            for (int k = 0; k < 3; k++) digit_by_digit.word[first + k] += digits[k];
            digit_by_digit.word[MASS_EXACT_COUNT]++;
        }
        const accumulator by_window = normalised(sum_of(v, NUMBERS)), by_split = normalised(digit_by_digit);
        cr_assert(same(&by_window, &by_split), "kind %d", kind);
    }
}

Test(exact, a_flushed_window_may_be_used_on)
{
    accumulator a = {{0}};
    mass_exact_window w;
    mass_exact_begin(&w, a.word);
    mass_exact_flush(&w);
    for (int i = 1; i <= 10; i++) {
        mass_exact_add(&w, ldexp(1.0, 30 * i));
        mass_exact_add(&w, i);
        mass_exact_flush(&w);
        mass_exact_add(&w, -ldexp(1.0, 30 * i));
    }
    mass_exact_flush(&w);
    cr_assert(is(mass_exact_value(a.word), 55.0) && is(mass_exact_mean(a.word), 55.0 / 30));
}

Test(exact, normalising_keeps_the_sum_and_makes_equal_sums_equal)
{
    for (int kind = 0; kind < KINDS; kind++) {
        static double v[NUMBERS];
        for (uint64_t i = 0; i < NUMBERS; i++) v[i] = kinds[kind](i);
        const accumulator a = sum_of(v, NUMBERS), once = normalised(a), twice = normalised(once);
        cr_assert(is(mass_exact_value(once.word), mass_exact_value(a.word)), "kind %d", kind);
        cr_assert(same(&once, &twice), "kind %d", kind);
        for (int i = 0; i < MASS_EXACT_DIGITS - 1; i++) cr_assert(once.word[i] >= 0 && once.word[i] < 1 << 28);
    }
    const accumulator a = normalised(SUM(0x1p100, -0x1p-1074, 0x1p-1074, -0x1p100)), b = normalised(SUM(1, -1, 0, 0));
    cr_assert(same(&a, &b));
}

/* Merging an accumulator with itself, n times over, adds its numbers 2^n times. */
static accumulator doubled(accumulator a, int n)
{
    for (int i = 0; i < n; i++) {
        const accumulator b = a;
        merge(&a, &b);
    }
    return a;
}

Test(exact, two_to_the_35_numbers_fit_after_each_normalise_and_two_to_the_62_in_all)
{
    const double numbers[] = {0x1.fffffffffffffp0, -0x1.fffffffffffffp0, -0x1p-1074, 0x1.fffffffffffffp27,
                              -0x1.fffffffffffffp-1000, 0x1.fffffffffffffp-34, DBL_MAX, -DBL_MAX};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        accumulator a = doubled(SUM(numbers[i]), 35);
        cr_assert(is(mass_exact_value(a.word), numbers[i] * 0x1p35), "%a", numbers[i]);
        cr_assert(is(mass_exact_mean(a.word), numbers[i]), "%a", numbers[i]);
        mass_exact_normalise(a.word);
        const accumulator more = doubled(SUM(numbers[i]), 35);
        merge(&a, &more);
        cr_assert(is(mass_exact_value(a.word), numbers[i] * 0x1p36), "%a", numbers[i]);
        cr_assert(is(mass_exact_mean(a.word), numbers[i]), "%a", numbers[i]);
        a = doubled(normalised(a), 26);
        cr_assert(is(mass_exact_value(a.word), numbers[i] * 0x1p62), "%a", numbers[i]);
        cr_assert(is(mass_exact_mean(a.word), numbers[i]), "%a", numbers[i]);
    }
}

Test(exact, means_of_many_are_rounded_once)
{
    for (uint64_t i = 0; i < NUMBERS; i++) {
        const double v = kinds[i % KINDS](i);
        accumulator a = SUM(v);
        const big sum = big_of(v);
        const uint64_t n = (random_bits(i + NUMBERS) >> (1 + i % 63)) | 1;
        a.word[MASS_EXACT_COUNT] = (int64_t)n;
        cr_assert(is_nearest(mass_exact_mean(a.word), &sum, n), "%a / %llu", v, (unsigned long long)n);
    }
}
