/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a pattern's text, and errors of parsers, for the readers of all formats. Lines end in LF, CRLF or CR. */
#ifndef LIFE_PATTERN_LINES_H
#define LIFE_PATTERN_LINES_H

#include "pattern.h"

#include <inttypes.h>
#include <stddef.h>

typedef struct reader {
    const uint8_t *next, *end;
    int64_t line; /* the first is 1 */
} reader;

/* A part of one line, without a newline. */
typedef struct span {
    const uint8_t *next, *end;
} span;

/* Begins a text, after its byte order mark. */
reader life_lines_begin(const uint8_t *bytes, size_t size);

/* Reads the rest of a line and its newline. Returns the line without the newline. */
span life_lines_take(reader *r);

/* Reads a newline; CRLF is one. Returns 0 if none is next. */
int life_lines_take_newline(reader *r);

/* Returns the span without the blanks before and after it. */
span life_span_trim(span s);

static inline int is_blank(uint8_t byte) { return byte == ' ' || byte == '\t'; }
static inline int is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }
static inline int at_end(const reader *r) { return r->next == r->end; }

/* Sets the error, with the line, and returns status. */
__attribute__((format(printf, 4, 5))) mass_status
life_pattern_fail(life_pattern_error *error, mass_status status, int64_t line, const char *format, ...);

#define BAD_INPUT(ERROR, LINE, ...) life_pattern_fail((ERROR), MASS_BAD_INPUT, (LINE), __VA_ARGS__)

mass_status life_pattern_bad_byte(life_pattern_error *error, int64_t line, uint8_t byte, const char *expected);

/* Allocates the cells of a pattern whose extents are set, all dead; none for an empty pattern. */
mass_status life_pattern_allocate(life_pattern *pattern, int64_t line, life_pattern_error *error);

/* Reads the rule and the position of an RLE: from its header, and from all lines that begin with #. */
mass_status life_rle_facts(const uint8_t *bytes, size_t size, life_pattern *pattern, life_pattern_error *error);

#endif
