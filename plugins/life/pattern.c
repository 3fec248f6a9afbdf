/* SPDX-License-Identifier: Apache-2.0 */
#include "pattern.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX ((off_t)1 << 30)

typedef struct reader {
    const uint8_t *next, *end;
    int64_t line;
} reader;

/* Part of one line: no newline in it. */
typedef struct span {
    const uint8_t *next, *end;
} span;

/* ---- failing ---- */

__attribute__((format(printf, 4, 5))) static mass_status
fail(life_pattern_error *error, mass_status status, int64_t line, const char *format, ...)
{
    error->line = line;
    int start = snprintf(error->text, sizeof error->text, "line %" PRId64 ": ", line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text + start, sizeof error->text - (size_t)start, format, arguments);
    va_end(arguments);
    return status;
}

#define BAD_INPUT(ERROR, LINE, ...) fail((ERROR), MASS_BAD_INPUT, (LINE), __VA_ARGS__)

static mass_status bad_byte(life_pattern_error *error, int64_t line, uint8_t byte,
                            const char *expected)
{
    if (byte < 0x20 || byte >= 0x7f)
        return BAD_INPUT(error, line, "'\\x%02x' is not one of %s", byte, expected);
    return BAD_INPUT(error, line, "'%c' is not one of %s", byte, expected);
}

/* ---- what both formats share ---- */

static int is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static int is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

static int at_end(const reader *r)
{
    return r->next == r->end;
}

/* Takes the rest of a line, without its newline or CRLF. */
static span take_line(reader *r)
{
    const uint8_t *start = r->next;
    const uint8_t *newline =
        at_end(r) ? NULL : (const uint8_t *)memchr(start, '\n', (size_t)(r->end - start));
    const uint8_t *end = newline ? newline : r->end;
    r->next = newline ? newline + 1 : end;
    r->line += newline != NULL;
    if (newline && end > start && end[-1] == '\r') end--;
    return (span){start, end};
}

/* Adds a digit to number; returns 0 if the result is beyond int64_t. */
static int append_digit(int64_t *number, uint8_t digit)
{
    return !__builtin_mul_overflow(*number, 10, number) &&
           !__builtin_add_overflow(*number, digit - '0', number);
}

/* Gives a pattern of known extents its cells, all dead. */
static mass_status allocate_cells(life_pattern *pattern, int64_t line, life_pattern_error *error)
{
    int64_t size;
    int fits = !__builtin_mul_overflow(pattern->width, pattern->height, &size) &&
               size <= PTRDIFF_MAX;
    pattern->cells = fits ? (uint8_t *)calloc((size_t)size, 1) : NULL;
    if (pattern->cells) return MASS_OK;
    return fail(error, MASS_NO_DEVICE, line,
                "a pattern of %" PRId64 " x %" PRId64 " cells does not fit in memory",
                pattern->width, pattern->height);
}

void life_pattern_free(life_pattern *pattern)
{
    free(pattern->cells);
    pattern->cells = NULL;
}

/* ---- the header of an RLE ---- */

static void skip_blanks(span *s)
{
    while (s->next < s->end && is_blank(*s->next)) s->next++;
}

static int accept(span *s, const char *word)
{
    size_t length = strlen(word);
    skip_blanks(s);
    if ((size_t)(s->end - s->next) < length || memcmp(s->next, word, length) != 0) return 0;
    s->next += length;
    return 1;
}

static int accept_number(span *s, int64_t *number)
{
    skip_blanks(s);
    if (s->next == s->end || !is_digit(*s->next)) return 0;
    for (*number = 0; s->next < s->end && is_digit(*s->next); s->next++)
        if (!append_digit(number, *s->next)) return 0;
    return 1;
}

static int accept_extents(span *s, int64_t *width, int64_t *height)
{
    return accept(s, "x") && accept(s, "=") && accept_number(s, width) && accept(s, ",") &&
           accept(s, "y") && accept(s, "=") && accept_number(s, height);
}

static int accept_rule_key(span *s)
{
    return accept(s, ",") && accept(s, "rule") && accept(s, "=");
}

static mass_status read_header_rule(span s, int64_t line, life_pattern *pattern,
                                    life_pattern_error *error)
{
    char message[200];
    skip_blanks(&s);
    while (s.end > s.next && is_blank(s.end[-1])) s.end--;
    mass_status status = life_rule_parse((const char *)s.next, (size_t)(s.end - s.next),
                                         &pattern->rule, message, sizeof message);
    if (status != MASS_OK) return BAD_INPUT(error, line, "%s", message);
    pattern->has_rule = 1;
    return MASS_OK;
}

