/* SPDX-License-Identifier: Apache-2.0 */
#include "pattern_lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mass_status life_pattern_fail(life_pattern_error *error, mass_status status, int64_t line, const char *format, ...)
{
    error->line = line;
    const int start = snprintf(error->text, sizeof error->text, "line %" PRId64 ": ", line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text + start, sizeof error->text - (size_t)start, format, arguments);
    va_end(arguments);
    return status;
}

/* Reports a byte that is not one of the expected ones, and returns the failure. */
mass_status life_pattern_bad_byte(life_pattern_error *error, int64_t line, uint8_t byte, const char *expected)
{
    if (byte < 0x20 || byte >= 0x7f)
        return BAD_INPUT(error, line, "'\\x%02x' is not one of %s", byte, expected);
    return BAD_INPUT(error, line, "'%c' is not one of %s", byte, expected);
}

reader life_lines_begin(const uint8_t *bytes, size_t size)
{
    const int marked = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0;
    return (reader){bytes + (marked ? 3 : 0), bytes + size, 1};
}

int life_lines_take_newline(reader *r)
{
    if (at_end(r) || (*r->next != '\n' && *r->next != '\r')) return 0;
    const int pair = *r->next == '\r' && r->end - r->next > 1 && r->next[1] == '\n';
    r->next += pair ? 2 : 1;
    r->line++;
    return 1;
}

span life_lines_take(reader *r)
{
    const uint8_t *start = r->next;
    while (!at_end(r) && *r->next != '\n' && *r->next != '\r') r->next++;
    const uint8_t *end = r->next;
    life_lines_take_newline(r);
    return (span){start, end};
}

span life_span_trim(span s)
{
    while (s.next < s.end && is_blank(*s.next)) s.next++;
    while (s.next < s.end && is_blank(s.end[-1])) s.end--;
    return s;
}

mass_status life_pattern_allocate(life_pattern *pattern, int64_t line, life_pattern_error *error)
{
    int64_t size;
    const int fits = !__builtin_mul_overflow(pattern->width, pattern->height, &size) && size <= PTRDIFF_MAX;
    pattern->cells = fits ? (uint8_t *)calloc(size > 0 ? (size_t)size : 1, 1) : NULL;
    if (pattern->cells) return MASS_OK;
    return life_pattern_fail(error, MASS_NO_DEVICE, line,
                             "a pattern of %" PRId64 " x %" PRId64 " cells does not fit in memory", pattern->width,
                             pattern->height);
}

void life_pattern_free(life_pattern *pattern)
{
    free(pattern->cells);
    pattern->cells = NULL;
}
