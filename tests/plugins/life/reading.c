/* SPDX-License-Identifier: Apache-2.0 */
#include "reading.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

life_pattern parsed(life_pattern_format format, const char *text)
{
    life_pattern pattern = {0};
    life_pattern_error error = {0};
    mass_status status =
        life_pattern_parse(format, (const uint8_t *)text, strlen(text), SPACE, SPACE, &pattern, &error);
    cr_assert_eq(status, MASS_OK, "%s", error.text);
    return pattern;
}

void expect_cells(life_pattern_format format, const char *text, const char *rows)
{
    life_pattern pattern = parsed(format, text);
    char shown[SPACE * (SPACE + 1) + 1], *end = shown;
    for (int64_t i = 0; i < pattern.width * pattern.height; i++) {
        *end++ = ".O?"[pattern.cells[i] < 2 ? pattern.cells[i] : 2];
        if ((i + 1) % pattern.width == 0) *end++ = '\n';
    }
    *end = '\0';
    cr_expect_str_eq(shown, rows);
    life_pattern_free(&pattern);
}

void expect_refusal(life_pattern_format format, const char *text, const char *saying)
{
    life_pattern pattern, before;
    life_pattern_error error = {0};
    memset(&pattern, 0x5a, sizeof pattern);
    memcpy(&before, &pattern, sizeof before);
    mass_status status =
        life_pattern_parse(format, (const uint8_t *)text, strlen(text), SPACE, SPACE, &pattern, &error);
    cr_expect_eq(status, MASS_BAD_INPUT, "%s", text);
    cr_expect_eq(memcmp(&pattern, &before, sizeof pattern), 0, "%s", text);
    cr_expect_str_eq(error.text, saying);
    char line[40];
    int length = snprintf(line, sizeof line, "line %lld: ", (long long)error.line);
    cr_expect_eq(strncmp(error.text, line, (size_t)length), 0, "%s", error.text);
}

read_result read_file(const char *path)
{
    read_result r = {0};
    r.status = life_pattern_read_file(path, &r.bytes, &r.size, r.message, sizeof r.message);
    return r;
}