static mass_status read_header_line(span s, int64_t line, life_pattern *pattern,
                                    life_pattern_error *error)
{
    int well_formed = accept_extents(&s, &pattern->width, &pattern->height);
    skip_blanks(&s);
    int has_rule = s.next < s.end;
    if (!well_formed || (has_rule && !accept_rule_key(&s)))
        return BAD_INPUT(error, line,
                         "not a header, which is written x = 36, y = 9, rule = B3/S23");
    if (pattern->width == 0 || pattern->height == 0)
        return BAD_INPUT(error, line, "%c = 0, but a pattern has at least one cell",
                         pattern->width == 0 ? 'x' : 'y');
    return has_rule ? read_header_rule(s, line, pattern, error) : MASS_OK;
}

/* Reads up to and including the header: extents and rule, no cells. *line is the header's. */
static mass_status read_header(reader *r, life_pattern *pattern, int64_t *line,
                               life_pattern_error *error)
{
    if (at_end(r)) return BAD_INPUT(error, r->line, "the file is empty");
    while (!at_end(r)) {
        *line = r->line;
        span s = take_line(r);
        int comment = s.next < s.end && *s.next == '#';
        skip_blanks(&s);
        if (!comment && s.next < s.end) return read_header_line(s, *line, pattern, error);
    }
    return BAD_INPUT(error, r->line, "ends without a header such as x = 36, y = 9, rule = B3/S23");
}

static mass_status check_extents(const life_pattern *pattern, int64_t max_width,
                                 int64_t max_height, int64_t line, life_pattern_error *error)
{
    if (pattern->width <= max_width && pattern->height <= max_height) return MASS_OK;
    return BAD_INPUT(error, line,
                     "the pattern is %" PRId64 " x %" PRId64 ", but the space only %" PRId64
                     " x %" PRId64,
                     pattern->width, pattern->height, max_width, max_height);
}

/* ---- the body of an RLE ---- */

typedef struct body {
    reader reader;
    life_pattern *pattern;
    life_pattern_error *error;
    int64_t x, y;  /* where the next run starts */
    int64_t count; /* of the next tag, if it has one */
    int has_count;
} body;

static mass_status read_count_digit(body *b, uint8_t digit)
{
    if (!append_digit(&b->count, digit))
        return BAD_INPUT(b->error, b->reader.line, "a count is larger than %" PRId64, INT64_MAX);
    b->has_count = 1;
    return MASS_OK;
}

/* The count before a tag, 1 if there is none. */
static mass_status take_count(body *b, int64_t *count)
{
    if (b->has_count && b->count == 0)
        return BAD_INPUT(b->error, b->reader.line, "a count is 0");
    *count = b->has_count ? b->count : 1;
    b->count = b->has_count = 0;
    return MASS_OK;
}

/* Unsigned, because the sum of a row and a count may be beyond int64_t. */
static mass_status too_high(const body *b, uint64_t rows)
{
    return BAD_INPUT(b->error, b->reader.line, "%" PRIu64 " rows, but the header says y = %" PRId64,
                     rows, b->pattern->height);
}

static mass_status read_run(body *b, int alive)
{
    const life_pattern *p = b->pattern;
    int64_t count = 0;
    mass_status status = take_count(b, &count);
    if (status != MASS_OK) return status;
    if (b->y == p->height) return too_high(b, (uint64_t)b->y + 1);
    if (count > p->width - b->x)
        return BAD_INPUT(b->error, b->reader.line,
                         "a run of %" PRId64 " after %" PRId64
                         " cells of a row, but the header says x = %" PRId64,
                         count, b->x, p->width);
    if (alive) memset(p->cells + b->y * p->width + b->x, 1, (size_t)count);
    b->x += count;
    return MASS_OK;
}

/* A '$' may follow the last row: writers differ on whether it separates rows or ends them. */
static mass_status read_row_ends(body *b)
{
    int64_t count = 0;
    mass_status status = take_count(b, &count);
    if (status != MASS_OK) return status;
    if (count > b->pattern->height - b->y) return too_high(b, (uint64_t)b->y + (uint64_t)count);
    b->y += count;
    b->x = 0;
    return MASS_OK;
}

