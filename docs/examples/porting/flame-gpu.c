/* SPDX-License-Identifier: Apache-2.0 */
/* Cells in a dish: the parts that docs/porting.md shows next to code of FLAME GPU. */
#include <mass/model.h>

/* 1. Agents and their variables. */
MASS_SPACE(dish, 2, .size = {64, 64}, .torus = MASS_AXES_ALL)
MASS_TALLY(SUM, int64_t, alive, "cells alive")
MASS_POPULATION(cells, dish, .count = 500, .capacity = 1, .conflict = MASS_LOTTERY, .children = 1,
                .initial = MASS_RANDOM_PLACES, .alive = "alive")
MASS_AGENT_ATTRIBUTE(cells, float, mass, .initial = &(const float){1})
MASS_AGENT_ATTRIBUTE(cells, int32_t, age)

/* Further variables. */
MASS_AGENT_ATTRIBUTE(cells, float, load)
MASS_AGENT_ATTRIBUTE(cells, uint8_t, rests, .most = 1)

/* 2. Spatial messages. */
MASS_AGENT(press, cells, 2, WRITES(load), NEARBY(mass))
{
    float load = 0;
    EACH_NEARBY(o, 2) load += OF(mass, o) / (float)(o.dx * o.dx + o.dy * o.dy);
    OUT(load) = load;
}

/* 3. Messages to all. */
MASS_TALLY(MEAN, double, mean_mass, "of a cell", .initial = 1)

MASS_AGENT(weigh, cells, 2, READS(mass), SUMS(mean_mass)) { ADD(mean_mass, IN(mass)); }
MASS_AGENT(feel, cells, 2, READS(mass), WRITES(rests), TOTALS(mean_mass)) { OUT(rests) = IN(mass) < TOTAL(mean_mass); }

/* 4. Messages in an array. */
MASS_ATTRIBUTE(dish, float, food, .initial = &(const float){1}, .flush = 1)

MASS_STENCIL(diffuse, 2, 1, READS(food), WRITES(food))
{
    float around = 0;
    MASS_MOORE_2D(dx, dy, 1) around += NEAR(food, dx, dy);
    OUT(food) = IN(food) + 0.1f * (around - 8 * IN(food));
}

/* Food at the start. */
MASS_MAP(pour, WRITES(food)) { OUT(food) = mass_unit_f32(RANDOM(0).v[0]); }

/* 5. Deaths and births. */
MASS_AGENT(live, cells, 2, UPDATES(mass, age), CHILDREN(mass))
{
    OUT(age) += 1;
    if (OUT(age) > 40) KILL();
    if (OUT(mass) < 2) return;
    OUT(mass) /= 2;
    SPAWN(1);
    CHILD(mass, 0) = OUT(mass);
    CHILD_TO(0, 1, 0);
}

/* 6. A property of the environment, and chance. */
MASS_PARAMETER(double, growth, 0.2, 0, 10, "mass that a cell gains in a step, in the mean")

MASS_AGENT(grow, cells, 2, UPDATES(mass), GIVEN(growth))
{
    OUT(mass) += 2 * (float)PARAM(growth) * mass_unit_f32(RANDOM(0).v[0]);
}

/* 7. A host function. */
MASS_CONSTANT(double, places, (double)(EXTENT(dish, 0) * EXTENT(dish, 1)))
MASS_WORLD_ATTRIBUTE(double, crowding)

MASS_ONCE(measure, WRITES(crowding), TOTALS(alive), GIVEN(places))
{
    OUT(crowding) = (double)TOTAL(alive) / PARAM(places);
}

MASS_AGENT(stifle, cells, 2, UPDATES(mass), WORLD(crowding)) { OUT(mass) *= 1 - 0.1f * (float)OF_WORLD(crowding); }

/* 8. At most one agent on a place. */
MASS_AGENT(wander, cells, 2)
{
    const mass_random4 r = RANDOM(0);
    MIGRATE((int)(r.v[0] % 3) - 1, (int)(r.v[1] % 3) - 1);
}

MASS_REFUSED(wander_again, cells, 2)
{
    const mass_random4 r = RANDOM(0);
    MIGRATE((int)(r.v[0] % 3) - 1, (int)(r.v[1] % 3) - 1);
}

/* 9. Agents add to places. */
MASS_ATTRIBUTE(dish, uint32_t, waste)

MASS_AGENT(excrete, cells, 2, SCATTERS(waste)) { SCATTER(waste, 1, 0, 0); }

/* 10. A condition for agents, and layers. */
MASS_AGENT(recover, cells, 2, READS(rests), UPDATES(mass))
{
    if (!IN(rests)) return;
    OUT(mass) += 0.01f;
}

MASS_SCHEDULE(STARTS(pour), STEPS(grow), STEPS(diffuse), STEPS(press, .reach = 2), STEPS(weigh))
MASS_SCHEDULE(STEPS(feel), STEPS(recover), STEPS(wander), MANAGES(cells), STEPS(wander_again), MANAGES(cells))
MASS_SCHEDULE(STEPS(live), MANAGES(cells), STEPS(measure), STEPS(stifle), STEPS(excrete), MANAGES(cells))

/* Series and name. */
MASS_SERIES("alive")
MASS_PLUGIN(.name = "from-flame-gpu", .version = "1.0.0", .help = "cells in a dish");
