/* SPDX-License-Identifier: Apache-2.0 */
#include "plain.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { AXIS_X = 1, AXIS_Y = 2, AXIS_Z = 4 };

const cells_looks cells_square = {"table", 9, {{-1, -1}, {0, -1}, {1, -1}, {-1}, {0}, {1}, {-1, 1}, {0, 1}, {1, 1}}};
const cells_looks cells_star = {"star", 9, {{0, -2}, {0, -1}, {-2}, {-1}, {0}, {1}, {2}, {0, 1}, {0, 2}}};
const cells_looks cells_star_in_space = {"star", 7, {{0, 0, -1}, {0, -1}, {-1}, {0}, {1}, {0, 1}, {0, 0, 1}}};

/* What comes of the places whose bits lie in `index`; by counts, the place's own is bit 4. */
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

static bool wrap(int *at, int size, bool wraps)
{
    if (wraps) *at = (*at % size + size) % size;
    return *at >= 0 && *at < size;
}

static unsigned at(const cells *c, const unsigned char *now, int x, int y, int z)
{
    bool inside = wrap(&x, c->nx, c->torus & AXIS_X);
    inside &= wrap(&y, c->ny, c->torus & AXIS_Y);
    inside &= wrap(&z, c->nz, c->torus & AXIS_Z);
    return inside ? now[(z * c->ny + y) * c->nx + x] : c->beyond;
}

static void advance(const cells *c, const unsigned char *now, unsigned char *next)
{
    for (int z = 0; z < c->nz; z++)
        for (int y = 0; y < c->ny; y++)
            for (int x = 0; x < c->nx; x++) {
                unsigned index = 0;
                for (int k = 0; k < c->looks->count; k++) {
                    const int *by = c->looks->at[k];
                    index |= at(c, now, x + by[0], y + by[1], z + by[2]) << k;
                }
                *next++ = (unsigned char)becomes(c, index);
            }
}

void cells_advance(const cells *c, unsigned char *places, int steps)
{
    const size_t size = (size_t)c->nx * (size_t)c->ny * (size_t)c->nz;
    unsigned char *now = malloc(size);
    while (steps-- > 0) {
        memcpy(now, places, size);
        advance(c, now, places);
    }
    free(now);
}

unsigned cells_random(unsigned number)
{
    number = (number + 1) * 2654435761u;
    return (number ^ number >> 15) * 2246822519u >> 7;
}
