/* SPDX-License-Identifier: Apache-2.0 */
/* The format of a pattern, and the rule that it may name. */
#include "pattern.h"

#include <criterion/criterion.h>
#include <string.h>

static mass_status rule_of(life_pattern_format format, const char *text, int *has_rule, life_rule *rule)
{
    life_pattern_error error;
    return life_pattern_rule((const uint8_t *)text, strlen(text), format, has_rule, rule, &error);
}

Test(life_pattern, the_rule_is_read_without_the_cells)
{
    int has_rule = 0;
    life_rule rule = {0, 0};
    const char *text = "#C\nx = 900, y = 900, rule = 23/3\nz";
    cr_assert_eq(rule_of(LIFE_PATTERN_RLE, text, &has_rule, &rule), MASS_OK);
    cr_expect(has_rule && rule.birth == 1u << 3 && rule.survive == (1u << 2 | 1u << 3));
}

Test(life_pattern, a_file_may_have_no_rule)
{
    int has_rule = 1;
    life_rule rule = {7, 7};
    cr_expect_eq(rule_of(LIFE_PATTERN_RLE, "x = 9, y = 9\n!", &has_rule, &rule), MASS_OK);
    cr_expect_eq(has_rule, 0);
    has_rule = 1;
    cr_expect_eq(rule_of(LIFE_PATTERN_CELLS, "x = 9, y = 9, rule = B3/S23", &has_rule, &rule), MASS_OK);
    cr_expect_eq(has_rule, 0);
    cr_expect(rule.birth == 7 && rule.survive == 7);
}

Test(life_pattern, a_wrong_header_has_no_rule)
{
    int has_rule = 5;
    life_rule rule = {7, 7};
    cr_expect_eq(rule_of(LIFE_PATTERN_RLE, "x = 1, y = 1, rule = B9/S\n", &has_rule, &rule), MASS_BAD_INPUT);
    cr_expect_eq(rule_of(LIFE_PATTERN_RLE, "", &has_rule, &rule), MASS_BAD_INPUT);
    cr_expect(has_rule == 5 && rule.birth == 7 && rule.survive == 7);
}

static life_pattern_format format_of(const char *path, const char *text)
{
    return life_pattern_format_of(path, (const uint8_t *)text, strlen(text));
}

Test(life_pattern, the_format_follows_from_the_name)
{
    cr_expect_eq(format_of("a/glider.rle", "!"), LIFE_PATTERN_RLE);
    cr_expect_eq(format_of("glider.CELLS", "x = 3"), LIFE_PATTERN_CELLS);
}

Test(life_pattern, the_format_of_another_name_follows_from_the_content)
{
    cr_expect_eq(format_of("glider.txt", "\r\n!Name"), LIFE_PATTERN_CELLS);
    cr_expect_eq(format_of("glider", "..O"), LIFE_PATTERN_CELLS);
    cr_expect_eq(format_of("glider", "O"), LIFE_PATTERN_CELLS);
    cr_expect_eq(format_of("glider", "*"), LIFE_PATTERN_CELLS);
    cr_expect_eq(format_of("glider", "#C !"), LIFE_PATTERN_RLE);
    cr_expect_eq(format_of("glider", "\nx = 3"), LIFE_PATTERN_RLE);
    cr_expect_eq(format_of("", ""), LIFE_PATTERN_RLE);
    cr_expect_eq(life_pattern_format_of("x", (const uint8_t *)"\0", 1), LIFE_PATTERN_RLE);
}
