/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of the ants, compiled for the CPU and for CUDA. */
#include <mass/mass.h>

/* One of eight directions, 0 along x and 2 along y, as an offset. */
MASS_FN int ants_dx(int way) { return (way & 3) == 2 ? 0 : ((way + 2) & 7) < 5 ? 1 : -1; }
MASS_FN int ants_dy(int way) { return ants_dx((way + 6) & 7); }

#define LOOK(FIELD) FIELD(way, uint8_t, WRITE, way)
MASS_AGENT(ants_look, LOOK, 2) { OUT(way) = (uint8_t)(RANDOM(0).v[0] & 7); }

/* A little of a trail is gone in each step. */
#define FADE(FIELD)                         \
    FIELD(trail, int32_t, UPDATE, trail)    \
    FIELD(scent, int64_t, SUM,    scent)
MASS_MAP(ants_fade, FADE)
{
    OUT(trail) -= (OUT(trail) + 15) / 16;
    ADD(scent, OUT(trail));
}

/* An ant goes ahead, or a little to the left or right, to where it smells most; it never smells quite right. */
#define WALK(FIELD)                         \
    FIELD(trail, int32_t, PLACE,  trail)    \
    FIELD(way,   uint8_t, UPDATE, way)
MASS_AGENT(ants_walk, WALK, 2)
{
    const mass_random4 r = RANDOM(0);
    const int ahead = OUT(way);
    int most = -1;
    for (int turn = 0; turn < 3; turn++) {
        const int way = (ahead + turn + 7) & 7;
        const int smell = SEE(trail, ants_dx(way), ants_dy(way)) + (int)(r.v[turn] % 16);
        if (smell > most) {
            most = smell;
            OUT(way) = (uint8_t)way;
        }
    }
    MIGRATE(ants_dx(OUT(way)), ants_dy(OUT(way)));
}

/* It leaves scent where it stands, and less around. */
#define MARK(FIELD) FIELD(trail, int32_t, SCATTER_ADD, trail)
MASS_AGENT(ants_mark, MARK, 2)
{
    SCATTER(trail, 12, 0, 0);
    MASS_MOORE_2D(dx, dy, 1) SCATTER(trail, 2, dx, dy);
}
