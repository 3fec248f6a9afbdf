/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded: places bring forth agents with positions of floats and of doubles. The agents tell if they are outside of
 * their places, and where in them they are. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, torus, 1, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(double, cell, 0.3, 0.001, 1000, "edge of a cell")

MASS_SPACE(dish, 2, .size = {9, 8}, .torus = (uint32_t)VALUE(torus), .cell = VALUE(cell))
MASS_ATTRIBUTE(dish, int32_t, wet)
MASS_TALLY(SUM, int64_t, outside, "agents that are not in their place")
MASS_TALLY(SUM, int64_t, born, "specks", .cumulative = 1)
MASS_TALLY(MEAN, double, within_x, "where agents are in their places, from 0 to 1")
MASS_TALLY(MEAN, double, within_y, "the same along y")

MASS_POPULATION(specks, dish, .count = 3, .sprouts = 3, .children = 1, .born = "born", .at_edge = MASS_REFLECTS)
MASS_POSITIONS(specks, 2, float)
MASS_AGENT_ATTRIBUTE(specks, int32_t, age, .initial = &(const int32_t){5})
MASS_POPULATION(motes, dish, .count = 0, .sprouts = 1)
MASS_POSITIONS(motes, 2, double)

MASS_RESIDENTS(seeded_rain, (specks, motes), 2, 0, UPDATES(wet), SPROUTS(age))
{
    const mass_random4 r = RANDOM(0);
    OUT(wet) += (int32_t)(r.v[0] % 3);
    if (r.v[1] % 4 == 0) {
        SPROUT(1 + (int)(r.v[2] % 3));
        SPROUT_VALUE(age, 0) = 1;
    }
    if (r.v[3] % 8 == 0) SPROUT_OF(motes, 1);
}

/* Adds where an agent is in its cell. */
#define TELL_()                                                                                          \
    const double x = (double)IN(position).x / PARAM(cell), y = (double)IN(position).y / PARAM(cell);     \
    ADD(outside, (int64_t)x != AT_X || (int64_t)y != AT_Y);                                              \
    ADD(within_x, x - (double)AT_X);                                                                     \
    ADD(within_y, y - (double)AT_Y);
MASS_AGENT(seeded_live, specks, 2, READS(position), UPDATES(age), GIVEN(cell), SUMS(outside, within_x, within_y))
{
    TELL_()
    OUT(age)++;
    if (RANDOM(0).v[0] % 5 == 0) KILL();
    else if (RANDOM(0).v[1] % 5 == 0) SPAWN(1);
    if (RANDOM(0).v[2] % 2) MOVE_BY(mass_unit_f32(RANDOM(0).v[3]) - 0.5f, 0.25f);
}
MASS_AGENT(seeded_drift, motes, 2, READS(position), GIVEN(cell), SUMS(outside, within_x, within_y))
{
    TELL_()
    if (RANDOM(0).v[0] % 9 == 0) KILL();
}

MASS_SCHEDULE(STEPS(seeded_rain), STEPS(seeded_live), STEPS(seeded_drift), MANAGES(specks), MANAGES(motes))
MASS_PLUGIN(.name = "seeded", .version = "1.0.0", .help = "places that bring forth agents with positions");