static mass_status read_end(const body *b)
{
    if (!b->has_count) return MASS_OK;
    return BAD_INPUT(b->error, b->reader.line, "a count before '!'");
}

static mass_status read_tag(body *b, uint8_t tag)
{
    if (is_digit(tag)) return read_count_digit(b, tag);
    if (tag == 'b' || tag == '.') return read_run(b, 0);
    if (tag == 'o' || tag == 'A') return read_run(b, 1);
    if (tag == '$') return read_row_ends(b);
    if (tag == '!') return read_end(b);
    if (tag >= 'B' && tag <= 'X')
        return BAD_INPUT(b->error, b->reader.line,
                         "'%c' is state %d, but a place is dead (b or .) or alive (o or A)",
                         tag, tag - 'A' + 1);
    return bad_byte(b->error, b->reader.line, tag, "b, o, $, !");
}

static mass_status read_body(body *b)
{
    reader *r = &b->reader;
    int line_start = 1;
    while (!at_end(r)) {
        uint8_t byte = *r->next;
        if (line_start && byte == '#') {
            take_line(r);
            continue;
        }
        mass_status status = is_blank(byte) || byte == '\n' ? MASS_OK : read_tag(b, byte);
        if (status != MASS_OK || byte == '!') return status;
        line_start = byte == '\n';
        r->line += line_start;
        r->next++;
    }
    return BAD_INPUT(b->error, r->line, "ends without !");
}

mass_status life_pattern_parse_rle(const uint8_t *bytes, size_t size, int64_t max_width,
                                   int64_t max_height, life_pattern *out,
                                   life_pattern_error *error)
{
    reader r = {bytes, bytes + size, 1};
    life_pattern pattern = {0};
    int64_t line = 1;
    mass_status status = read_header(&r, &pattern, &line, error);
    if (status == MASS_OK) status = check_extents(&pattern, max_width, max_height, line, error);
    if (status == MASS_OK) status = allocate_cells(&pattern, line, error);
    if (status != MASS_OK) return status;
    status = read_body(&(body){.reader = r, .pattern = &pattern, .error = error});
    if (status == MASS_OK) *out = pattern;
    else life_pattern_free(&pattern);
    return status;
}

/* ---- plain text ---- */

static int is_comment(span row)
{
    return row.next < row.end && *row.next == '!';
}

static mass_status check_row(span row, int64_t line, life_pattern_error *error)
{
    for (const uint8_t *cell = row.next; cell < row.end; cell++)
        if (*cell != '.' && *cell != 'O' && *cell != '*')
            return bad_byte(error, line, *cell, "., O, *");
    return MASS_OK;
}

/* Checks every row and finds the extents. Empty lines are dead rows, unless they end the file. */
static mass_status measure_rows(reader r, int64_t max_width, int64_t max_height,
                                life_pattern *pattern, life_pattern_error *error)
{
    int64_t rows = 0;
    while (!at_end(&r)) {
        int64_t line = r.line;
        span row = take_line(&r);
        if (is_comment(row)) continue;
        rows++;
        if (row.next == row.end) continue;
        int64_t width = row.end - row.next;
        mass_status status = check_row(row, line, error);
        if (status != MASS_OK) return status;
        if (width > max_width)
            return BAD_INPUT(error, line,
                             "a row of %" PRId64 " cells, but the space is %" PRId64 " wide", width,
                             max_width);
        if (rows > max_height)
            return BAD_INPUT(error, line, "row %" PRId64 ", but the space is %" PRId64 " high",
                             rows, max_height);
        if (width > pattern->width) pattern->width = width;
        pattern->height = rows;
    }
    return pattern->height > 0 ? MASS_OK : BAD_INPUT(error, r.line, "ends without any cells");
}

static void fill_rows(reader r, const life_pattern *pattern)
{
    uint8_t *cells = pattern->cells;
    for (int64_t y = 0; y < pattern->height;) {
        span row = take_line(&r);
        if (is_comment(row)) continue;
        for (int64_t x = 0; x < row.end - row.next; x++) cells[x] = row.next[x] != '.';
        cells += pattern->width;
        y++;
    }
}

