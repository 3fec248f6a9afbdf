/* SPDX-License-Identifier: Apache-2.0 */
/* Plain patterns of .cells files: the cells that they give, and the sentence that every other gets. */
#include "reading.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect_plain(const char *text, const char *rows) { expect_cells(LIFE_PATTERN_CELLS, text, rows); }
static void expect_bad_plain(const char *text, const char *saying) { expect_refusal(LIFE_PATTERN_CELLS, text, saying); }

Test(life_cells, dots_are_dead_and_o_and_star_alive) { expect_plain(".O*\n*.O\n", ".OO\nO.O\n"); }

Test(life_cells, short_rows_are_padded_with_dead_cells) { expect_plain("O\n\n..O\n.*", "O..\n...\n..O\n.O.\n"); }

Test(life_cells, comments_may_be_anywhere) { expect_plain("!Name: x\n!\nO.\n!between\n.O\n!after", "O.\n.O\n"); }

Test(life_cells, lines_may_end_in_crlf) { expect_plain("!Name\r\nO.\r\n\r\n.O\r\n", "O.\n..\n.O\n"); }

Test(life_cells, lines_may_end_in_cr)
{
    expect_plain("!Name\rO.\r\r.O\r", "O.\n..\n.O\n");
    expect_bad_plain("!\r.O\r.X\r", "line 3: 'X' is not one of ., O, *");
}

Test(life_cells, a_byte_order_mark_is_passed_over) { expect_plain("\xef\xbb\xbf!Name\nO.\n.O\n", "O.\n.O\n"); }

Test(life_cells, blanks_around_rows_are_passed_over)
{
    expect_plain("  !Name\n\t O. \t\n\t \n\t .O\n  \n", "O.\n..\n.O\n");
    expect_bad_plain("O\n !x\n  O\n", "line 3: the row is indented unlike those before it: write dead cells as .");
}

Test(life_cells, empty_lines_at_the_end_are_no_rows) { expect_plain("O\n.\n\n\n", "O\n.\n"); }

Test(life_cells, a_file_without_cells_is_refused)
{
    expect_bad_plain("", "line 1: the file is empty");
    expect_bad_plain("!Name: x\n\n", "line 3: ends without any cells");
}

Test(life_cells, another_character_is_refused)
{
    expect_bad_plain("!Name\n.O\n.o\n", "line 3: 'o' is not one of ., O, *");
    expect_bad_plain(".O.\nO O\n", "line 2: ' ' is not one of ., O, *");
    expect_bad_plain("O\vO\n", "line 1: '\\x0b' is not one of ., O, *");
}

Test(life_cells, a_row_beyond_the_space_is_refused)
{
    char text[70] = "O\n";
    memset(text + 2, '.', 65);
    expect_bad_plain(text, "line 2: a row of 65 cells, but the space is 64 wide");
}

Test(life_cells, more_rows_than_the_space_has_are_refused)
{
    char text[70] = "!\n";
    memset(text + 2, '\n', 64);
    text[66] = '.';
    expect_bad_plain(text, "line 66: row 65, but the space is 64 high");
}
