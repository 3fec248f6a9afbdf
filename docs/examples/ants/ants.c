/* SPDX-License-Identifier: Apache-2.0 */
/* Ants that follow the trails that they leave. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, ants, 2000, 0, 1000000, "how many there are")
MASS_SPACE(ground, 2, .size = {256, 256}, .torus = MASS_AXES_ALL)
MASS_TALLY(SUM, int64_t, scent, "of all trails")
MASS_POPULATION(ants, ground, .count = VALUE(ants), .constant = 1,
                .drawn = &(const mass_drawn){.colours = 1, .palette = (const uint32_t[]){0xf4f0e6}})
MASS_ATTRIBUTE(ground, int32_t, trail, .most = 1 << 30)
MASS_AGENT_ATTRIBUTE(ants, uint8_t, way, .most = 7)

/* Return the offset of one of eight directions, 0 along x and 2 along y. */
MASS_FN int ants_dx(int way) { return (way & 3) == 2 ? 0 : ((way + 2) & 7) < 5 ? 1 : -1; }
MASS_FN int ants_dy(int way) { return ants_dx((way + 6) & 7); }

MASS_AGENT(ants_look, ants, 2, WRITES(way)) { OUT(way) = (uint8_t)(RANDOM(0).v[0] & 7); }

/* A part of each trail vanishes in every step. */
MASS_MAP(ants_fade, UPDATES(trail), SUMS(scent))
{
    OUT(trail) -= (OUT(trail) + 15) / 16;
    ADD(scent, OUT(trail));
}

/* An ant goes ahead, or a little to the left or right, to where the scent is strongest. A random number makes its sense
 * of smell inexact. */
MASS_AGENT(ants_walk, ants, 2, SEES(trail), UPDATES(way))
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

/* It leaves scent on its place, and less around. */
MASS_AGENT(ants_mark, ants, 2, SCATTERS(trail))
{
    SCATTER(trail, 12, 0, 0);
    MASS_MOORE_2D(dx, dy, 1) SCATTER(trail, 2, dx, dy);
}

MASS_SCHEDULE(STARTS(ants_look), STEPS(ants_fade), STEPS(ants_walk, .reach = 1), MANAGES(ants),
              STEPS(ants_mark, .reach = 1))
MASS_PICTURE(ground, trail, 0, 200, 0x17130f, 0x6b4a1f, 0xe8b04a)

MASS_PLUGIN(.name = "ants", .version = "1.0.0", .help = "ants that follow the trails that they leave");
