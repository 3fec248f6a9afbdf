/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a pattern's text, and how a parser fails: what the readers of all formats share. Lines end in LF, CRLF or
 * CR. */
#ifndef LIFE_PATTERN_LINES_H
#define LIFE_PATTERN_LINES_H

#include "pattern.h"

#include <inttypes.h>
#include <stddef.h>

typedef struct reader {
    const uint8_t *next, *end;
    int64_t line; /* the first is 1 */
} reader;

/* Part of one line: no newline in it. */
typedef struct span {
    const uint8_t *next, *end;
} span;

/* Begins a text, behind its byte order mark. */
reader life_lines_begin(const uint8_t *bytes, size_t size);

/* Takes the rest of a line, with its newline, which is not in what it returns. */
span life_lines_take(reader *r);

/* Takes a newline, as which CRLF is one. Returns 0 if none is next. */
int life_lines_take_newline(reader *r);

/* The span without the blanks before and after it. */
span life_span_trim(span s);

static inline int is_blank(uint8_t byte) { return byte == ' ' || byte == '\t'; }
static inline int is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }
static inline int at_end(const reader *r) { return r->next == r->end; }

/* Says what is wrong, with the line, and returns status. */
__attribute__((format(printf, 4, 5))) mass_status
life_pattern_fail(life_pattern_error *error, mass_status status, int64_t line, const char *format, ...);

#define BAD_INPUT(ERROR, LINE, ...) life_pattern_fail((ERROR), MASS_BAD_INPUT, (LINE), __VA_ARGS__)

mass_status life_pattern_bad_byte(life_pattern_error *error, int64_t line, uint8_t byte, const char *expected);

/* Gives a pattern of known extents its cells, all dead; none to an empty one. */
mass_status life_pattern_allocate(life_pattern *pattern, int64_t line, life_pattern_error *error);

/* The rule and the position that an RLE says, in its header and in lines that begin with #, up to its end. */
mass_status life_rle_facts(const uint8_t *bytes, size_t size, life_pattern *pattern, life_pattern_error *error);

#endif
