/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns of Life and similar rules in their exchange formats: run length encoded (.rle) and plain text (.cells). The
 * parsers are pure functions over bytes. */
#ifndef LIFE_PATTERN_H
#define LIFE_PATTERN_H

#include "rule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum life_pattern_format {
    LIFE_PATTERN_RLE = 1,
    LIFE_PATTERN_CELLS = 2
} life_pattern_format;

typedef struct life_pattern {
    int64_t width, height; /* in places; 0 for an empty pattern */
    int has_rule;
    life_rule rule; /* if has_rule */
    life_grid grid; /* the rule's grid */
    uint8_t *cells; /* [height][width], row-major, 0 or 1; owned: life_pattern_free */
    int has_position;
    int64_t x, y;   /* if has_position: the top left cell; the middle of the grid is 0, 0 */
} life_pattern;

typedef struct life_pattern_error {
    int64_t line;   /* the first is 1 */
    char text[240]; /* one line, such as "line 3: 'x' is not one of b, o, $, !" */
} life_pattern_error;

/* Returns the format: by the name's ending, .rle or .cells in either case, else by the first character that is not
 * white space. */
life_pattern_format life_pattern_format_of(const char *path, const uint8_t *bytes, size_t size);

/* Reads a pattern that must fit a space of max_width x max_height places. It allocates width * height bytes, only for a
 * pattern that fits. The extents of an RLE are those of its header, or those of its runs if the header has 0. Lines end
 * in LF, CRLF or CR. It refuses another format by its name. Returns MASS_OK, or MASS_BAD_INPUT, or MASS_NO_DEVICE if
 * there is no memory. On failure *error has the line and a text, and *out is untouched. */
mass_status life_pattern_parse(life_pattern_format format, const uint8_t *bytes, size_t size,
                               int64_t max_width, int64_t max_height, life_pattern *out,
                               life_pattern_error *error);
mass_status life_pattern_parse_rle(const uint8_t *bytes, size_t size, int64_t max_width,
                                   int64_t max_height, life_pattern *out,
                                   life_pattern_error *error);
mass_status life_pattern_parse_cells(const uint8_t *bytes, size_t size, int64_t max_width,
                                     int64_t max_height, life_pattern *out,
                                     life_pattern_error *error);

/* Reads the rule, grid and position of a pattern without its cells. A .cells file has none of them. Fails as
 * life_pattern_parse does. */
mass_status life_pattern_facts(const uint8_t *bytes, size_t size, life_pattern_format format, life_pattern *out,
                               life_pattern_error *error);

/* Reads the rule only. On success *has_rule is 0 or 1, and *rule is set if it is 1. Fails as life_pattern_parse
 * does. */
mass_status life_pattern_rule(const uint8_t *bytes, size_t size, life_pattern_format format,
                              int *has_rule, life_rule *rule, life_pattern_error *error);

/* Frees the cells. A pattern of zero bytes has none. */
void life_pattern_free(life_pattern *pattern);

/* Reads a whole file of at most 1 GiB. The caller frees *bytes. Returns MASS_OK, or MASS_BAD_INPUT, or MASS_NO_DEVICE
 * if there is no memory. On failure, message has one line that does not name the file, and *bytes and *size are
 * untouched. */
mass_status life_pattern_read_file(const char *path, uint8_t **bytes, size_t *size, char *message,
                                   size_t message_size);

#ifdef __cplusplus
}
#endif
#endif
