/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the format of a pattern, and implements the functions for all formats. */
#include "pattern.h"
#include "pattern_lines.h"

#include <string.h>
#include <strings.h>

/* Returns 1 if a path has this ending, in capital or small letters. */
static int ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

/* Skips blanks and line ends. */
static void skip_white(reader *r)
{
    while (!at_end(r) && (is_blank(*r->next) || *r->next == '\n' || *r->next == '\r')) r->next++;
}

life_pattern_format life_pattern_format_of(const char *path, const uint8_t *bytes, size_t size)
{
    if (ends_with(path, ".rle")) return LIFE_PATTERN_RLE;
    if (ends_with(path, ".cells")) return LIFE_PATTERN_CELLS;
    reader r = life_lines_begin(bytes, size);
    skip_white(&r);
    return !at_end(&r) && *r.next && strchr("!.O*", *r.next) ? LIFE_PATTERN_CELLS : LIFE_PATTERN_RLE;
}

/* Returns 1 if the first line without # is the header of an RLE. Before it, #P may give a position. */
static int has_rle_header(reader r)
{
    for (; !at_end(&r); life_lines_take(&r)) {
        skip_white(&r);
        if (!at_end(&r) && *r.next != '#') return *r.next == 'x' || *r.next == 'X';
    }
    return 0;
}

/* Refuses a pattern that begins like an unsupported format, and names the format. */
static mass_status refuse_others(const uint8_t *bytes, size_t size, life_pattern_error *error)
{
    static const struct {
        const char *start, *name, *advice;
    } others[] = {{"[M", "a macrocell file", "save it as RLE"},
                  {"#Life 1.05", "a Life 1.05 file", "save it as RLE"},
                  {"#Life 1.06", "a Life 1.06 file", "save it as RLE"},
                  {"#Life", "a file of Life 1.05 or 1.06", "save it as RLE"},
                  {"#P ", "a file of Life 1.05 without its first line", "save it as RLE"},
                  {"#MCell", "an MCell file", "save it as RLE"},
                  {"\x1f\x8b", "compressed by gzip", "unpack it with gunzip"},
                  {"\xff\xfe", "text in UTF-16", "save it in UTF-8"},
                  {"\xfe\xff", "text in UTF-16", "save it in UTF-8"}};
    reader r = life_lines_begin(bytes, size);
    skip_white(&r);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const size_t length = strlen(others[i].start);
        if ((size_t)(r.end - r.next) < length || memcmp(r.next, others[i].start, length) != 0) continue;
        if (others[i].start[1] == 'P' && has_rle_header(r)) continue;
        return BAD_INPUT(error, 1, "this is %s, which is not read here: %s", others[i].name, others[i].advice);
    }
    return MASS_OK;
}

mass_status life_pattern_parse(life_pattern_format format, const uint8_t *bytes, size_t size, int64_t max_width,
                               int64_t max_height, life_pattern *out, life_pattern_error *error)
{
    const mass_status status = refuse_others(bytes, size, error);
    if (status != MASS_OK) return status;
    return (format == LIFE_PATTERN_CELLS ? life_pattern_parse_cells : life_pattern_parse_rle)(
        bytes, size, max_width, max_height, out, error);
}

mass_status life_pattern_facts(const uint8_t *bytes, size_t size, life_pattern_format format, life_pattern *out,
                               life_pattern_error *error)
{
    life_pattern pattern = {0};
    mass_status status = refuse_others(bytes, size, error);
    if (status == MASS_OK && format != LIFE_PATTERN_CELLS) status = life_rle_facts(bytes, size, &pattern, error);
    if (status == MASS_OK) *out = pattern;
    return status;
}

mass_status life_pattern_rule(const uint8_t *bytes, size_t size, life_pattern_format format, int *has_rule,
                              life_rule *rule, life_pattern_error *error)
{
    life_pattern pattern;
    const mass_status status = life_pattern_facts(bytes, size, format, &pattern, error);
    if (status != MASS_OK) return status;
    *has_rule = pattern.has_rule;
    if (pattern.has_rule) *rule = pattern.rule;
    return MASS_OK;
}
