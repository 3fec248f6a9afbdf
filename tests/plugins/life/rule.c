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

Test(life_rule, a_bounded_grid_is_ignored)
{
    expect_rule("B3/S23:T48,48", conway);
    expect_rule("23/3:p100,0", conway);
    expect_rule("B3/S23:P2000000000,2000000000", conway);
}

Test(life_rule, a_malformed_grid_is_refused)
{
    expect_refusal("B3/S23:", "ends where T or P");
    expect_refusal("B3/S23:K48,48", "'K' where T or P");
    expect_refusal("B3/S23:T", "ends where an extent");
    expect_refusal("B3/S23:T48", "ends where ',' and the height");
    expect_refusal("B3/S23:T48,", "ends where an extent");
    expect_refusal("B3/S23:T48+5,48", "'+' where ','");
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
    expect_refusal("B3S23", "'S' where");
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
