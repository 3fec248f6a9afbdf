/* SPDX-License-Identifier: Apache-2.0 */
#include "plain.h"

#include <stdlib.h>
#include <string.h>

enum { AXIS_X = 1, AXIS_Y = 2 };

/* What comes of the nine places whose bits lie in `index`, row by row, the place's own being bit 4. */
static int becomes(const cells *c, unsigned index)
{
    if (c->table == 0) {
        const int n = __builtin_popcount(index & ~16u);
        return (index & 16 ? c->survive : c->birth) >> n & 1;
    }
    unsigned v = (index + 1) * 2654435761u ^ c->table * 40503u; /* as in cells.c */
    v ^= v >> 15, v *= 2246822519u, v ^= v >> 13, v *= 3266489917u;
    return v >> 16 & 1;
}

static unsigned at(const cells *c, const unsigned char *now, int x, int y)
{
    if (c->torus & AXIS_X) x = (x + c->nx) % c->nx;
    if (c->torus & AXIS_Y) y = (y + c->ny) % c->ny;
    return x < 0 || y < 0 || x >= c->nx || y >= c->ny ? c->beyond : now[y * c->nx + x];
}

void cells_advance(const cells *c, unsigned char *places, int steps)
{
    const size_t size = (size_t)c->nx * (size_t)c->ny;
    unsigned char *now = malloc(size);
    while (steps-- > 0) {
        memcpy(now, places, size);
        for (int y = 0; y < c->ny; y++)
            for (int x = 0; x < c->nx; x++) {
                unsigned index = 0;
                for (int k = 0; k < 9; k++) index |= at(c, now, x + k % 3 - 1, y + k / 3 - 1) << k;
                places[y * c->nx + x] = (unsigned char)becomes(c, index);
            }
    }
    free(now);
}

unsigned cells_random(unsigned number)
{
    number = (number + 1) * 2654435761u;
    return (number ^ number >> 15) * 2246822519u >> 7;
}
