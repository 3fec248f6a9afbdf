/* SPDX-License-Identifier: Apache-2.0 */
/* Run length encoded patterns: a header, and runs of cells. Lines that begin with # may have the rule and the
 * position. */
#include "pattern_lines.h"

#include <string.h>
#include <strings.h>

/* Appends a digit to number. Returns 0 if the result is beyond int64_t. */
static int append_digit(int64_t *number, uint8_t digit)
{
    return !__builtin_mul_overflow(*number, 10, number) && !__builtin_add_overflow(*number, digit - '0', number);
}

/* ---- lines that begin with # ---- */

static int is_hash_line(span s) { return s.next < s.end && *s.next == '#'; }

/* Reads a rule, and a grid if it has one, into the pattern. Fails if it is no rule. */
static mass_status read_rule(span s, int64_t line, life_pattern *pattern, life_pattern_error *error)
{
    char message[200];
    s = life_span_trim(s);
    const mass_status status = life_rule_parse_grid((const char *)s.next, (size_t)(s.end - s.next), &pattern->rule,
                                                    &pattern->grid, message, sizeof message);
    if (status != MASS_OK) return BAD_INPUT(error, line, "%s", message);
    pattern->has_rule = 1;
    return MASS_OK;
}

/* Takes an integer, which may have a sign. Returns 0 if there is none or it is too large, else 1. */
static int take_coordinate(span *s, int64_t *number)
{
    const int minus = s->next < s->end && *s->next == '-';
    s->next += minus || (s->next < s->end && *s->next == '+');
    if (s->next == s->end || !is_digit(*s->next)) return 0;
    for (*number = 0; s->next < s->end && is_digit(*s->next); s->next++)
        if (!append_digit(number, *s->next)) return 0;
    if (minus) *number = -*number;
    return 1;
}

/* #CXRLE Pos=-36,-24: the position of the top left cell; the middle of a grid is 0,0. The rest of the line is a
 * comment. */
static void read_position(span s, life_pattern *pattern)
{
    int64_t x, y;
    for (; s.end - s.next >= 4; s.next++) {
        if (memcmp(s.next, "Pos=", 4) != 0) continue;
        s.next += 4;
        if (!take_coordinate(&s, &x) || s.next == s.end || *s.next++ != ',' || !take_coordinate(&s, &y)) return;
        pattern->has_position = 1;
        pattern->x = x;
        pattern->y = y;
        return;
    }
}

/* #r 23/36 is a rule, before or after the header. The last rule of a file counts. Words may follow it. */
static mass_status read_hash_line(span s, int64_t line, life_pattern *pattern, life_pattern_error *error)
{
    if (s.end - s.next > 2 && s.next[1] == 'r' && (is_blank(s.next[2]) || is_digit(s.next[2]))) {
        span word = life_span_trim((span){s.next + 2, s.end});
        s.next = word.next;
        for (word.end = word.next; word.end < s.end && !is_blank(*word.end);) word.end++;
        return read_rule(word, line, pattern, error);
    }
    if (s.end - s.next > 6 && memcmp(s.next, "#CXRLE", 6) == 0) read_position(s, pattern);
    return MASS_OK;
}

/* ---- the header ---- */

/* Skips spaces and tabs. */
static void skip_blanks(span *s)
{
    while (s->next < s->end && is_blank(*s->next)) s->next++;
}

/* Skips blanks, then takes a word in capital or small letters. Returns 0, and takes no word, if another text
 * follows. */
static int accept(span *s, const char *word)
{
    const size_t length = strlen(word);
    skip_blanks(s);
    if ((size_t)(s->end - s->next) < length || strncasecmp((const char *)s->next, word, length) != 0) return 0;
    s->next += length;
    return 1;
}

/* Skips blanks, then takes a number without a sign. Returns 0 if there is none or it is too large, else 1. */
static int accept_number(span *s, int64_t *number)
{
    skip_blanks(s);
    if (s->next == s->end || !is_digit(*s->next)) return 0;
    for (*number = 0; s->next < s->end && is_digit(*s->next); s->next++)
        if (!append_digit(number, *s->next)) return 0;
    return 1;
}

/* Takes "x = WIDTH, y = HEIGHT". Returns 0 if another text follows, else 1. */
static int accept_extents(span *s, int64_t *width, int64_t *height)
{
    return accept(s, "x") && accept(s, "=") && accept_number(s, width) && accept(s, ",") &&
           accept(s, "y") && accept(s, "=") && accept_number(s, height);
}

/* The header may end in a comma, with a rule or without one. */
static mass_status read_header_line(span s, int64_t line, life_pattern *pattern, life_pattern_error *error)
{
    int good = accept_extents(&s, &pattern->width, &pattern->height);
    const int comma = good && accept(&s, ",");
    skip_blanks(&s);
    const int has_rule = s.next < s.end;
    if (has_rule) good = comma && accept(&s, "rule") && accept(&s, "=");
    if (!good)
        return BAD_INPUT(error, line, "not a header, which is written x = 36, y = 9, rule = B3/S23");
    return has_rule ? read_rule(s, line, pattern, error) : MASS_OK;
}

