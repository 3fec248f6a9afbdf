/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers as people write them. */
#include "text/whole.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

Test(whole, an_exponent_counts_zeros)
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

Test(whole, fractions_that_an_exponent_makes_whole)
{
    static const struct { const char *text; int64_t value; } good[] = {{"1.5e1", 15}, {"2.50e2", 250},
        {"-1.25e2", -125}, {"1.0e1", 10}, {"9.223372036854775807e18", INT64_MAX}, {"-9.223372036854775808e18", INT64_MIN}, {"0e3", 0}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        int64_t value = 77;
        cr_assert(mass_read_whole(good[i].text, &value), "%s", good[i].text);
        cr_assert_eq(value, good[i].value, "%s", good[i].text);
    }
}

Test(whole, what_is_none_changes_nothing)
{
    static const char *const bad[] = {"", "e", "e3", "1e", "1e-3", "1e+", "1e+-3", "1.5", "1.0", "1.25e1", "1.e3",
        ".5e1", "1..5e3", "1.5.2e3", "1e3.0", "1e3e3", " 1e3", "1e3 ", "1e 3", "+1e3", "0x1e3", "1e30",
        "1e99999999999999999999", "1e19", "9223372036854775808", "9.223372036854775808e18", "--1e3", "-e3", "1x3", "inf", "1e0x1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int64_t value = 77;
        cr_assert_not(mass_read_whole(bad[i], &value), "'%s'", bad[i]);
        cr_assert_eq(value, 77, "'%s'", bad[i]);
    }
}
