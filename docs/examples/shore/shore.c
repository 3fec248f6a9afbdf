/* SPDX-License-Identifier: Apache-2.0 */
/* Settlers land on the western edge of an island, wander east, and leave at the other edge. */
#include <mass/model.h>

MASS_PARAMETER(double, landing, 0.2, 0, 1, "chance that settlers land on a place of the shore")
MASS_SPACE(island, 2, .size = {96, 64}) /* bounded */
MASS_ATTRIBUTE(island, int32_t, visits)

MASS_TALLY(SUM, int64_t, asked, "settlers that want to land", .cumulative = 1)
MASS_TALLY(SUM, int64_t, landed, "settlers that landed", .cumulative = 1)
MASS_TALLY(SUM, int64_t, drowned, "settlers for whom the shore had no place", .cumulative = 1)
MASS_TALLY(SUM, int64_t, left, "settlers that left", .cumulative = 1)
MASS_TALLY(SUM, int64_t, alive, "settlers on the island")

MASS_POPULATION(settlers, island, .count = 0, .capacity = 2, .sprouts = 2, .born = "landed", .unborn = "drowned",
                .died = "left", .alive = "alive")
MASS_AGENT_ATTRIBUTE(settlers, int32_t, strength)

MASS_RESIDENTS(shore_land, settlers, 2, 0, UPDATES(visits), GIVEN(landing), SUMS(asked), SPROUTS(strength))
{
    OUT(visits) += (int32_t)RESIDENT_COUNT;
    if (AT_X > 0 || mass_unit_f64(RANDOM(0).v[0], RANDOM(0).v[1]) >= PARAM(landing)) return;
    const int ship = 1 + (int)(RANDOM(1).v[0] % 2);
    SPROUT(ship);
    for (int k = 0; k < ship; k++) SPROUT_VALUE(strength, k) = 1 + (int)(RANDOM(1).v[1 + k] % 3);
    ADD(asked, ship);
}

MASS_AGENT(shore_walk, settlers, 2, READS(strength))
{
    const int east = (int)(RANDOM(0).v[0] % 4) < IN(strength), south = (int)(RANDOM(0).v[1] % 3) - 1;
    if (AT_X == SIZE_X - 1) KILL();
    else if (EXISTS(east, south)) MIGRATE(east, south);
}

MASS_SCHEDULE(STEPS(shore_land), STEPS(shore_walk), MANAGES(settlers))

MASS_PICTURE(island, visits, 0, 30, 0x10300f, 0xf0e0a0)

MASS_PLUGIN(.name = "shore", .version = "1.0.0", .help = "settlers that land on an island");
