/* SPDX-License-Identifier: Apache-2.0 */
#include "rule.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const life_rule conway = {1u << 3, 1u << 2 | 1u << 3};

static life_rule parsed(const char *text)
{
    life_rule rule = {0, 0};
    char message[200] = "";
    mass_status status = life_rule_parse(text, strlen(text), &rule, message, sizeof message);
    cr_assert_eq(status, MASS_OK, "%s: %s", text, message);
    return rule;
}

static void expect_rule(const char *text, life_rule expected)
{
    life_rule rule = parsed(text);
    cr_expect(rule.birth == expected.birth && rule.survive == expected.survive, "%s", text);
}

static void expect_refusal(const char *text, const char *saying)
{
    life_rule rule = {0x1234, 0x4321};
    char message[200] = "";
    mass_status status = life_rule_parse(text, strlen(text), &rule, message, sizeof message);
    cr_expect_eq(status, MASS_BAD_USAGE, "%s", text);
    cr_expect(rule.birth == 0x1234 && rule.survive == 0x4321, "%s", text);
    cr_expect_not_null(strstr(message, saying), "%s gave \"%s\"", text, message);
}

Test(life_rule, letters_of_either_case_name_birth_and_survival)
{
    expect_rule("B3/S23", conway);
    expect_rule("b3/s23", conway);
    expect_rule("B36/S23", (life_rule){1u << 3 | 1u << 6, 1u << 2 | 1u << 3});
}

Test(life_rule, letters_come_in_either_order_with_a_slash_or_without)
{
    expect_rule("S23/B3", conway);
    expect_rule("s23b3", conway);
    expect_rule("B3S23", conway);
    expect_rule("S245/B368", (life_rule){1u << 3 | 1u << 6 | 1u << 8, 1u << 2 | 1u << 4 | 1u << 5});
}

Test(life_rule, a_comma_may_end_it)
{
    expect_rule("B3/S23,", conway);
    expect_rule("23/3:T48,48,", conway);
}

Test(life_rule, without_letters_survival_comes_first)
{
    expect_rule("23/3", conway);
    expect_rule("/2", (life_rule){1u << 2, 0});
}

Test(life_rule, digits_come_in_any_order_and_may_repeat)
{
    expect_rule("B33/S3223", conway);
}

Test(life_rule, either_side_may_be_empty)
{
    expect_rule("B/S", (life_rule){0, 0});
    expect_rule("B/S012345678", (life_rule){0, 0x1ff});
    expect_rule("B012345678/S", (life_rule){0x1ff, 0});
}

Test(life_rule, birth_from_nothing_is_accepted)
{
    expect_rule("B03/S23", (life_rule){1u << 0 | 1u << 3, 1u << 2 | 1u << 3});
}

static life_grid grid_of(const char *text)
{
    life_rule rule;
    life_grid grid;
    char message[200] = "";
    cr_assert_eq(life_rule_parse_grid(text, strlen(text), &rule, &grid, message, sizeof message), MASS_OK, "%s: %s",
                 text, message);
    cr_expect(rule.birth == conway.birth && rule.survive == conway.survive, "%s", text);
    return grid;
}

static void expect_grid(const char *text, char surface, int64_t width, int64_t height, int runs)
{
    const life_grid grid = grid_of(text);
    cr_expect(grid.surface == surface && grid.width == width && grid.height == height, "%s", text);
    cr_expect_eq(life_grid_runs(&grid), runs, "%s", text);
    if (surface) cr_expect_str_eq(grid.text, strchr(text, ':'));
}

Test(life_rule, a_bounded_grid_is_read)
{
    expect_grid("B3/S23", 0, 0, 0, 0);
    expect_grid("B3/S23:T72,48", 'T', 72, 48, 1);
    expect_grid("B3S23:t72", 'T', 72, 72, 1);
    expect_grid("B3/S23:T48+96,48-0", 'T', 48, 48, 1);
    expect_grid("B3/S23:P2000000000,2000000000", 'P', 2000000000, 2000000000, 1);
    expect_grid("23/3:T0,0", 0, 0, 0, 0);
}

