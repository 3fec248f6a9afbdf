/* SPDX-License-Identifier: Apache-2.0 */
/* Tables as text: what is read, and the line that everything else is refused with. */
#include "io/input/csv.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes without an end, so that reading beyond them is seen. */
static uint8_t *copy_of(const char *text, size_t size)
{
    uint8_t *bytes = malloc(size ? size : 1);
    memcpy(bytes, text, size);
    return bytes;
}

/* Every field of header and rows, each in brackets, rows apart by '|'. */
static void expect(const char *text, const char *shown)
{
    const size_t size = strlen(text);
    uint8_t *bytes = copy_of(text, size);
    mass_csv csv;
    mass_error e = {0};
    char found[400] = "";
    mass_status status = mass_csv_open("t.csv", bytes, size, &csv, &e);
    for (uint32_t i = 0; status == MASS_OK && i < csv.columns; i++)
        snprintf(found + strlen(found), 100, "[%.*s]", (int)csv.names[i].length, csv.names[i].text);
    size_t rows = 0;
    const size_t most = status == MASS_OK ? mass_csv_rows_most(&csv) : 0;
    for (bool more = status == MASS_OK; more;) {
        status = mass_csv_next(&csv, &more, &e);
        if (status != MASS_OK || !more) break;
        cr_assert_eq(csv.line, ++rows + 1);
        strcat(found, "|");
        for (uint32_t i = 0; i < csv.columns; i++)
            snprintf(found + strlen(found), 100, "[%.*s]", (int)csv.fields[i].length, csv.fields[i].text);
    }
    cr_assert_leq(rows, most);
    if (status == MASS_OK) cr_assert_str_eq(found, shown);
    else {
        cr_assert_eq(status, MASS_BAD_INPUT);
        cr_assert_str_eq(e.text, shown);
    }
    mass_csv_close(&csv);
    free(bytes);
}

Test(csv, what_is_read)
{
    expect("a,b\n1,2\n", "[a][b]|[1][2]");
    expect("a,b\n1,2", "[a][b]|[1][2]");
    expect("a,b\r\n1,2\r\n", "[a][b]|[1][2]");
    expect("a,b\r1,2\r3, 4 \r \r\t", "[a][b]|[1][2]|[3][4]");
    expect("a,b\r1,2\n3,4\r\n5,6", "[a][b]|[1][2]|[3][4]|[5][6]");
    expect("\xef\xbb\xbf" "a,b\n", "[a][b]");
    expect(" a ,\tb\n 1 , 2\t\n", "[a][b]|[1][2]");
    expect("\"a\",\"b, c\"\n\"\", \"2\" \n", "[a][b, c]|[][2]");
    expect("a,b\n,\n1,\n", "[a][b]|[][]|[1][]");
    expect("a\n1\n2\n\n \n\r\n", "[a]|[1]|[2]");
    expect("a", "[a]");
    expect("\xc3\xa4\n1\n", "[\xc3\xa4]|[1]");
}

Test(csv, what_is_refused)
{
    expect("", "t.csv, line 1: there is no header, which names the columns");
    expect("\xef\xbb\xbf", "t.csv, line 1: there is no header, which names the columns");
    expect("\n1,2\n", "t.csv, line 1: there is no header, which names the columns");
    expect("a,,c\n", "t.csv, line 1: column 2 has no name");
    expect("a,b,a\n", "t.csv, line 1: there are two columns 'a'");
    expect("a,b\n1\n", "t.csv, line 2: it has 1 field, and the header has 2");
    expect("a,b\n1,2\n1,2,\n", "t.csv, line 3: it has 3 fields, and the header has 2");
    expect("a\n1\n\n2\n", "t.csv, line 3: it is empty, and more lines follow");
    expect("a\n\"1\n", "t.csv, line 2: a quote is not closed");
    expect("a\n\"1\"\"2\"\n", "t.csv, line 2: a field goes on after its quotes");
    expect("a\n1\"\n", "t.csv, line 2: a quote within a field");
    expect("a\n1\t2\n", "t.csv, line 2: a tab within a field: commas separate fields");
    expect("a\n1\v2\n", "t.csv, line 2: a byte \\x0b, which is not text");
    expect("a\r1\r\r2\r", "t.csv, line 3: it is empty, and more lines follow");
    expect("a,b\r1,2\r3", "t.csv, line 3: it has 1 field, and the header has 2");
    expect("a\n\x7f\n", "t.csv, line 2: a byte \\x7f, which is not text");
}

Test(csv, more_columns_than_anyone_needs)
{
    const size_t size = 2 * MASS_CSV_COLUMNS_MAX + 2;
    uint8_t *bytes = malloc(size);
    for (size_t i = 0; i < size; i++) bytes[i] = i % 2 ? ',' : 'a';
    mass_csv csv;
    mass_error e = {0};
    cr_assert_eq(mass_csv_open("t.csv", bytes, size, &csv, &e), MASS_BAD_INPUT);
    cr_assert_str_eq(e.text, "t.csv, line 1: there are more than 4096 columns");
    mass_csv_close(&csv);
    free(bytes);
}

/* ---- without a header ---- */

Test(csv, rows_without_a_header)
{
    static const char text[] = "\xef\xbb\xbf" "1,1\r2, 3\r\n\r";
    uint8_t *bytes = copy_of(text, sizeof text - 1);
    mass_csv csv;
    mass_error e = {0};
    bool more;
    cr_assert_eq(mass_csv_open_rows("t.csv", bytes, sizeof text - 1, &csv, &e), MASS_OK, "%s", e.text);
    cr_assert_eq(csv.columns, 2);
    for (uint64_t line = 1; line <= 2; line++) {
        cr_assert(mass_csv_next(&csv, &more, &e) == MASS_OK && more && csv.line == line);
        cr_assert_eq(csv.fields[1].text[0], line == 1 ? '1' : '3');
    }
    cr_assert(mass_csv_next(&csv, &more, &e) == MASS_OK && !more);
    mass_csv_close(&csv);
    free(bytes);
}

Test(csv, rows_that_are_none)
{
    static const char *const bad[][2] = {{"", "t.csv, line 1: there is no row"}, {"1,\"2\n", "t.csv, line 1: a quote"},
                                         {"1,2\n3\n", "t.csv, line 2: it has 1 field, and the first line has 2"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mass_csv csv;
        mass_error e = {0};
        bool more = true;
        uint8_t *bytes = copy_of(bad[i][0], strlen(bad[i][0]));
        mass_status status = mass_csv_open_rows("t.csv", bytes, strlen(bad[i][0]), &csv, &e);
        while (status == MASS_OK && more) status = mass_csv_next(&csv, &more, &e);
        cr_assert(status == MASS_BAD_INPUT && strncmp(e.text, bad[i][1], strlen(bad[i][1])) == 0, "%s", e.text);
        mass_csv_close(&csv);
        free(bytes);
    }
}
