/* SPDX-License-Identifier: Apache-2.0 */
#include "io/input/csv.h"
#include "base/plural.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct span {
    const uint8_t *next, *end;
} span;

mass_status mass_csv_refuse(const mass_csv *csv, mass_status status, mass_error *error, const char *format, ...)
{
    char text[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return mass_error_set(error, status, "%s, line %" PRIu64 ": %s", csv->path, csv->line, text);
}

#define BAD_INPUT(CSV, ...) mass_csv_refuse((CSV), MASS_BAD_INPUT, error, __VA_ARGS__)

static bool is_blank(uint8_t byte) { return byte == ' ' || byte == '\t'; }

/* Removes blanks from both ends of the span. */
static void trim(span *s)
{
    while (s->next < s->end && is_blank(*s->next)) s->next++;
    while (s->end > s->next && is_blank(s->end[-1])) s->end--;
}

/* Returns the end of a line: at LF, CRLF or CR, or at the end of the text. */
static const uint8_t *find_line_end(const uint8_t *at, const uint8_t *end)
{
    while (at < end && *at != '\n' && *at != '\r') at++;
    return at;
}

/* Returns what follows a line's end: "\n", "\r" or "\r\n" at `at`. */
static const uint8_t *skip_line_end(const uint8_t *at, const uint8_t *end)
{
    if (end - at > 1 && at[0] == '\r' && at[1] == '\n') return at + 2;
    return at < end ? at + 1 : end;
}

/* Takes the next line, without its end, and counts it. */
static span take_line(mass_csv *csv)
{
    const span line = {csv->next, find_line_end(csv->next, csv->end)};
    csv->next = skip_line_end(line.end, csv->end);
    csv->line++;
    return line;
}

/* Returns true if only blanks and line ends follow. */
static bool only_empty_lines_follow(const mass_csv *csv)
{
    for (const uint8_t *at = csv->next; at < csv->end; at++)
        if (!is_blank(*at) && *at != '\r' && *at != '\n') return false;
    return true;
}

/* Returns the first `c` in the span, or NULL. */
static const uint8_t *find(const span *in, char c)
{
    return in->next < in->end ? memchr(in->next, c, (size_t)(in->end - in->next)) : NULL;
}

/* Takes a field and the comma after it from the line. *last: there is no comma. *out is a part of the line, without
 * blanks and quotes around it. Refuses quotes within a field, tabs, and control characters. */
static mass_status take_field(const mass_csv *csv, span *line, mass_csv_field *out, bool *last, mass_error *error)
{
    while (line->next < line->end && is_blank(*line->next)) line->next++;
    span field = *line;
    if (line->next < line->end && *line->next == '"') {
        field.next = line->next + 1;
        field.end = find(&field, '"');
        if (!field.end) return BAD_INPUT(csv, "a quote is not closed");
        line->next = field.end + 1;
        while (line->next < line->end && is_blank(*line->next)) line->next++;
        if (line->next < line->end && *line->next != ',') return BAD_INPUT(csv, "a field goes on after its quotes");
    } else {
        const uint8_t *comma = find(line, ',');
        if (comma) field.end = comma;
        line->next = field.end;
        trim(&field);
        if (find(&field, '"')) return BAD_INPUT(csv, "a quote within a field");
    }
    if (find(&field, '\t'))
        return BAD_INPUT(csv, "a tab within a field: commas separate fields");
    for (const uint8_t *at = field.next; at < field.end; at++)
        if (*at < 0x20 || *at == 0x7f) return BAD_INPUT(csv, "a byte \\x%02x, which is not text", *at);
    *out = (mass_csv_field){(const char *)field.next, (size_t)(field.end - field.next)};
    *last = line->next == line->end;
    line->next += !*last;
    return MASS_OK;
}

/* Counts the commas of a line, also quoted ones, up to one more than the most columns. */
static uint32_t count_commas(span line)
{
    uint32_t count = 0;
    for (; line.next < line.end && count <= MASS_CSV_COLUMNS_MAX; line.next++) count += *line.next == ',';
    return count;
}

/* Refuses a column without a name, or with the name of an earlier one. */
static mass_status check_name(const mass_csv *csv, uint32_t column, mass_error *error)
{
    const mass_csv_field *name = &csv->names[column];
    if (name->length == 0) return BAD_INPUT(csv, "column %u has no name", column + 1);
    for (uint32_t i = 0; i < column; i++)
        if (csv->names[i].length == name->length && memcmp(csv->names[i].text, name->text, name->length) == 0)
            return BAD_INPUT(csv, "there are two columns '%.*s'", (int)name->length, name->text);
    return MASS_OK;
}

mass_status mass_csv_open(const char *path, const uint8_t *bytes, size_t size, mass_csv *out, mass_error *error)
{
    *out = (mass_csv){.path = path, .next = bytes, .end = bytes + size};
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) out->next += 3;
    span line = take_line(out);
    trim(&line);
    if (line.next == line.end) return BAD_INPUT(out, "there is no header, which names the columns");
    const uint32_t most = count_commas(line) + 1;
    if (most > MASS_CSV_COLUMNS_MAX) return BAD_INPUT(out, "there are more than %d columns", MASS_CSV_COLUMNS_MAX);
    out->names = calloc(most, sizeof *out->names);
    out->fields = calloc(most, sizeof *out->fields);
    if (!out->names || !out->fields) return mass_error_memory(error, most * sizeof *out->names, "a table");
    mass_status status = MASS_OK;
    for (bool last = false; status == MASS_OK && !last;) {
        status = take_field(out, &line, &out->names[out->columns], &last, error);
        if (status == MASS_OK) status = check_name(out, out->columns, error);
        out->columns++;
    }
    return status;
}

