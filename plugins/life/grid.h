/* SPDX-License-Identifier: Apache-2.0 */
/* Bounded grids as Golly writes them after a rule: B3/S23:T72,48 is a torus of 72 x 48 places. */
#ifndef LIFE_GRID_H
#define LIFE_GRID_H

#include <mass/types.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct life_grid {
    char surface; /* T torus, P plane, K Klein bottle, C cross-surface, S sphere; 0: there is no grid */
    int shifted;  /* not 0: opposite edges of the torus or Klein bottle are shifted */
    int64_t width, height; /* in places; 0: unbounded */
    char text[44];         /* as written, with its colon; of a long text, the start */
} life_grid;

/* Reads the text after a rule's colon, in either case: T72,48, P30,20, K30*,20, C30,20, S30, T30+5,20. A single extent
 * is both the width and the height. The text need not end in NUL; *end is set to the point at which reading stopped.
 * Returns NULL, or the text that is expected there, and then *out is untouched. A plane or a torus without any bounds
 * is no grid. */
const char *life_grid_parse(const char *text, const char *text_end, const char **end, life_grid *out);

/* Returns 1 if a space of Life can be this grid: a torus without a shift, or a plane, bounded both ways. */
int life_grid_runs(const life_grid *grid);

/* Writes "a torus of 72 x 48", "a Klein bottle of 30 x 20", "a torus with a shift", "a tube". */
void life_grid_describe(const life_grid *grid, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
