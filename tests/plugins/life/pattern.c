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
    const char *text = "#C\nx = 900, y = 900, rule = 23/3\n?";
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

static void expect_rule_and_grid(const char *text, unsigned birth, unsigned survive, const char *grid)
{
    life_pattern found = {0};
    life_pattern_error error = {0};
    cr_assert_eq(life_pattern_facts((const uint8_t *)text, strlen(text), LIFE_PATTERN_RLE, &found, &error), MASS_OK,
                 "%s: %s", text, error.text);
    cr_expect(found.has_rule && found.rule.birth == birth && found.rule.survive == survive, "%s", text);
    cr_expect_str_eq(found.grid.text, grid, "%s", text);
}

Test(life_pattern, lines_of_a_rule_count_as_the_header_does)
{
    const unsigned high = 1u << 3 | 1u << 6, some = 1u << 2 | 1u << 3, three = 1u << 3;
    expect_rule_and_grid("#r 23/36\nx = 3, y = 3\n!", high, some, "");
    expect_rule_and_grid("x = 3, y = 3\n#r 23/36\n!", high, some, "");
    expect_rule_and_grid("x = 3, y = 3\r  #r23/36 HighLife\r\r!", high, some, "");
    expect_rule_and_grid("x = 3, y = 3\no$\n#r B36/S23:T8,9\n!", high, some, ":T8,9");
    expect_rule_and_grid("#r 23/36\nx = 3, y = 3, rule = B3/S23:P4,5\n#C !\n!", three, some, ":P4,5");
    expect_rule_and_grid("x = 3, y = 3, rule = B3/S23\n#r 23/36\n!\n#r 1/1\n", high, some, "");
    expect_rule_and_grid("#R 1 1\n#rule\n#r\nx = 3, y = 3, rule = B3/S23\n!", three, some, "");
}

Test(life_pattern, other_formats_are_named)
{
    static const struct {
        const char *text, *name;
    } others[] = {{"[M2] (golly 2.0)\n#R B3/S23\n", "a macrocell file, which is not read here: save it as RLE"},
                  {"\n#Life 1.05\n#P 0 0\n*\n", "a Life 1.05 file"}, {"#Life 1.06\r\n0 1\r\n", "a Life 1.06 file"},
                  {"#P -1 0\n.*\n", "Life 1.05"}, {"#MCell 4.20\n", "an MCell file"},
                  {"\x1f\x8b\x08", "gunzip"}, {"\xff\xfex", "UTF-8"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        for (int format = LIFE_PATTERN_RLE; format <= LIFE_PATTERN_CELLS; format++) {
            life_pattern pattern;
            life_pattern_error error = {0};
            const uint8_t *bytes = (const uint8_t *)others[i].text;
            cr_expect_eq(life_pattern_parse((life_pattern_format)format, bytes, strlen(others[i].text), 9, 9, &pattern,
                                            &error), MASS_BAD_INPUT);
            cr_expect(strstr(error.text, others[i].name), "%s", error.text);
            cr_expect_eq(life_pattern_facts(bytes, strlen(others[i].text), (life_pattern_format)format, &pattern,
                                            &error), MASS_BAD_INPUT);
        }
}

Test(life_pattern, a_position_is_that_of_the_first_place)
{
    life_pattern pattern = {0};
    life_pattern_error error;
    const char *text = "#CXRLE Gen=5 Pos=-36,+24\nx = 3, y = 3\n!";
    cr_assert_eq(life_pattern_facts((const uint8_t *)text, strlen(text), LIFE_PATTERN_RLE, &pattern, &error), MASS_OK);
    cr_expect(pattern.has_position && pattern.x == -36 && pattern.y == 24);
    text = "#CXRLE Pos=-99999999999999999999,1\nx = 3, y = 3\n!";
    cr_assert_eq(life_pattern_facts((const uint8_t *)text, strlen(text), LIFE_PATTERN_RLE, &pattern, &error), MASS_OK);
    cr_expect_not(pattern.has_position);
}

Test(life_pattern, a_position_before_a_header_is_no_other_format)
{
    const char *const texts[] = {"#P -1 -1\nx = 3, y = 1\n3o!", "#P 1 2\r#N name\r\r X = 3, y = 1\r3o!"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        life_pattern pattern = {0};
        life_pattern_error error = {0};
        cr_assert_eq(life_pattern_parse(LIFE_PATTERN_RLE, (const uint8_t *)texts[i], strlen(texts[i]), 9, 9, &pattern,
                                        &error), MASS_OK, "%s", error.text);
        cr_expect(pattern.width == 3 && pattern.cells[0] && pattern.cells[2]);
        life_pattern_free(&pattern);
    }
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
