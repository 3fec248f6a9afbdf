/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as people write them. */
#include "text/decimal.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

Test(decimal, an_exponent_counts_zeros)
{
    for (int64_t digits = -19; digits < 20; digits++)
        for (int zeros = 0; zeros < 17; zeros++) {
            char text[32], exponent[40];
            int64_t plain, brief;
            snprintf(text, sizeof text, "%" PRId64 "%.*s", digits, zeros, "00000000000000000");
            snprintf(exponent, sizeof exponent, "%" PRId64 "%s%d", digits, zeros % 2 ? "e" : "E+", zeros);
            cr_assert(mass_read_whole(text, &plain) && mass_read_whole(exponent, &brief), "%s %s", text, exponent);
            cr_assert_eq(plain, brief, "%s %s", text, exponent);
        }
}

Test(decimal, fractions_that_an_exponent_makes_whole)
{
    static const struct { const char *text; int64_t value; } good[] = {{"1.5e1", 15}, {"2.50e2", 250},
        {"-1.25e2", -125}, {"1.0e1", 10}, {"9.223372036854775807e18", INT64_MAX},
        {"-9.223372036854775808e18", INT64_MIN}, {"0e3", 0}, {"5.0", 5}, {"-17.00", -17}, {"0.0", 0},
        {"9223372036854775807.000000000000000000000000000000", INT64_MAX}, {"1.500000000000000000e+01", 15},
        {"9.000000000000000000e+00", 9}, {"9007199254740993.0", 9007199254740993}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        int64_t value = 77;
        cr_assert(mass_read_whole(good[i].text, &value), "%s", good[i].text);
        cr_assert_eq(value, good[i].value, "%s", good[i].text);
    }
}

Test(decimal, what_is_none_changes_nothing)
{
    static const char *const bad[] = {"", "e", "e3", "1e", "1e-3", "1e+", "1e+-3", "1.5", "1.", "1.25e1", "1.0.0",
        "-.0", "5.00000000000000000001", "1.e3",
        ".5e1", "1..5e3", "1.5.2e3", "1e3.0", "1e3e3", " 1e3", "1e3 ", "1e 3", "+1e3", "0x1e3", "1e30",
        "1e99999999999999999999", "1e19", "9223372036854775808", "9.223372036854775808e18", "--1e3", "-e3", "1x3",
        "inf", "1e0x1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int64_t value = 77;
        cr_assert_not(mass_read_whole(bad[i], &value), "'%s'", bad[i]);
        cr_assert_eq(value, 77, "'%s'", bad[i]);
    }
}

/* What is no number leaves the value as it was. */
#define EXPECT_READ_WHOLE(READ, TYPE, GOOD, BAD)                             \
    do {                                                                     \
        for (size_t i = 0; i < sizeof(GOOD) / sizeof *(GOOD); i++) {         \
            TYPE value = 77;                                                 \
            cr_assert(READ((GOOD)[i].text, &value), "%s", (GOOD)[i].text);   \
            cr_assert_eq(value, (GOOD)[i].value, "%s", (GOOD)[i].text);      \
        }                                                                    \
        for (size_t i = 0; i < sizeof(BAD) / sizeof *(BAD); i++) {           \
            TYPE value = 77;                                                 \
            cr_assert_not(READ((BAD)[i], &value), "'%s'", (BAD)[i]);         \
            cr_assert_eq(value, 77, "'%s'", (BAD)[i]);                       \
        }                                                                    \
    } while (0)

Test(decimal, signed_integers_are_read_whole_or_not_at_all)
{
    static const struct { const char *text; int64_t value; } good[] = {{"0", 0}, {"-0", 0}, {"007", 7},
        {"-12", -12}, {"9223372036854775807", INT64_MAX}, {"-9223372036854775808", INT64_MIN}};
    static const char *const bad[] = {"", "-", "--1", "+1", " 1", "1 ", "1.0", "0x10", "1e3", "-a", "1\n", "- 1",
        "9223372036854775808", "-9223372036854775809", "99999999999999999999999"};
    EXPECT_READ_WHOLE(mass_read_i64, int64_t, good, bad);
}

Test(decimal, unsigned_integers_are_read_whole_or_not_at_all)
{
    static const struct { const char *text; uint64_t value; } good[] = {{"0", 0}, {"42", 42},
        {"18446744073709551615", UINT64_MAX}};
    static const char *const bad[] = {"", "-1", "-0", "+1", " 1", "1 ", "18446744073709551616", "1u", "0b1"};
    EXPECT_READ_WHOLE(mass_read_u64, uint64_t, good, bad);
}

Test(decimal, reals_are_read_whole_finite_or_not_at_all)
{
    static const struct { const char *text; double value; } good[] = {{"0", 0}, {"-1.5", -1.5}, {".25", .25},
        {"1e3", 1000}, {"1e-400", 0}, {"0x1p-3", .125}, {"1.7976931348623157e308", 0x1.fffffffffffffp+1023}};
    static const char *const bad[] = {"", " 1", "1 ", "1,5", "nan", "-nan", "inf", "-inf", "infinity", "1e999",
        "one", "1e", "."};
    EXPECT_READ_WHOLE(mass_read_f64, double, good, bad);
}