mass_status life_pattern_parse_cells(const uint8_t *bytes, size_t size, int64_t max_width,
                                     int64_t max_height, life_pattern *out,
                                     life_pattern_error *error)
{
    reader r = {bytes, bytes + size, 1};
    life_pattern pattern = {0};
    if (size == 0) return BAD_INPUT(error, 1, "the file is empty");
    mass_status status = measure_rows(r, max_width, max_height, &pattern, error);
    if (status == MASS_OK) status = allocate_cells(&pattern, 1, error);
    if (status != MASS_OK) return status;
    fill_rows(r, &pattern);
    *out = pattern;
    return MASS_OK;
}

/* ---- either format ---- */

static int ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

life_pattern_format life_pattern_format_of(const char *path, const uint8_t *bytes, size_t size)
{
    if (ends_with(path, ".rle")) return LIFE_PATTERN_RLE;
    if (ends_with(path, ".cells")) return LIFE_PATTERN_CELLS;
    size_t first = 0;
    while (first < size && (is_blank(bytes[first]) || bytes[first] == '\n')) first++;
    return first < size && bytes[first] && strchr("!.O*", bytes[first]) ? LIFE_PATTERN_CELLS
                                                                        : LIFE_PATTERN_RLE;
}

mass_status life_pattern_parse(life_pattern_format format, const uint8_t *bytes, size_t size,
                               int64_t max_width, int64_t max_height, life_pattern *out,
                               life_pattern_error *error)
{
    if (format == LIFE_PATTERN_CELLS)
        return life_pattern_parse_cells(bytes, size, max_width, max_height, out, error);
    return life_pattern_parse_rle(bytes, size, max_width, max_height, out, error);
}

mass_status life_pattern_rule(const uint8_t *bytes, size_t size, life_pattern_format format,
                              int *has_rule, life_rule *rule, life_pattern_error *error)
{
    reader r = {bytes, bytes + size, 1};
    life_pattern pattern = {0};
    int64_t line;
    mass_status status =
        format == LIFE_PATTERN_CELLS ? MASS_OK : read_header(&r, &pattern, &line, error);
    if (status != MASS_OK) return status;
    *has_rule = pattern.has_rule;
    if (pattern.has_rule) *rule = pattern.rule;
    return MASS_OK;
}

/* ---- files ---- */

static mass_status read_error(char *message, size_t message_size, int cause)
{
    snprintf(message, message_size, "cannot be read: %s", strerror(cause));
    return MASS_BAD_INPUT;
}

static mass_status check_file(int file, off_t *size, char *message, size_t message_size)
{
    struct stat about;
    if (fstat(file, &about) != 0) return read_error(message, message_size, errno);
    *size = about.st_size;
    const char *wrong = S_ISDIR(about.st_mode)    ? "is a folder, not a file"
                        : !S_ISREG(about.st_mode) ? "is not a regular file"
                        : *size > FILE_MAX        ? "is larger than 1 GiB"
                                                  : NULL;
    if (!wrong) return MASS_OK;
    snprintf(message, message_size, "%s", wrong);
    return MASS_BAD_INPUT;
}

/* Reads up to size bytes, fewer if the file shrinks meanwhile; returns 0 or why not. */
static int read_bytes(int file, uint8_t *bytes, size_t size, size_t *taken)
{
    for (*taken = 0; *taken < size;) {
        ssize_t more = read(file, bytes + *taken, size - *taken);
        if (more == 0) break;
        if (more > 0) *taken += (size_t)more;
        else if (errno != EINTR) return errno;
    }
    return 0;
}

static mass_status read_open_file(int file, uint8_t **bytes, size_t *size, char *message,
                                  size_t message_size)
{
    off_t expected = 0;
    mass_status status = check_file(file, &expected, message, message_size);
    if (status != MASS_OK) return status;
    uint8_t *read_in = (uint8_t *)malloc(expected > 0 ? (size_t)expected : 1);
    if (!read_in) {
        snprintf(message, message_size, "does not fit in memory");
        return MASS_NO_DEVICE;
    }
    size_t taken;
    int cause = read_bytes(file, read_in, (size_t)expected, &taken);
    if (cause != 0) {
        free(read_in);
        return read_error(message, message_size, cause);
    }
    *bytes = read_in;
    *size = taken;
    return MASS_OK;
}

mass_status life_pattern_read_file(const char *path, uint8_t **bytes, size_t *size, char *message,
                                   size_t message_size)
{
    /* O_NONBLOCK: a named pipe must be refused, not waited for. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return read_error(message, message_size, errno);
    mass_status status = read_open_file(file, bytes, size, message, message_size);
    close(file);
    return status;
}
