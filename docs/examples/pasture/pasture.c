/* SPDX-License-Identifier: Apache-2.0 */
/* Sheep on a pasture: they walk at random, graze, have lambs and starve. */
#include <mass/model.h>

MASS_PARAMETER(double, growth, 0.02, 0, 1, "chance that grass grows on bare ground in a step")
MASS_PARAMETER(int64_t, breed, 16, 2, 1000, "energy from which a sheep has a lamb")

MASS_SPACE(field, 2, .size = {256, 256}, .torus = MASS_AXES_ALL)
MASS_TALLY(SUM, int64_t, alive, "sheep alive")
MASS_TALLY(SUM, int64_t, births, "lambs born so far", .cumulative = 1)
MASS_TALLY(SUM, int64_t, deaths, "sheep that starved", .cumulative = 1)
MASS_POPULATION(sheep, field, .count = 500, .children = 1, .alive = "alive", .born = "births", .died = "deaths",
                .help = "any number on a place",
                .drawn = &(const mass_drawn){.colours = 1, .palette = (const uint32_t[]){0xf6f1e4}})
MASS_AGENT_ATTRIBUTE(sheep, int32_t, energy, .initial = &(const int32_t){8}, .least = -1e9, .most = 1e9)
MASS_ATTRIBUTE(field, uint8_t, grass, .most = 1, .initial = &(const uint8_t){1})

MASS_MAP(pasture_grow, UPDATES(grass), GIVEN(growth))
{
    const mass_random4 r = RANDOM(0);
    OUT(grass) = (uint8_t)(OUT(grass) | (mass_unit_f64(r.v[0], r.v[1]) < PARAM(growth)));
}

/* A sheep tires, and dies when it has no energy left. A strong one gives half of its energy to a lamb, which stays
 * where it is born. Then it goes to a random place around it, unless it would leave grass for bare ground. */
MASS_AGENT(pasture_live, sheep, 2, UPDATES(energy), SEES(grass), GIVEN(breed), CHILDREN(energy))
{
    if (--OUT(energy) <= 0) KILL();
    else if (OUT(energy) >= PARAM(breed)) {
        SPAWN(1);
        CHILD(energy, 0) = OUT(energy) / 2;
        OUT(energy) -= OUT(energy) / 2;
    }
    const mass_random4 r = RANDOM(0);
    const int dx = (int)(r.v[0] % 3) - 1, dy = (int)(r.v[1] % 3) - 1;
    if (SEE(grass, dx, dy) || !SEE(grass, 0, 0)) MIGRATE(dx, dy);
}

/* If there is grass, the sheep with the lowest id eats it. */
MASS_RESIDENTS(pasture_graze, sheep, 2, 0, UPDATES(grass), CHANGES(energy))
{
    EACH_RESIDENT(one) {
        OF(energy, one) += 4 * OUT(grass);
        OUT(grass) = 0;
    }
}

MASS_SCHEDULE(STEPS(pasture_grow), STEPS(pasture_live, .reach = 1), MANAGES(sheep), STEPS(pasture_graze))
MASS_PICTURE(field, grass, 0, 1, 0x8a6f4d, 0x4f8f46)

MASS_PLUGIN(.name = "pasture", .version = "1.0.0", .help = "sheep that walk, graze, have lambs and starve");
