/* SPDX-License-Identifier: Apache-2.0 */
/* Nomads in a land: the parts that docs/porting.md shows next to code of MASS. */
#include <mass/model.h>

/* 1. Places. */
MASS_SPACE(land, 2, .size = {100, 100}) /* bounded */
MASS_ATTRIBUTE(land, double, water, .initial = &(const double){1})
MASS_ATTRIBUTE(land, int32_t, visits)

/* Further attributes. */
MASS_ATTRIBUTE(land, uint8_t, settled, .most = 1, .help = "nomads here at the start")

/* 2. Agents. */
MASS_MAP(found, WRITES(settled)) { OUT(settled) = AT_X < 20 && AT_Y % 5 == 0; }

MASS_TALLY(SUM, int64_t, alive, "nomads alive")
MASS_POPULATION(nomads, land, .initial = MASS_BY_ATTRIBUTE, .where = "settled", .children = 1, .alive = "alive")
MASS_AGENT_ATTRIBUTE(nomads, double, thirst)
MASS_AGENT_ATTRIBUTE(nomads, int32_t, age)

/* 3. callAll of places, with an argument. */
MASS_PARAMETER(double, rain, 0.1, 0, 10, "water that falls on a place in a step")

MASS_MAP(rain_falls, UPDATES(water), GIVEN(rain)) { OUT(water) += PARAM(rain); }

/* 4. exchangeAll. */
MASS_STENCIL(flow, 2, 1, READS(water), WRITES(water))
{
    double inflow = 0;
    MASS_VON_NEUMANN_2D(dx, dy, 1)
        if (EXISTS(dx, dy)) inflow += NEAR(water, dx, dy) - IN(water);
    OUT(water) = IN(water) + 0.1 * inflow;
}

/* 5. migrate and manageAll. */
MASS_AGENT(walk, nomads, 2)
{
    const mass_random4 r = RANDOM(0);
    const int dx = (int)(r.v[0] % 3) - 1, dy = (int)(r.v[1] % 3) - 1;
    if (EXISTS(dx, dy)) MIGRATE(dx, dy);
}

/* 6. kill and spawn. */
MASS_AGENT(live, nomads, 2, UPDATES(thirst, age), CHILDREN(thirst))
{
    OUT(age) += 1;
    if (OUT(thirst) > 3) KILL();
    else if (OUT(age) % 20 == 0) {
        SPAWN(1);
        CHILD(thirst, 0) = OUT(thirst);
    }
}

/* 7. An agent at its place. */
MASS_OCCUPIED(drink, nomads, 2, 0, UPDATES(water), CHANGES(thirst))
{
    EACH_RESIDENT(nomad) {
        const double gulp = OUT(water) < 0.5 ? OUT(water) : 0.5;
        OUT(water) -= gulp;
        OF(thirst, nomad) += 0.5 - gulp;
    }
}

/* 8. A place and its agents. */
MASS_OCCUPIED(count_visits, nomads, 2, 0, UPDATES(visits)) { OUT(visits) += (int32_t)RESIDENT_COUNT; }

/* 9. callAll that returns values. */
MASS_TALLY(SUM, double, reserve, "water of all places")
MASS_TALLY(MAX, int64_t, eldest, "age of the eldest nomad")

MASS_MAP(sum_water, READS(water), SUMS(reserve)) { ADD(reserve, IN(water)); }
MASS_AGENT(find_eldest, nomads, 2, READS(age), MAXES(eldest)) { MOST(eldest, (int64_t)IN(age)); }

/* 10. The main program. */
MASS_SCHEDULE(STARTS(found), STEPS(rain_falls), STEPS(flow), STEPS(walk), MANAGES(nomads), STEPS(drink))
MASS_SCHEDULE(STEPS(count_visits), STEPS(live), MANAGES(nomads), STEPS(sum_water), STEPS(find_eldest))
MASS_DEFAULT_STEPS(100)

/* Picture and name. */
MASS_PICTURE(land, water, 0, 3, 0xd8c79a, 0x2d6cc2)
MASS_PLUGIN(.name = "from-mass", .version = "1.0.0", .help = "nomads in a land");
