/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a .csv: refused in one line with its number, or the fields that a second reader, by characters,
 * finds as well. */
#include "harness.h"
#include "io/input/csv.h"

#include <string.h>

/* The next field of a line that was accepted: blanks and quotes taken off. */
static mass_csv_field second_reading(const char **at, const char *end)
{
    const char *start = *at, *stop = start;
    for (int quoted = 0; stop < end && (quoted || *stop != ','); stop++) quoted ^= *stop == '"';
    *at = stop + 1;
    while (start < stop && (*start == ' ' || *start == '\t')) start++;
    while (stop > start && (stop[-1] == ' ' || stop[-1] == '\t')) stop--;
    if (start < stop && *start == '"') start++, stop--;
    return (mass_csv_field){start, (size_t)(stop - start)};
}

static void check_line(const char *line, const char *end, const mass_csv_field *fields, uint32_t columns)
{
    while (end > line && (end[-1] == '\r' || end[-1] == '\n')) end--;
    for (uint32_t i = 0; i < columns; i++) {
        ALWAYS(line <= end);
        const mass_csv_field again = second_reading(&line, end);
        ALWAYS(again.length == fields[i].length && memcmp(again.text, fields[i].text, again.length) == 0);
        for (size_t k = 0; k < again.length; k++) ALWAYS((unsigned char)again.text[k] >= 0x20);
    }
    ALWAYS(line == end + 1);
}

static void check_failure(const mass_csv *csv, const mass_error *error)
{
    char start[40];
    const int length = snprintf(start, sizeof start, "f, line %llu: ", (unsigned long long)csv->line);
    ALWAYS(error->status == MASS_BAD_INPUT);
    ALWAYS(strncmp(error->text, start, (size_t)length) == 0 && error->text[length]);
    for (const unsigned char *c = (const unsigned char *)error->text; *c; c++) ALWAYS(*c >= 0x20 && *c != 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mass_csv csv;
    mass_error error = {0};
    const char *line = (const char *)bytes + (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    mass_status status = mass_csv_open("f", bytes, size, &csv, &error);
    if (status == MASS_OK) {
        ALWAYS(csv.columns >= 1 && csv.columns <= MASS_CSV_COLUMNS_MAX);
        check_line(line, (const char *)csv.next, csv.names, csv.columns);
        for (uint32_t i = 0; i < csv.columns; i++) ALWAYS(csv.names[i].length > 0);
    }
    size_t rows = 0;
    const size_t most = status == MASS_OK ? mass_csv_rows_most(&csv) : 0;
    ALWAYS(status != MASS_OK || (most - 1) * csv.columns <= size);
    for (bool more = true; status == MASS_OK && more;) {
        line = (const char *)csv.next;
        status = mass_csv_next(&csv, &more, &error);
        if (status != MASS_OK || !more) break;
        check_line(line, (const char *)csv.next, csv.fields, csv.columns);
        ALWAYS(++rows <= most && csv.line == rows + 1);
    }
    if (status != MASS_OK) check_failure(&csv, &error);
    mass_csv_close(&csv);
    ALWAYS(!csv.names && !csv.fields);
    return 0;
}