Test(life_rule, a_grid_that_no_space_can_be_is_told_apart)
{
    static const struct {
        const char *text, *name;
    } others[] = {{"23/3:p100,0", "a plane without bounds along one axis"}, {"23/3:T0,9", "a tube without"},
                  {"B3/S23:T30+5,20", "a torus of 30 x 20 whose edges meet with a shift"},
                  {"B3/S23:T30,20-2", "a torus of 30 x 20 whose"}, {"B3/S23:K30*,20", "a Klein bottle of 30 x 20"},
                  {"B3/S23:k30,20*+1", "a Klein bottle"}, {"B3/S23:C30,20", "a cross-surface of 30 x 20"},
                  {"B3/S23:S30", "a sphere of 30 x 30"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const life_grid grid = grid_of(others[i].text);
        char about[100];
        life_grid_describe(&grid, about, sizeof about);
        cr_expect(grid.surface && !life_grid_runs(&grid), "%s", others[i].text);
        cr_expect(strstr(about, others[i].name), "%s gave %s", others[i].text, about);
    }
}

Test(life_rule, a_malformed_grid_is_refused)
{
    expect_refusal("B3/S23:", "ends where T, P, K, C or S");
    expect_refusal("B3/S23:X48,48", "'X' where T, P, K, C or S");
    expect_refusal("B3/S23:T", "ends where an extent");
    expect_refusal("B3/S23:T48;", "';' where ',' and the height");
    expect_refusal("B3/S23:T48,,", "ends where an extent");
    expect_refusal("B3/S23:P48+5,48", "'+' where ','");
    expect_refusal("B3/S23:T48+,48", "',' where the shift of an edge");
    expect_refusal("B3/S23:T48,48x", "'x' where the end");
    expect_refusal("B3/S23:T2000000001,1", "at most 2000000000");
    expect_refusal("B3/S23:T99999999999999999999999,1", "at most 2000000000");
}

Test(life_rule, nine_neighbours_are_refused)
{
    expect_refusal("B9/S23", "'9' where a digit from 0 to 8");
    expect_refusal("B3/S239", "'9' where a digit from 0 to 8");
    expect_refusal("9/3", "'9' where a digit from 0 to 8");
}

Test(life_rule, other_spellings_are_refused_by_their_first_wrong_character)
{
    expect_refusal("", "rule '' ends");
    expect_refusal("Life", "'L' where");
    expect_refusal("B3", "ends where");
    expect_refusal("B3B23", "'B' where");
    expect_refusal("S23S3", "'S' where");
    expect_refusal("S23/3", "'3' where B");
    expect_refusal("B3/S23,,", "',' where");
    expect_refusal("B3/23", "'2' where S");
    expect_refusal("B3/", "ends where S");
    expect_refusal("B3/S23/4", "'/' where");
    expect_refusal(" B3/S23", "' ' where");
    expect_refusal("B3/S23 ", "' ' where");
    expect_refusal("B2-a/S12", "'-' where");
}

Test(life_rule, a_refusal_is_one_short_line_whatever_the_text)
{
    char text[3000], message[200];
    memset(text, '\n', sizeof text);
    life_rule rule;
    cr_assert_eq(life_rule_parse(text, sizeof text, &rule, message, sizeof message),
                 MASS_BAD_USAGE);
    cr_expect_null(strchr(message, '\n'));
    cr_expect_not_null(strstr(message, "..."));
    cr_expect_not_null(strstr(message, "B3/S23 or 23/3"));
}

Test(life_rule, only_length_characters_are_read)
{
    life_rule rule;
    char message[200];
    cr_assert_eq(life_rule_parse("B3/S239", 6, &rule, message, sizeof message), MASS_OK);
    cr_expect_eq(rule.survive, conway.survive);
}

Test(life_rule, a_message_keeps_to_its_room)
{
    char message[8] = "1234567";
    life_rule rule;
    life_rule_parse("x", 1, &rule, message, 4);
    cr_expect_str_eq(message, "rul");
    cr_expect_eq(message[4], '5');
}

Test(life_rule, every_rule_survives_being_written_and_read)
{
    for (unsigned birth = 0; birth < 512; birth++)
        for (unsigned survive = 0; survive < 512; survive++) {
            life_rule rule = {(uint16_t)birth, (uint16_t)survive};
            char text[24];
            life_rule_format(rule, text);
            expect_rule(text, rule);
        }
}

Test(life_rule, the_written_form_is_canonical)
{
    char text[24];
    life_rule_format(parsed("32/3:T48,48"), text);
    cr_expect_str_eq(text, "B3/S23");
    life_rule_format((life_rule){0x1ff, 0x1ff}, text);
    cr_expect_str_eq(text, "B012345678/S012345678");
}
