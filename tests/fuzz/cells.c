/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a .cells file: refused in one line, or exactly the pattern that its rows show. */
#include "harness.h"
#include "pattern.h"
#include "pattern_refusal.h"

#include <string.h>

enum { SPACE_WIDTH = 120, SPACE_HEIGHT = 60 };

/* A second reader, by characters instead of lines: what the file shows, or that it is malformed. */
typedef struct picture {
    uint8_t cells[SPACE_HEIGHT][SPACE_WIDTH];
    int64_t width, height;
    int malformed;
    int64_t x, y, before, blanks, indented; /* of the line: blanks before it and since; of lines with cells, or -1 */
    int comment;
} picture;

static void show(picture *p, uint8_t byte)
{
    if (p->x == 0 && byte == '!') p->comment = 1;
    if (p->comment) return;
    if ((byte != '.' && byte != 'O' && byte != '*') || p->x >= SPACE_WIDTH || p->y >= SPACE_HEIGHT || p->blanks ||
        (p->indented >= 0 && p->indented != p->before)) {
        p->malformed = 1;
        return;
    }
    p->indented = p->before;
    p->cells[p->y][p->x++] = byte != '.';
    if (p->x > p->width) p->width = p->x;
    p->height = p->y + 1;
}

static void end_line(picture *p)
{
    p->y += !p->comment;
    p->x = p->comment = 0;
    p->before = p->blanks = 0;
}

static picture look(const uint8_t *bytes, size_t size)
{
    picture p = {.indented = -1};
    size_t i = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    for (; i < size; i++) {
        if (bytes[i] == '\r' && i + 1 < size && bytes[i + 1] == '\n') continue;
        if (bytes[i] == '\n' || bytes[i] == '\r') end_line(&p);
        else if (bytes[i] != ' ' && bytes[i] != '\t') show(&p, bytes[i]);
        else if (p.x == 0) p.before++;
        else p.blanks++;
    }
    p.malformed |= p.height == 0;
    return p;
}

static void check_cells(const life_pattern *pattern, const picture *shown)
{
    ALWAYS(pattern->width == shown->width && pattern->height == shown->height);
    ALWAYS(!pattern->has_rule);
    for (int64_t y = 0; y < pattern->height; y++)
        ALWAYS(memcmp(pattern->cells + y * pattern->width, shown->cells[y],
                      (size_t)pattern->width) == 0);
}

/* Run by run, so that the RLE reader's counts are checked against the same cells. */
static void check_written_rle(const life_pattern *p)
{
    size_t room = (size_t)(8 * p->width * p->height + 8 * p->height + 100);
    char *text = (char *)malloc(room), *end = text;
    end += sprintf(end, "x = %lld, y = %lld\n", (long long)p->width, (long long)p->height);
    for (int64_t y = 0; y < p->height; y++) {
        const uint8_t *row = p->cells + y * p->width;
        for (int64_t x = 0, next; x < p->width; x = next) {
            for (next = x; next < p->width && row[next] == row[x]; next++) {}
            end += sprintf(end, "%lld%c", (long long)(next - x), row[x] ? 'o' : 'b');
        }
        *end++ = y + 1 < p->height ? '$' : '!';
    }
    life_pattern again;
    life_pattern_error error;
    ALWAYS(life_pattern_parse_rle((const uint8_t *)text, (size_t)(end - text), p->width, p->height,
                                  &again, &error) == MASS_OK);
    ALWAYS(again.width == p->width && again.height == p->height);
    ALWAYS(memcmp(again.cells, p->cells, (size_t)(p->width * p->height)) == 0);
    life_pattern_free(&again);
    free(text);
}

static void check_tight_space(const uint8_t *bytes, size_t size, const life_pattern *p)
{
    life_pattern exact;
    life_pattern_error error;
    ALWAYS(life_pattern_parse_cells(bytes, size, p->width, p->height, &exact, &error) == MASS_OK);
    life_pattern_free(&exact);
    mass_status narrow =
        life_pattern_parse_cells(bytes, size, p->width - 1, p->height, &exact, &error);
    check_refusal(bytes, size, narrow, &error);
    mass_status low =
        life_pattern_parse_cells(bytes, size, p->width, p->height - 1, &exact, &error);
    check_refusal(bytes, size, low, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    life_pattern pattern, before;
    life_pattern_error error;
    memset(&pattern, 0x5a, sizeof pattern);
    memcpy(&before, &pattern, sizeof before);
    mass_status status =
        life_pattern_parse_cells(bytes, size, SPACE_WIDTH, SPACE_HEIGHT, &pattern, &error);
    picture shown = look(bytes, size);
    ALWAYS((status != MASS_OK) == shown.malformed);
    if (status != MASS_OK) {
        check_refusal(bytes, size, status, &error);
        ALWAYS(memcmp(&pattern, &before, sizeof pattern) == 0);
        return 0;
    }
    check_cells(&pattern, &shown);
    check_tight_space(bytes, size, &pattern);
    check_written_rle(&pattern);
    life_pattern_free(&pattern);
    return 0;
}