/* Reads the lines up to and including the header: extents and rule, no cells. *line is the header's. */
static mass_status read_header(reader *r, life_pattern *pattern, int64_t *line, life_pattern_error *error)
{
    if (at_end(r)) return BAD_INPUT(error, r->line, "the file is empty");
    while (!at_end(r)) {
        *line = r->line;
        const span s = life_span_trim(life_lines_take(r));
        if (!is_hash_line(s) && s.next < s.end) return read_header_line(s, *line, pattern, error);
        const mass_status status = read_hash_line(s, *line, pattern, error);
        if (status != MASS_OK) return status;
    }
    return BAD_INPUT(error, r->line, "ends without a header such as x = 36, y = 9, rule = B3/S23");
}

static int ends_pattern(span s) { return s.next < s.end && memchr(s.next, '!', (size_t)(s.end - s.next)) != NULL; }

mass_status life_rle_facts(const uint8_t *bytes, size_t size, life_pattern *pattern, life_pattern_error *error)
{
    reader r = life_lines_begin(bytes, size);
    int64_t line;
    mass_status status = read_header(&r, pattern, &line, error);
    while (status == MASS_OK && !at_end(&r)) {
        line = r.line;
        const span s = life_span_trim(life_lines_take(&r));
        if (is_hash_line(s)) status = read_hash_line(s, line, pattern, error);
        else if (ends_pattern(s)) break;
    }
    return status;
}

/* Fails if the pattern is larger than the space. */
static mass_status check_extents(const life_pattern *pattern, int64_t max_width, int64_t max_height, int64_t line,
                                 life_pattern_error *error)
{
    if (pattern->width <= max_width && pattern->height <= max_height) return MASS_OK;
    return BAD_INPUT(error, line,
                     "the pattern is %" PRId64 " x %" PRId64 ", but the space only %" PRId64 " x %" PRId64,
                     pattern->width, pattern->height, max_width, max_height);
}

/* ---- the body ---- */

typedef struct body {
    reader reader;
    life_pattern *pattern;
    life_pattern_error *error;
    const char *width_says, *height_says; /* the source of its greatest width and height, for messages */
    int64_t x, y;       /* start of the next run */
    int64_t wide, high; /* extents of the runs so far */
    int64_t count;      /* of the next tag, if it has one */
    int has_count;
} body;

/* Appends a digit to the count before a tag. Fails if the count is too large. */
static mass_status read_count_digit(body *b, uint8_t digit)
{
    if (!append_digit(&b->count, digit))
        return BAD_INPUT(b->error, b->reader.line, "a count is larger than %" PRId64, INT64_MAX);
    b->has_count = 1;
    return MASS_OK;
}

/* Returns the count before a tag, 1 if there is none. */
static mass_status take_count(body *b, int64_t *count)
{
    if (b->has_count && b->count == 0)
        return BAD_INPUT(b->error, b->reader.line, "a count is 0");
    *count = b->has_count ? b->count : 1;
    b->count = b->has_count = 0;
    return MASS_OK;
}

/* The row is unsigned, because the sum of a row and a count may be beyond int64_t. */
static mass_status too_high(const body *b, uint64_t rows)
{
    return BAD_INPUT(b->error, b->reader.line, "%" PRIu64 " rows, but %s = %" PRId64, rows, b->height_says,
                     b->pattern->height);
}

/* Takes a run of dead or living cells in the present row, as many as the count before it says. Writes living cells, if
 * the pattern has memory for cells yet. Fails if the run is outside the header's extents. */
static mass_status read_run(body *b, int alive)
{
    const life_pattern *p = b->pattern;
    int64_t count = 0;
    const mass_status status = take_count(b, &count);
    if (status != MASS_OK) return status;
    if (b->y == p->height) return too_high(b, (uint64_t)b->y + 1);
    if (count > p->width - b->x)
        return BAD_INPUT(b->error, b->reader.line,
                         "a run of %" PRId64 " after %" PRId64 " cells of a row, but %s = %" PRId64, count, b->x,
                         b->width_says, p->width);
    if (alive && p->cells) memset(p->cells + b->y * p->width + b->x, 1, (size_t)count);
    b->x += count;
    if (b->x > b->wide) b->wide = b->x;
    if (b->y >= b->high) b->high = b->y + 1;
    return MASS_OK;
}

