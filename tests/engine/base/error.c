/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

Test(error, set_returns_and_records_the_status)
{
    mass_error error = {0};
    cr_assert_eq(mass_error_set(&error, MASS_BAD_INPUT, "line %d of %s", 3, "glider.rle"),
                 MASS_BAD_INPUT);
    cr_assert_eq(error.status, MASS_BAD_INPUT);
    cr_assert_str_eq(error.text, "line 3 of glider.rle");
}

Test(error, first_failure_stays)
{
    mass_error error = {0};
    mass_error_set(&error, MASS_BAD_INPUT, "cause");
    cr_assert_eq(mass_error_set(&error, MASS_FAILED, "consequence"), MASS_BAD_INPUT);
    cr_assert_eq(error.status, MASS_BAD_INPUT);
    cr_assert_str_eq(error.text, "cause");
}

Test(error, memory_does_not_replace_a_first_failure)
{
    mass_error error = {0};
    mass_error_set(&error, MASS_BAD_USAGE, "cause");
    cr_assert_eq(mass_error_memory(&error, 1024, "the space"), MASS_BAD_USAGE);
    cr_assert_str_eq(error.text, "cause");
}

Test(error, text_is_one_line_without_control_characters)
{
    for (int c = 1; c < 256; c++) {
        mass_error error = {0};
        char kept[8];
        mass_error_set(&error, MASS_FAILED, "a%cb", c);
        snprintf(kept, sizeof kept, c < 0x20 || c >= 0x7f ? "a\\x%02xb" : "a%cb", c);
        cr_assert_str_eq(error.text, kept, "character %d", c);
    }
}

Test(error, longest_text_fills_the_buffer_and_ends)
{
    char text[3000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    mass_error error = {0};
    cr_assert_eq(mass_error_set(&error, MASS_FAILED, "%s", text), MASS_FAILED);
    cr_assert_eq(strlen(error.text), sizeof error.text - 1);
}

Test(error, arguments_are_not_read_as_formats)
{
    mass_error error = {0};
    mass_error_set(&error, MASS_FAILED, "%s", "100%s%n");
    cr_assert_str_eq(error.text, "100%s%n");
}

Test(error, memory_says_how_much_and_what_for)
{
    mass_error error = {0};
    cr_assert_eq(mass_error_memory(&error, (size_t)3 << 29, "the attribute health"),
                 MASS_NO_DEVICE);
    cr_assert(strstr(error.text, "1.5 GiB"), "%s", error.text);
    cr_assert(strstr(error.text, "the attribute health"), "%s", error.text);
}

Test(error, bytes_are_shown_in_the_unit_that_keeps_them_short)
{
    static const struct { double bytes; const char *text; } cases[] = {
        {0, "0 B"}, {512, "512 B"}, {1023, "1023 B"}, {1024, "1.0 KiB"}, {1536, "1.5 KiB"},
        {5.0 * 1024 * 1024, "5.0 MiB"}, {91.25 * 1024 * 1024 * 1024, "91.2 GiB"},
        {1024.0 * 1024 * 1024 * 1024, "1.0 TiB"}, {0x1p50, "1.0 PiB"}, {0x1p60, "1.0 EiB"},
        {0x1p71, "2048.0 EiB"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buffer[32];
        cr_assert_eq(mass_format_bytes(buffer, cases[i].bytes), buffer);
        cr_assert_str_eq(buffer, cases[i].text);
    }
}
