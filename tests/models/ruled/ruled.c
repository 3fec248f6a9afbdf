/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks over bits alone, which are run by words: a rule by counts, one of two attributes, one in place. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, torus, MASS_AXIS_X | MASS_AXIS_Y, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, birth, 1 << 3, 0, 511, "bit n: n neighbours make one")
MASS_PARAMETER(int64_t, survive, 1 << 2 | 1 << 3, 0, 511, "bit n: n neighbours keep one")
MASS_PARAMETER(int64_t, weight, 1, -1000, 1000, "of a trail")
#define SET .initial = &(const bool){true}

MASS_SPACE(grid, 2, .size = {65, 33}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(grid, bool, cell, SET, .help = "beyond edges, too")
MASS_ATTRIBUTE(grid, bool, trail)
MASS_ATTRIBUTE(grid, bool, turned)

MASS_TALLY(SUM, int64_t, alive, "places that are set")
MASS_TALLY(SUM, int64_t, crowding, "neighbours of those that are set", .cumulative = 1)
MASS_TALLY(SUM, int64_t, trails, "places with a trail by their weight, less those without", .cumulative = 1)

MASS_MAP(ruled_sow, WRITES(cell, trail, turned))
{
    OUT(cell) = RANDOM(0).v[0] & 4;
    OUT(trail) = RANDOM(0).v[0] & 8;
    OUT(turned) = RANDOM(0).v[0] & 16;
}

MASS_STENCIL(ruled_live, 2, 1, READS(cell), WRITES(cell), GIVEN(birth, survive), SUMS(alive, crowding))
{
    int n = 0;
    MASS_MOORE_2D(dx, dy, 1) { n += NEAR(cell, dx, dy); }
    OUT(cell) = (IN(cell) ? PARAM(survive) : PARAM(birth)) >> n & 1;
    ADD(alive, OUT(cell));
    ADD(crowding, IN(cell) ? n : 0);
}

/* It goes where it is in the north-west, or two cells are in the east. */
MASS_STENCIL(ruled_trail, 2, 1, READS(cell, trail), WRITES(trail), GIVEN(weight), SUMS(trails))
{
    OUT(trail) = NEAR(trail, -1, -1) ? !NEAR(cell, 0, 1) : NEAR(cell, 1, 0) & NEAR(cell, 1, -1);
    ADD(trails, OUT(trail) ? PARAM(weight) : -1);
}

MASS_MAP(ruled_turn, READS(trail), UPDATES(turned))
{
    OUT(turned) ^= IN(trail);
}

MASS_SCHEDULE(STARTS(ruled_sow), STEPS(ruled_live), STEPS(ruled_trail), STEPS(ruled_turn))

MASS_PLUGIN(.name = "ruled", .version = "1.0.0", .help = "rules over bits");
