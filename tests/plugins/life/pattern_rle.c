/* SPDX-License-Identifier: Apache-2.0 */
/* Run-length encoded patterns: the cells that they give, and the sentence that every other gets. */
#include "reading.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect_rle(const char *text, const char *rows) { expect_cells(LIFE_PATTERN_RLE, text, rows); }
static void expect_bad_rle(const char *text, const char *saying) { expect_refusal(LIFE_PATTERN_RLE, text, saying); }

Test(life_rle, runs_rows_and_end) { expect_rle("x = 3, y = 3\nbo$2bo$3o!", ".O.\n..O\nOOO\n"); }

Test(life_rle, rows_that_are_not_given_are_dead)
{
    expect_rle("x = 2, y = 4\no2$bo!", "O.\n..\n.O\n..\n");
    expect_rle("x = 2, y = 2\n!", "..\n..\n");
}

Test(life_rle, the_last_row_may_be_ended) { expect_rle("x = 2, y = 1\n2o$!", "OO\n"); }

Test(life_rle, comments_come_before_the_header_and_between_lines)
{
    expect_rle("#N x = 9\n#C ends!\n\nx = 2, y = 2\n2o$\n#C 9z!\n2o!", "OO\nOO\n");
}

Test(life_rle, white_space_may_be_anywhere)
{
    expect_rle(" x=12 ,\ty =2 \n 1\n2 o\t$ 1 \n2\no !", "OOOOOOOOOOOO\nOOOOOOOOOOOO\n");
}

Test(life_rle, lines_may_end_in_crlf) { expect_rle("#C\r\nx = 2, y = 2, rule = B3/S23\r\n2o$\r\n2o!\r\n", "OO\nOO\n"); }

Test(life_rle, what_follows_the_end_is_ignored) { expect_rle("x = 1, y = 1\no!99z\nx = 0", "O\n"); }

Test(life_rle, states_0_and_1_of_many_are_dead_and_alive) { expect_rle("x = 4, y = 2\n2A2.$.3A!", "OO..\n.OOO\n"); }

Test(life_rle, the_header_may_name_a_rule)
{
    life_pattern pattern = parsed(LIFE_PATTERN_RLE, "x = 1, y = 1, rule = b36/s23:T48,48 \no!");
    cr_expect(pattern.has_rule);
    cr_expect_eq(pattern.rule.birth, 1u << 3 | 1u << 6);
    cr_expect_eq(pattern.rule.survive, 1u << 2 | 1u << 3);
    life_pattern_free(&pattern);
}

Test(life_rle, a_header_without_a_rule_has_none)
{
    life_pattern pattern = parsed(LIFE_PATTERN_RLE, "x = 1, y = 1\no!");
    cr_expect_eq(pattern.has_rule, 0);
    life_pattern_free(&pattern);
}

Test(life_rle, a_pattern_may_fill_the_space_and_no_more)
{
    life_pattern pattern = parsed(LIFE_PATTERN_RLE, "x = 64, y = 64\n64o!");
    life_pattern_free(&pattern);
    expect_bad_rle("x = 65, y = 1\n65o!", "line 1: the pattern is 65 x 1, but the space only 64 x 64");
    expect_bad_rle("#C\nx = 1, y = 65\no!", "line 2: the pattern is 1 x 65, but the space only 64 x 64");
}

Test(life_rle, an_empty_file_is_refused) { expect_bad_rle("", "line 1: the file is empty"); }