mass_status mass_csv_open_rows(const char *path, const uint8_t *bytes, size_t size, mass_csv *out, mass_error *error)
{
    *out = (mass_csv){.path = path, .next = bytes, .end = bytes + size, .headless = true};
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) out->next += 3;
    const uint8_t *first = out->next;
    span line = take_line(out);
    trim(&line);
    if (line.next == line.end) return BAD_INPUT(out, "there is no row");
    const uint32_t most = count_commas(line) + 1;
    if (most > MASS_CSV_COLUMNS_MAX) return BAD_INPUT(out, "there are more than %d columns", MASS_CSV_COLUMNS_MAX);
    out->fields = calloc(most, sizeof *out->fields);
    if (!out->fields) return mass_error_memory(error, most * sizeof *out->fields, "a table");
    mass_status status = MASS_OK;
    for (bool last = false; status == MASS_OK && !last; out->columns++)
        status = take_field(out, &line, &out->fields[out->columns], &last, error);
    if (status != MASS_OK) return status;
    out->next = first; /* this line is read again as a row */
    out->line = 0;
    return MASS_OK;
}

void mass_csv_close(mass_csv *csv)
{
    free(csv->names);
    free(csv->fields);
    *csv = (mass_csv){0};
}

mass_status mass_csv_next(mass_csv *csv, bool *more, mass_error *error)
{
    *more = csv->next < csv->end && !only_empty_lines_follow(csv);
    if (!*more) return MASS_OK;
    span line = take_line(csv);
    trim(&line);
    if (line.next == line.end) return BAD_INPUT(csv, "it is empty, and more lines follow");
    uint32_t count = 0;
    for (bool last = false; !last; count++) {
        mass_csv_field field;
        const mass_status status = take_field(csv, &line, &field, &last, error);
        if (status != MASS_OK) return status;
        if (count < csv->columns) csv->fields[count] = field;
    }
    if (count == csv->columns) return MASS_OK;
    return BAD_INPUT(csv, "it has %u field%s, and the %s has %u", count, mass_plural(count),
                     csv->headless ? "first line" : "header", csv->columns);
}

bool mass_csv_text(mass_csv_field field, char *out, size_t room)
{
    if (field.length >= room) return false;
    memcpy(out, field.text, field.length);
    out[field.length] = '\0';
    return true;
}

size_t mass_csv_rows_most(const mass_csv *csv)
{
    const size_t fitting = (size_t)(csv->end - csv->next) / csv->columns + 1;
    size_t lines = 1;
    for (const uint8_t *at = csv->next; at < csv->end && lines < fitting; at++) lines += *at == '\n' || *at == '\r';
    return lines;
}
