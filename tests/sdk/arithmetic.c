/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic at its edges. */
#include <mass/arithmetic.h>

#include <criterion/criterion.h>
#include <math.h>

static int same_f64(double a, double b) { return mass_bits_f64(a) == mass_bits_f64(b); }
static int same_f32(float a, float b) { return mass_bits_f32(a) == mass_bits_f32(b); }

Test(arithmetic, bits_are_those_of_ieee_754)
{
    cr_assert_eq(mass_bits_f32(1.0f), 0x3f800000u);
    cr_assert_eq(mass_bits_f32(-0.0f), 0x80000000u);
    cr_assert_eq(mass_bits_f64(-2.0), 0xc000000000000000ull);
    cr_assert_eq(mass_bits_f64(0x1p-1074), 1ull);
}

Test(arithmetic, bits_come_back_as_they_were)
{
    const uint64_t words[] = {0, 1, 0x8000000000000000ull, 0x7ff0000000000000ull,
                              0xfff8000000000123ull, 0x3ff0000000000001ull};
    for (int i = 0; i < 6; i++) {
        cr_assert_eq(mass_bits_f64(mass_f64_bits(words[i])), words[i]);
        const uint32_t half = (uint32_t)(words[i] >> 32);
        cr_assert_eq(mass_bits_f32(mass_f32_bits(half)), half);
    }
}

Test(arithmetic, canonical_makes_every_nan_one)
{
    const uint64_t nans[] = {0x7ff8000000000000ull, 0xfff8000000000000ull, 0x7ff0000000000001ull,
                             0xffffffffffffffffull};
    for (int i = 0; i < 4; i++)
        cr_assert_eq(mass_bits_f64(mass_canonical_f64(mass_f64_bits(nans[i]))),
                     0x7ff8000000000000ull);
    const uint32_t float_nans[] = {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu};
    for (int i = 0; i < 4; i++)
        cr_assert_eq(mass_bits_f32(mass_canonical_f32(mass_f32_bits(float_nans[i]))), 0x7fc00000u);
}

Test(arithmetic, canonical_keeps_numbers)
{
    const double numbers[] = {0.0, -0.0, 1.5, -INFINITY, INFINITY, 0x1p-1074};
    for (int i = 0; i < 6; i++) {
        cr_assert(same_f64(mass_canonical_f64(numbers[i]), numbers[i]));
        cr_assert(same_f32(mass_canonical_f32((float)numbers[i]), (float)numbers[i]));
    }
}

Test(arithmetic, min_and_max_order_numbers)
{
    cr_assert_eq(mass_min_f64(-1.0, 2.0), -1.0);
    cr_assert_eq(mass_min_f64(2.0, -1.0), -1.0);
    cr_assert_eq(mass_max_f64(-1.0, 2.0), 2.0);
    cr_assert_eq(mass_max_f64(2.0, -1.0), 2.0);
    cr_assert_eq(mass_min_f32(-INFINITY, 3.0f), -INFINITY);
    cr_assert_eq(mass_min_f32(3.0f, -INFINITY), -INFINITY);
    cr_assert_eq(mass_max_f32(INFINITY, 3.0f), INFINITY);
    cr_assert_eq(mass_max_f32(3.0f, INFINITY), INFINITY);
}

Test(arithmetic, min_and_max_give_the_second_of_nans_and_zeros)
{
    const double nan = mass_f64_bits(0x7ff8000000000000ull);
    const float float_nan = mass_f32_bits(0x7fc00000u);
    cr_assert_eq(mass_min_f64(nan, 1.0), 1.0);
    cr_assert_eq(mass_max_f64(nan, 1.0), 1.0);
    cr_assert(isnan(mass_min_f64(1.0, nan)) && isnan(mass_max_f64(1.0, nan)));
    cr_assert_eq(mass_min_f32(float_nan, 1.0f), 1.0f);
    cr_assert_eq(mass_max_f32(float_nan, 1.0f), 1.0f);
    cr_assert(isnan(mass_min_f32(1.0f, float_nan)) && isnan(mass_max_f32(1.0f, float_nan)));
    cr_assert(same_f64(mass_min_f64(-0.0, 0.0), 0.0) && same_f64(mass_min_f64(0.0, -0.0), -0.0));
    cr_assert(same_f64(mass_max_f64(-0.0, 0.0), 0.0) && same_f64(mass_max_f64(0.0, -0.0), -0.0));
    cr_assert(same_f32(mass_min_f32(0.0f, -0.0f), -0.0f));
    cr_assert(same_f32(mass_max_f32(0.0f, -0.0f), -0.0f));
}