Test(life_rle, a_file_without_a_header_is_refused)
{
    static const char *const wrong[] = {"bo$2bo$3o!",
                                        "x = 3\n3o!",
                                        "x = -3, y = 3\n3o!",
                                        "x = 3, y = three\n3o!",
                                        "x = 3, y = 3 3o!",
                                        "x = 3, y = 3, role = B3/S23\n3o!",
                                        "x = 9223372036854775808, y = 1\no!"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_bad_rle(wrong[i], "line 1: not a header, which is written x = 36, y = 9, rule = B3/S23");
    expect_bad_rle("#C only\n\n", "line 3: ends without a header such as x = 36, y = 9, rule = B3/S23");
}

Test(life_rle, extents_of_0_are_those_of_the_runs)
{
    expect_rle("x = 0, y = 0\nbo$$3o!", ".O.\n...\nOOO\n");
    expect_rle("x = 3, y = 0\no!", "O..\n");
    expect_rle("x = 0, y = 2\n2o!", "OO\n..\n");
    expect_bad_rle("x = 0, y = 2\no$o$o!", "line 2: 3 rows, but the header says y = 2");
    expect_bad_rle("x = 0, y = 0\n\n65o!", "line 3: a run of 65 after 0 cells of a row, but the space has a width of x "
                                          "= 64");
    expect_bad_rle("x = 0, y = 0\n64$o!", "line 2: 65 rows, but the space has a height of y = 64");
    expect_bad_rle("x = 0, y = 0\n9223372036854775807b!", "line 2: a run of 9223372036854775807 after 0 cells of a "
                                                         "row, but the space has a width of x = 64");
}

Test(life_rle, a_pattern_may_be_empty)
{
    static const char *const texts[] = {"x = 0, y = 0\n!", "#N\nx = 0, y = 0, rule = B3/S23\n!\n", "x = 0, y = 3\n!"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        life_pattern pattern = parsed(LIFE_PATTERN_RLE, texts[i]);
        cr_expect(pattern.width == 0, "%s", texts[i]);
        life_pattern_free(&pattern);
    }
    expect_rle("x = 0, y = 0\nb!", ".\n");
}

Test(life_rle, marked_cells_live) { expect_rle("x = 5, y = 2\nbxy2z$2xoy!", ".OOOO\nOOOO.\n"); }

Test(life_rle, lines_may_end_in_cr)
{
    expect_rle("#C\rx = 2, y = 2, rule = B3/S23\r2o$\r#C 9!\r2o!\r", "OO\nOO\n");
    expect_bad_rle("#C\rx = 2, y = 2\r\r2o$q!", "line 4: 'q' is not one of b, o, $, !");
}

Test(life_rle, a_byte_order_mark_is_passed_over) { expect_rle("\xef\xbb\xbfx = 1, y = 1\no!", "O\n"); }

Test(life_rle, blanks_may_begin_lines)
{
    expect_rle("  #C 9z!\n \n\t#r 23/3\n  x = 2, y = 2 \n  2o$\n \t#C 9z!\n  2o\n  !", "OO\nOO\n");
}

Test(life_rle, the_header_may_end_in_a_comma_and_have_capitals)
{
    expect_rle("x = 1, y = 1,\no!", "O\n");
    expect_rle("x = 1, y = 1, rule = B3/S23, \no!", "O\n");
    expect_rle("X = 1, Y = 1, Rule = b3s23\no!", "O\n");
}

Test(life_rle, a_wrong_rule_is_refused)
{
    expect_bad_rle("#C\nx = 1, y = 1, rule = B3/S29\no!", "line 2: rule 'B3/S29' has '9' where a digit from 0 to 8 "
                                                          "belongs: rules are written B3/S23 or 23/3");
    expect_bad_rle("x = 1, y = 1, rule =\no!", "line 1: rule '' ends where a digit from 0 to 8 or '/' belongs: rules "
                                               "are written B3/S23 or 23/3");
}

Test(life_rle, a_file_without_an_end_is_refused)
{
    expect_bad_rle("x = 3, y = 3\nbo$2bo$3o\n", "line 3: ends without !");
    expect_bad_rle("x = 3, y = 3", "line 1: ends without !");
    expect_bad_rle("x = 3, y = 3\n3o\n#C !", "line 3: ends without !");
}

Test(life_rle, an_unknown_tag_is_refused)
{
    expect_bad_rle("x = 3, y = 3\nbo$\n2qo!", "line 3: 'q' is not one of b, o, $, !");
    expect_bad_rle("x = 3, y = 3\nb\x80!", "line 2: '\\x80' is not one of b, o, $, !");
    expect_bad_rle("x = 3, y = 3\nbo #C\n!", "line 2: '#' is not one of b, o, $, !");
}

Test(life_rle, other_states_are_refused)
{
    expect_bad_rle("x = 3, y = 3\nAB!", "line 2: 'B' is state 2, but a place is dead (b or .) or alive (o or A)");
    expect_bad_rle("x = 3, y = 3\n2X!", "line 2: 'X' is state 24, but a place is dead (b or .) or alive (o or A)");
    expect_bad_rle("x = 3, y = 3\npA!", "line 2: 'p' is not one of b, o, $, !");
    expect_bad_rle("x = 3, y = 3\nxA!", "line 2: 'x' is state 217, but a place is dead (b or .) or alive (o or A)");
}

Test(life_rle, a_count_of_0_is_refused)
{
    expect_bad_rle("x = 3, y = 3\n0o!", "line 2: a count is 0");
    expect_bad_rle("x = 3, y = 3\no00$!", "line 2: a count is 0");
}

Test(life_rle, a_count_without_a_tag_is_refused) { expect_bad_rle("x = 3, y = 3\no3!", "line 2: a count before '!'"); }

Test(life_rle, a_count_beyond_every_number_is_refused)
{
    expect_bad_rle("x = 3, y = 3\n9223372036854775808o!", "line 2: a count is larger than 9223372036854775807");
    expect_bad_rle("x = 3, y = 3\n99999999999999999999999999$!", "line 2: a count is larger than 9223372036854775807");
}

Test(life_rle, a_run_beyond_the_row_is_refused)
{
    expect_bad_rle("x = 3, y = 3\n4o!", "line 2: a run of 4 after 0 cells of a row, but the header says x = 3");
    expect_bad_rle("x = 3, y = 3\n2ob2b!", "line 2: a run of 2 after 3 cells of a row, but the header says x = 3");
    expect_bad_rle("x = 3, y = 3\n2o9223372036854775807b!", "line 2: a run of 9223372036854775807 after 2 cells of a "
                                                            "row, but the header says x = 3");
}

Test(life_rle, more_rows_than_the_header_says_are_refused)
{
    expect_bad_rle("x = 3, y = 2\no$o$\nb!", "line 3: 3 rows, but the header says y = 2");
    expect_bad_rle("x = 3, y = 2\no3$!", "line 2: 3 rows, but the header says y = 2");
    expect_bad_rle("x = 3, y = 2\no$9223372036854775807$!", "line 2: 9223372036854775808 rows, but the header says y = "
                                                            "2");
}

Test(life_rle, extents_too_large_for_memory_are_refused)
{
    const char *text = "x = 9223372036854775807, y = 9223372036854775807\no!";
    life_pattern pattern;
    life_pattern_error error;
    mass_status status =
        life_pattern_parse_rle((const uint8_t *)text, strlen(text), INT64_MAX, INT64_MAX, &pattern, &error);
    cr_expect_eq(status, MASS_NO_DEVICE);
    cr_expect_str_eq(error.text, "line 1: a pattern of 9223372036854775807 x 9223372036854775807 cells does not fit in "
                                 "memory");
}
