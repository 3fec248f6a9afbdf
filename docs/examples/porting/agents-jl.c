/* SPDX-License-Identifier: Apache-2.0 */
/* Rabbits and foxes: the parts that docs/porting.md shows next to code of Agents.jl. */
#include <mass/model.h>

/* 1. Agents and their attributes. */
MASS_SPACE(meadow, 2, .size = {40, 30}, .torus = MASS_AXES_ALL)
MASS_TALLY(SUM, int64_t, rabbit_count, "rabbits alive")
MASS_TALLY(SUM, int64_t, fox_count, "foxes alive")
MASS_POPULATION(rabbits, meadow, .count = 200, .children = 1, .alive = "rabbit_count")
MASS_POPULATION(foxes, meadow, .count = 20, .alive = "fox_count")
MASS_AGENT_ATTRIBUTE(rabbits, double, energy, .initial = &(const double){5})
MASS_AGENT_ATTRIBUTE(foxes, double, energy, .initial = &(const double){20})
MASS_AGENT_ATTRIBUTE(rabbits, uint64_t, mother, .initial = &(const uint64_t){UINT64_MAX})
MASS_AGENT_ATTRIBUTE(rabbits, double, alarm)

/* 2. One after the other. */
MASS_IN_TURN(hunt, (foxes, rabbits), 2, 1, UPDATES(energy))
{
    const mass_peer prey = ONE_NEARBY_OF(rabbits, 1, 0);
    OUT(energy) -= 1;
    if (!IS_ANYBODY(prey)) return;
    KILL_NEARBY_OF(rabbits, prey);
    MOVE(prey.dx, prey.dy);
    OUT(energy) += 5;
}

/* 3. All at once. */
MASS_AGENT(listen, rabbits, 2, UPDATES(alarm), NEARBY(AS(theirs, alarm)))
{
    double loudest = 0;
    EACH_NEARBY(o, 2) loudest = OF(theirs, o) > loudest ? OF(theirs, o) : loudest;
    OUT(alarm) = 0.5 * OUT(alarm) + 0.5 * loudest;
}

/* 4. Moves. */
MASS_AGENT(hop, rabbits, 2, UPDATES(energy))
{
    const mass_random4 r = RANDOM(0);
    const int way = (int)mass_below_u32(8, r.v[0], r.v[1]), at = way + (way >= 4);
    MIGRATE(at % 3 - 1, at / 3 - 1);
    OUT(energy) -= 1;
}

/* 5. Births. */
MASS_PARAMETER(double, breeding, 0.1, 0, 1, "chance that a rabbit has a young one in a step")

MASS_AGENT(breed, rabbits, 2, UPDATES(energy), CHILDREN(energy, mother), GIVEN(breeding))
{
    const mass_random4 r = RANDOM(0);
    if (mass_unit_f64(r.v[0], r.v[1]) >= PARAM(breeding)) return;
    OUT(energy) /= 2;
    SPAWN(1);
    CHILD(energy, 0) = OUT(energy);
    CHILD(mother, 0) = AGENT_ID;
}

/* 6. Deaths. */
MASS_AGENT(starve, rabbits, 2, READS(energy))
{
    if (IN(energy) < 0) KILL();
}

/* 7. Arrays over positions. */
MASS_PARAMETER(int64_t, regrowth, 10, 1, 1000, "steps until grass has grown again")
MASS_ATTRIBUTE(meadow, int32_t, countdown, .help = "steps until there is grass; 0: there is")

MASS_MAP(grow, UPDATES(countdown)) { OUT(countdown) -= OUT(countdown) > 0; }

MASS_OCCUPIED(eat, rabbits, 2, 0, UPDATES(countdown), CHANGES(energy), GIVEN(regrowth))
{
    EACH_RESIDENT(rabbit) {
        if (OUT(countdown) > 0) continue;
        OF(energy, rabbit) += 3;
        OUT(countdown) = (int32_t)PARAM(regrowth);
    }
}

/* 8. A property of the model. */
MASS_WORLD_ATTRIBUTE(double, fear, .help = "of all rabbits")

MASS_ONCE(remember, UPDATES(fear), TOTALS(fox_count, rabbit_count))
{
    OUT(fear) = 0.9 * OUT(fear) + 0.1 * (double)TOTAL(fox_count) / (1 + (double)TOTAL(rabbit_count));
}

MASS_AGENT(worry, rabbits, 2, UPDATES(alarm), WORLD(fear)) { OUT(alarm) += OF_WORLD(fear); }

/* 9. An agent by its id. */
MASS_TALLY(SUM, int64_t, orphans, "rabbits whose mother is dead")

MASS_AGENT(seek, rabbits, 2, READS(mother), UPDATES(alarm), BY_ID(rabbits), ANYBODY(AS(hers, alarm)), SUMS(orphans))
{
    const mass_somebody mother = AGENT(rabbits, IN(mother));
    if (IS_ANYBODY(mother)) OUT(alarm) = OF(hers, mother);
    else ADD(orphans, 1);
}

/* 10. What is collected, and a step. */
MASS_REDUCTION(mean_energy, .operation = MASS_MEAN, .population = "rabbits", .attribute = "energy")
MASS_SERIES("rabbit_count")
MASS_SERIES("mean_energy")
MASS_SCHEDULE(STEPS(hop), MANAGES(rabbits), STEPS(hunt), STEPS(listen, .reach = 2), STEPS(grow), STEPS(eat))
MASS_SCHEDULE(STEPS(breed), STEPS(starve), MANAGES(rabbits), STEPS(remember), STEPS(worry), STEPS(seek))
MASS_SCHEDULE(MANAGES(rabbits))

MASS_PLUGIN(.name = "from-agents-jl", .version = "1.0.0", .help = "rabbits and foxes");
