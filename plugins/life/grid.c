/* SPDX-License-Identifier: Apache-2.0 */
#include "grid.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The largest width or height of a bounded grid, as in Golly. */
#define GRID_MAX 2000000000

typedef struct reader {
    const char *next, *end;
} reader;

static int peek(const reader *r) { return r->next < r->end ? (unsigned char)*r->next : -1; }
static int is_digit(const reader *r) { return peek(r) >= '0' && peek(r) <= '9'; }

/* Takes the next character if it is c. Returns 1 if so, else 0. */
static int accept(reader *r, char c)
{
    if (peek(r) != c) return 0;
    r->next++;
    return 1;
}

/* Reads digits of any number but 0. Returns 0 if the number is beyond GRID_MAX. */
static int take_number(reader *r, int64_t *number)
{
    for (*number = 0; is_digit(r); r->next++) {
        *number = *number * 10 + (peek(r) - '0');
        if (*number > GRID_MAX) return 0;
    }
    return 1;
}

/* Reads an extent, with the twist or the shift of the edges along it. Returns NULL, or the text that is expected where
 * it stopped. */
static const char *take_extent(reader *r, life_grid *grid, int64_t *extent)
{
    if (!is_digit(r)) return "an extent of the grid";
    if (!take_number(r, extent)) return "an extent of at most 2000000000";
    if (grid->surface == 'K') accept(r, '*');
    if (grid->surface != 'T' && grid->surface != 'K') return NULL;
    if (!accept(r, '+') && !accept(r, '-')) return NULL;
    int64_t shift;
    if (!is_digit(r) || !take_number(r, &shift)) return "the shift of an edge";
    grid->shifted |= *extent > 0 && shift % *extent != 0;
    return NULL;
}

/* Takes the letter of the surface. Returns NULL, or what is missing, for a message. */
static const char *take_surface(reader *r, life_grid *grid)
{
    static const char surfaces[] = "TPKCS";
    const int c = peek(r);
    const char *found = c > 0 ? strchr(surfaces, c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c) : NULL;
    if (!found) return "T, P, K, C or S, such as T72,48 for a torus,";
    grid->surface = *found;
    r->next++;
    return NULL;
}

/* Takes the width and height, up to the end of the text. Without a height the grid is a square. Returns NULL, or what
 * is missing, for a message. */
static const char *take_extents(reader *r, life_grid *grid)
{
    const char *missing = take_extent(r, grid, &grid->width);
    if (missing) return missing;
    grid->height = grid->width;
    if (r->next < r->end) {
        if (!accept(r, ',')) return "',' and the height of the grid";
        missing = take_extent(r, grid, &grid->height);
    }
    if (missing) return missing;
    return r->next < r->end ? "the end" : NULL;
}

const char *life_grid_parse(const char *text, const char *text_end, const char **end, life_grid *out)
{
    reader r = {text, text_end};
    life_grid grid = {0};
    const char *missing = take_surface(&r, &grid);
    if (!missing) missing = take_extents(&r, &grid);
    *end = r.next;
    if (missing) return missing;
    const int unbounded = !grid.width && !grid.height && (grid.surface == 'T' || grid.surface == 'P');
    snprintf(grid.text, sizeof grid.text, ":%.*s", (int)(text_end - text > 42 ? 42 : text_end - text), text);
    *out = unbounded ? (life_grid){0} : grid;
    return NULL;
}

int life_grid_runs(const life_grid *grid)
{
    return (grid->surface == 'T' || grid->surface == 'P') && !grid->shifted && grid->width && grid->height;
}

void life_grid_describe(const life_grid *grid, char *out, size_t size)
{
    const char *name = grid->surface == 'T'   ? "torus"
                       : grid->surface == 'P' ? "plane"
                       : grid->surface == 'K' ? "Klein bottle"
                       : grid->surface == 'C' ? "cross-surface"
                                              : "sphere";
    if (!grid->width || !grid->height)
        snprintf(out, size, "a %s without bounds along one axis", grid->surface == 'T' ? "tube" : name);
    else
        snprintf(out, size, "a %s of %" PRId64 " x %" PRId64 "%s", name, grid->width, grid->height,
                 grid->shifted ? " whose edges meet with a shift" : "");
}