/* A '$' may follow the last row: some programs separate rows with it, others end them. */
static mass_status read_row_ends(body *b)
{
    int64_t count = 0;
    const mass_status status = take_count(b, &count);
    if (status != MASS_OK) return status;
    if (count > b->pattern->height - b->y) return too_high(b, (uint64_t)b->y + (uint64_t)count);
    b->y += count;
    b->x = 0;
    if (b->y > b->high) b->high = b->y;
    return MASS_OK;
}

/* Fails if there is a count before the end sign. */
static mass_status read_end(const body *b)
{
    if (!b->has_count) return MASS_OK;
    return BAD_INPUT(b->error, b->reader.line, "a count before '!'");
}

/* Reports a cell in a state other than dead and alive, and returns the failure. */
static mass_status other_state(const body *b, int state)
{
    return BAD_INPUT(b->error, b->reader.line, "'%c' is state %d, but a place is dead (b or .) or alive (o or A)",
                     *b->reader.next, state);
}

static int is_state_letter(uint8_t byte) { return byte >= 'A' && byte <= 'X'; }

/* x, y and z are marked living cells. Before a capital letter they are a prefix of one of many states, as p to w
 * are. */
static mass_status read_marked(body *b, uint8_t tag)
{
    const uint8_t *next = b->reader.next + 1;
    if (tag != 'z' && next < b->reader.end && is_state_letter(*next))
        return other_state(b, 24 * (tag - 'p' + 1) + *next - 'A' + 1);
    return read_run(b, 1);
}

/* Takes one byte of the body that is no blank: a digit, a run's tag, a row's end, or the end sign. */
static mass_status read_tag(body *b, uint8_t tag)
{
    if (is_digit(tag)) return read_count_digit(b, tag);
    if (tag == 'b' || tag == '.') return read_run(b, 0);
    if (tag == 'o' || tag == 'A') return read_run(b, 1);
    if (tag == '$') return read_row_ends(b);
    if (tag == '!') return read_end(b);
    if (tag >= 'x' && tag <= 'z') return read_marked(b, tag);
    if (is_state_letter(tag)) return other_state(b, tag - 'A' + 1);
    return life_pattern_bad_byte(b->error, b->reader.line, tag, "b, o, $, !");
}

/* Skips blanks at the start of a line, and the whole line if it begins with #. */
static void skip_line_start(reader *r)
{
    while (!at_end(r) && is_blank(*r->next)) r->next++;
    if (!at_end(r) && *r->next == '#') life_lines_take(r);
}

/* Reads the cells up to the end sign. Fails if there is none. */
static mass_status read_body(body *b)
{
    reader *r = &b->reader;
    const int64_t first = r->line;
    for (int64_t line = first - 1; !at_end(r);) {
        if (line != r->line) {
            line = r->line;
            skip_line_start(r);
        } else if (!life_lines_take_newline(r)) {
            const uint8_t byte = *r->next;
            const mass_status status = is_blank(byte) ? MASS_OK : read_tag(b, byte);
            if (status != MASS_OK || byte == '!') return status;
            r->next++;
        }
    }
    return BAD_INPUT(b->error, r->line, "ends without !");
}

/* An extent of 0 is unknown: the runs determine it, and must fit the space. */
static mass_status measure_body(reader text, int64_t max_width, int64_t max_height, life_pattern *pattern,
                                life_pattern_error *error)
{
    life_pattern most = {.width = pattern->width, .height = pattern->height};
    if (!pattern->width) most.width = max_width;
    if (!pattern->height) most.height = max_height;
    body b = {.reader = text, .pattern = &most, .error = error};
    b.width_says = pattern->width ? "the header says x" : "the space has a width of x";
    b.height_says = pattern->height ? "the header says y" : "the space has a height of y";
    const mass_status status = read_body(&b);
    if (!pattern->width) pattern->width = b.wide;
    if (!pattern->height) pattern->height = b.high;
    return status;
}

mass_status life_pattern_parse_rle(const uint8_t *bytes, size_t size, int64_t max_width, int64_t max_height,
                                   life_pattern *out, life_pattern_error *error)
{
    reader r = life_lines_begin(bytes, size);
    life_pattern pattern = {0};
    int64_t line = 1;
    mass_status status = life_rle_facts(bytes, size, &pattern, error);
    life_pattern header = {0};
    if (status == MASS_OK) status = read_header(&r, &header, &line, error);
    if (status == MASS_OK) status = check_extents(&pattern, max_width, max_height, line, error);
    if (status == MASS_OK && (!pattern.width || !pattern.height))
        status = measure_body(r, max_width, max_height, &pattern, error);
    if (status == MASS_OK) status = life_pattern_allocate(&pattern, line, error);
    if (status != MASS_OK) return status;
    body b = {.reader = r, .pattern = &pattern, .error = error};
    b.width_says = "the header says x";
    b.height_says = "the header says y";
    status = read_body(&b);
    if (status == MASS_OK) *out = pattern;
    else life_pattern_free(&pattern);
    return status;
}