Test(arithmetic, doubles_become_32_bit_integers_towards_zero_or_saturate)
{
    const struct { double v; int32_t expected; } cases[] = {
        {1.9, 1}, {-1.9, -1}, {-0.0, 0}, {0.99999999999999989, 0},
        {2147483646.9, 2147483646}, {2147483647.0, INT32_MAX}, {2147483647.5, INT32_MAX},
        {2147483648.0, INT32_MAX}, {1e300, INT32_MAX}, {INFINITY, INT32_MAX},
        {-2147483647.9, -2147483647}, {-2147483648.0, INT32_MIN}, {-2147483648.5, INT32_MIN},
        {-2147483649.0, INT32_MIN}, {-INFINITY, INT32_MIN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_assert_eq(mass_i32_f64(cases[i].v), cases[i].expected, "%a", cases[i].v);
    cr_assert_eq(mass_i32_f64(mass_f64_bits(0x7ff8000000000000ull)), 0);
}

Test(arithmetic, doubles_become_64_bit_integers_towards_zero_or_saturate)
{
    const struct { double v; int64_t expected; } cases[] = {
        {1.9, 1}, {-1.9, -1}, {-0.0, 0}, {4503599627370495.5, 4503599627370495},
        {0x1.fffffffffffffp62, 9223372036854774784}, {0x1p63, INT64_MAX}, {INFINITY, INT64_MAX},
        {-0x1.fffffffffffffp62, -9223372036854774784}, {-0x1p63, INT64_MIN},
        {-0x1.0000000000001p63, INT64_MIN}, {-INFINITY, INT64_MIN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_assert_eq(mass_i64_f64(cases[i].v), cases[i].expected, "%a", cases[i].v);
    cr_assert_eq(mass_i64_f64(mass_f64_bits(0xfff8000000000000ull)), 0);
}

Test(arithmetic, fixed_counts_units_of_a_power_of_two)
{
    cr_assert_eq(mass_fixed(1.5, 0), 1);
    cr_assert_eq(mass_fixed(1.5, 1), 3);
    cr_assert_eq(mass_fixed(-0.75, 20), -786432);
    cr_assert_eq(mass_fixed(0x1p-40, 40), 1);
    cr_assert_eq(mass_fixed(0x1p-41, 40), 0);
    cr_assert_eq(mass_fixed(1.0, 62), (int64_t)1 << 62);
    cr_assert_eq(mass_fixed(4.0, 62), INT64_MAX);
    cr_assert_eq(mass_fixed(-4.0, 62), INT64_MIN);
    cr_assert_lt(mass_beyond_fixed(mass_fixed(mass_f64_bits(0x7ff8000000000000ull), 0)), 0, "NaN");
    cr_assert_lt(mass_beyond_fixed(mass_fixed(mass_f64_bits(0x7ff0000000000000ull), 0)), 0, "infinity");
    cr_assert_geq(mass_beyond_fixed(mass_fixed(-1.0, 62)), 0);
    cr_assert_lt(mass_beyond_fixed(mass_fixed(1.0, 62)), 0);
}

Test(arithmetic, fixed_in_vectors_is_fixed)
{
    static const double ends[] = {0, -0.0, NAN, -NAN, INFINITY, -INFINITY, 0x1p62, -0x1p62, 0x1p63, -0x1p63,
        0x1.fffffffffffffp62, -0x1.fffffffffffffp62, 0.5, -0.5, -1.9999999, 0x1p52 + 0.5, 4294967295.75,
        -4294967296.5, 2147483648.5, 0x1p-1074};
    for (int bits = 0; bits < 63; bits++)
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            cr_assert_eq(mass_fixed_in_vectors(ends[i], bits), mass_fixed(ends[i], bits), "%a, %d", ends[i], bits);
    for (uint64_t i = 0, word = 1; i < 1000000; i++) {
        word = word * 6364136223846793005u + 1442695040888963407u;
        const uint64_t near = (word & 0x800fffffffffffff) | (1000 + (word >> 52) % 90) << 52; /* 2^-23 to 2^67 */
        const double v = mass_f64_bits(i % 4 ? near : word ^ word >> 29);
        const int64_t found = mass_fixed_in_vectors(v, (int)(i % 63)), expected = mass_fixed(v, (int)(i % 63));
        if (found != expected) cr_assert_eq(found, expected, "%a, %d", v, (int)(i % 63));
    }
}

Test(arithmetic, sums_in_fixed_point_do_not_wrap)
{
    const int64_t most = ((int64_t)1 << 62) - 1;
    cr_assert_eq(mass_sum_fixed(most, -1), most - 1);
    cr_assert_eq(mass_sum_fixed(most, 1), MASS_NO_SUM);
    cr_assert_eq(mass_sum_fixed(-most, -1), -most - 1);
    cr_assert_eq(mass_sum_fixed(-most, -2), MASS_NO_SUM);
    cr_assert_eq(mass_sum_fixed(most, most), MASS_NO_SUM);
    cr_assert_eq(mass_sum_fixed(MASS_NO_SUM, MASS_NO_SUM), MASS_NO_SUM);
    cr_assert_eq(mass_sum_fixed(MASS_NO_SUM, 1), MASS_NO_SUM);
    cr_assert_eq(mass_sum_fixed(0, INT64_MAX), MASS_NO_SUM);
}

Test(arithmetic, shifts_from_the_width_on_give_zero)
{
    cr_assert_eq(mass_shl_u32(1, 31), 0x80000000u);
    cr_assert_eq(mass_shr_u32(0x80000000u, 31), 1u);
    cr_assert_eq(mass_shl_u64(1, 63), 0x8000000000000000ull);
    cr_assert_eq(mass_shr_u64(0x8000000000000000ull, 63), 1ull);
    const uint32_t counts[] = {64, 65, 127, UINT32_MAX};
    cr_assert_eq(mass_shl_u32(UINT32_MAX, 32) | mass_shr_u32(UINT32_MAX, 32), 0u);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(mass_shl_u32(UINT32_MAX, counts[i]) | mass_shr_u32(UINT32_MAX, counts[i]), 0u);
        cr_assert_eq(mass_shl_u64(UINT64_MAX, counts[i]) | mass_shr_u64(UINT64_MAX, counts[i]), 0u);
    }
}

Test(arithmetic, shifts_by_nothing_keep_all_bits)
{
    cr_assert_eq(mass_shl_u32(0xdeadbeefu, 0), 0xdeadbeefu);
    cr_assert_eq(mass_shr_u32(0xdeadbeefu, 0), 0xdeadbeefu);
    cr_assert_eq(mass_shl_u64(0xdeadbeefcafef00dull, 0), 0xdeadbeefcafef00dull);
    cr_assert_eq(mass_shr_u64(0xdeadbeefcafef00dull, 0), 0xdeadbeefcafef00dull);
}

Test(arithmetic, division_truncates_towards_zero)
{
    cr_assert_eq(mass_div_i32(-7, 2), -3);
    cr_assert_eq(mass_mod_i32(-7, 2), -1);
    cr_assert_eq(mass_div_i64(7, -2), -3);
    cr_assert_eq(mass_mod_i64(7, -2), 1);
}

Test(arithmetic, division_has_a_result_for_every_input)
{
    cr_assert_eq(mass_div_i32(5, 0), 0);
    cr_assert_eq(mass_mod_i32(-5, 0), -5);
    cr_assert_eq(mass_div_i32(INT32_MIN, -1), INT32_MIN);
    cr_assert_eq(mass_mod_i32(INT32_MIN, -1), 0);
    cr_assert_eq(mass_div_i32(5, -1), -5);
    cr_assert_eq(mass_div_i64(5, 0), 0);
    cr_assert_eq(mass_mod_i64(-5, 0), -5);
    cr_assert_eq(mass_div_i64(INT64_MIN, -1), INT64_MIN);
    cr_assert_eq(mass_mod_i64(INT64_MIN, -1), 0);
    cr_assert_eq(mass_div_i64(5, -1), -5);
}

static const double ascending[] = {-INFINITY, -0x1.fffffffffffffp1023, -1.5, -1.0, -0x1p-1022,
    -0x1p-1074, 0.0, 0x1p-1074, 0x1p-1022, 1.0, 1.0000000000000002, 0x1.fffffffffffffp1023,
    INFINITY};
enum { ASCENDING = sizeof ascending / sizeof *ascending };

Test(arithmetic, ranks_have_the_order_of_doubles)
{
    for (int i = 1; i < ASCENDING; i++)
        cr_assert_lt(mass_rank_f64(ascending[i - 1]), mass_rank_f64(ascending[i]), "%a and %a",
                     ascending[i - 1], ascending[i]);
}

Test(arithmetic, ranks_come_back_as_they_were)
{
    for (int i = 0; i < ASCENDING; i++)
        cr_assert(same_f64(mass_f64_rank(mass_rank_f64(ascending[i])), ascending[i]), "%a",
                  ascending[i]);
}

Test(arithmetic, both_zeros_have_one_rank)
{
    cr_assert_eq(mass_rank_f64(-0.0), mass_rank_f64(0.0));
}
