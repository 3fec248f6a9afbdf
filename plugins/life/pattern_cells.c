/* SPDX-License-Identifier: Apache-2.0 */
/* Plain text: each line is a row of cells. */
#include "pattern_lines.h"

static int is_comment(span row) { return row.next < row.end && *row.next == '!'; }

/* The rows of a file, and their indentation. All rows with cells must have the same, as a blank might be meant as a
 * cell. */
typedef struct rows {
    reader reader;
    int64_t line, indented; /* number of the row's line; indentation of the rows before it, -1: there was none */
} rows;

/* Reads the next row that is no comment, without blanks around it. Returns 0 at the end. */
static int take_row(rows *r, span *row, int64_t *indented)
{
    while (!at_end(&r->reader)) {
        r->line = r->reader.line;
        const span whole = life_lines_take(&r->reader);
        *row = life_span_trim(whole);
        *indented = row->next - whole.next;
        if (!is_comment(*row)) return 1;
    }
    return 0;
}

/* Checks a row's bytes, and that it is indented like those before it. */
static mass_status check_row(rows *r, span row, int64_t indented, life_pattern_error *error)
{
    for (const uint8_t *cell = row.next; cell < row.end; cell++)
        if (*cell != '.' && *cell != 'O' && *cell != '*')
            return life_pattern_bad_byte(error, r->line, *cell, "., O, *");
    if (r->indented >= 0 && r->indented != indented)
        return BAD_INPUT(error, r->line, "the row is indented unlike those before it: write dead cells as .");
    r->indented = indented;
    return MASS_OK;
}

/* Checks every row and finds the extents. Empty lines are dead rows, unless they end the file. */
static mass_status measure_rows(reader text, int64_t max_width, int64_t max_height, life_pattern *pattern,
                                life_pattern_error *error)
{
    rows r = {.reader = text, .indented = -1};
    span row;
    int64_t indented;
    for (int64_t count = 1; take_row(&r, &row, &indented); count++) {
        if (row.next == row.end) continue;
        const int64_t width = row.end - row.next;
        const mass_status status = check_row(&r, row, indented, error);
        if (status != MASS_OK) return status;
        if (width > max_width)
            return BAD_INPUT(error, r.line, "a row of %" PRId64 " cells, but the space is %" PRId64 " wide", width,
                             max_width);
        if (count > max_height)
            return BAD_INPUT(error, r.line, "row %" PRId64 ", but the space is %" PRId64 " high", count, max_height);
        if (width > pattern->width) pattern->width = width;
        pattern->height = count;
    }
    return pattern->height > 0 ? MASS_OK : BAD_INPUT(error, r.reader.line, "ends without any cells");
}

/* Fills the pattern's cells from the rows, which were checked before. Cells that rows leave out stay dead. */
static void fill_rows(reader text, const life_pattern *pattern)
{
    rows r = {.reader = text};
    uint8_t *cells = pattern->cells;
    span row;
    int64_t indented;
    for (int64_t y = 0; y < pattern->height && take_row(&r, &row, &indented); y++, cells += pattern->width)
        for (int64_t x = 0; x < row.end - row.next; x++) cells[x] = row.next[x] != '.';
}

mass_status life_pattern_parse_cells(const uint8_t *bytes, size_t size, int64_t max_width, int64_t max_height,
                                     life_pattern *out, life_pattern_error *error)
{
    const reader text = life_lines_begin(bytes, size);
    life_pattern pattern = {0};
    if (at_end(&text)) return BAD_INPUT(error, 1, "the file is empty");
    mass_status status = measure_rows(text, max_width, max_height, &pattern, error);
    if (status == MASS_OK) status = life_pattern_allocate(&pattern, 1, error);
    if (status != MASS_OK) return status;
    fill_rows(text, &pattern);
    *out = pattern;
    return MASS_OK;
}
