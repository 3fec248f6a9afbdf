/* SPDX-License-Identifier: Apache-2.0 */
/* What no other model does: agents start at places that an attribute gives, or on every place. Places have few seats,
 * which the strongest agent, the lowest id or a lottery wins. Manages have every order. Two spaces have agents. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, torus, MASS_AXIS_X, 0, MASS_AXES_ALL, "axes of the hall that wrap")
MASS_PARAMETER(choice, conflict, "lowest", "who wins a seat", "lowest", "strongest", "lottery")
MASS_PARAMETER(int64_t, capacity, 2, 0, 100, "seats of a place")
MASS_PARAMETER(choice, order, "spawn_kill_migrate", "of the guests' manage", "spawn_kill_migrate", "kill_spawn_migrate",
               "kill_migrate_spawn")

MASS_SPACE_OF(hall, 1, 3, .size = {24, 18}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(hall, int32_t, chairs)
MASS_ATTRIBUTE(hall, double, worn)
MASS_SPACE(yard, 2, .size = {9, 7}, .torus = MASS_AXIS_Y)
MASS_ATTRIBUTE(yard, uint16_t, noise)

MASS_TALLY(SUM, int64_t, alive, "guests")
MASS_TALLY(SUM, int64_t, born, "guests")
MASS_TALLY(SUM, int64_t, died, "guests")
MASS_TALLY(SUM, int64_t, refused, "guests", .cumulative = 1)
MASS_TALLY(SUM, int64_t, moved, "guests that ask to move", .cumulative = 1)
MASS_TALLY(MEAN, double, mean, "strength")
MASS_TALLY(MAX, double, strongest, "strength")
MASS_TALLY(MIN, double, weakest, "strength", .cumulative = 1)
MASS_TALLY(SUM, int64_t, shared, "places by how many guests are there", .bins = 4)
MASS_TALLY(SUM, int64_t, strengths, "guests by strength", .keys = MASS_KEYS_NUMBERS)
MASS_TALLY(SUM, int64_t, spent, "strength", .fraction_bits = 8)

MASS_POPULATION(guests, hall, .capacity = (uint32_t)VALUE(capacity), .children = 2,
                .conflict = (uint32_t)VALUE(conflict), .initial = MASS_BY_ATTRIBUTE, .where = "chairs",
                .priority = VALUE(conflict) == MASS_HIGHEST_PRIORITY ? "strength" : NULL, .alive = "alive",
                .born = "born", .died = "died", .unborn = "refused")
MASS_AGENT_ATTRIBUTE(guests, float, strength)
MASS_AGENT_ATTRIBUTE(guests, int16_t, hops, .length = 2)
MASS_POPULATION(birds, yard, .capacity = 3, .count = 2, .conflict = MASS_LOTTERY, .initial = MASS_EVERY_PLACE)
MASS_AGENT_ATTRIBUTE(birds, uint32_t, age)

#define AHEAD AS(ahead, hops, 0)
#define ASIDE AS(aside, hops, 1)

MASS_MAP(rivals_seat, WRITES(chairs), GIVEN(capacity))
{
    const mass_random4 r = RANDOM(0);
    const int32_t two = r.v[1] % 2 && PARAM(capacity) != 1;
    OUT(chairs) = r.v[0] % 3 == 0 ? 1 + two : 0;
}

/* Many are equally strong. */
MASS_AGENT(rivals_arm, guests, 0, WRITES(strength, AHEAD, ASIDE))
{
    OUT(strength) = 0.25f * (float)(RANDOM(1).v[2] % 12);
    OUT(ahead) = OUT(aside) = 0;
}

/* Everybody wants to where there are chairs, two places away at most along x and one along y and z. */
MASS_AGENT(rivals_push, guests, 0, SEES(chairs, worn), UPDATES(strength, AHEAD, ASIDE), CHILDREN(strength),
           SUMS(moved, spent), MINS(weakest))
{
    const mass_random4 r = RANDOM(0);
    const int y = SIZE_Y > 1 ? (int)(r.v[1] % 3) - 1 : 0, z = SIZE_Z > 1 ? (int)(r.v[2] % 3) - 1 : 0;
    const int x = SEE(chairs, 2, 0, 0) + (SEE(worn, 1, 0, 0) < 9) > SEE(chairs, -2, 0, 0) ? 1 : -2;
    OUT(strength) += WAS_REFUSED ? 1.5f : -0.25f;
    ADD(spent, mass_fixed(OUT(strength), 8));
    LEAST(weakest, (double)OUT(strength));
    if (r.v[0] % 11 == 0 || COUNT_AT(0, 0, 0) + COUNT_AT(1, 0, 0) > 9) KILL();
    if (r.v[3] % 7 == 0) {
        SPAWN(1 + r.v[3] / 7 % 2);
        CHILD(strength, 0) = OUT(strength) / 2;
        CHILD(strength, 1) = 3;
        if (EXISTS(1, y, z)) CHILD_TO(1, 1, y, z);
    }
    if (!EXISTS(x, y, z)) return;
    OUT(ahead) = (int16_t)(OUT(ahead) + x);
    OUT(aside) = (int16_t)(OUT(aside) + y + z);
    ADD(moved, 1);
    MIGRATE(x, y, z);
}

MASS_RESIDENTS(rivals_sit, guests, 0, 0, UPDATES(worn), MEETS(strength, AHEAD), BINS(shared))
{
    COUNT_IN(shared, RESIDENT_COUNT);
    EACH_RESIDENT(a) OUT(worn) = OUT(worn) * 0.75 + 0.1 * OF(strength, a) + OF(ahead, a);
}

MASS_AGENT(rivals_count, guests, 0, READS(strength), SUMS(mean), MAXES(strongest))
{
    ADD(mean, (double)IN(strength));
    MOST(strongest, (double)IN(strength));
}

MASS_AGENT(rivals_tell, guests, 0, READS(strength), KEYS(strengths))
{
    COUNT_KEY(strengths, (uint64_t)mass_fixed(IN(strength), 2));
}

MASS_AGENT(rivals_fly, birds, 2, UPDATES(age))
{
    const mass_random4 r = RANDOM(0);
    OUT(age) = OUT(age) * 3 + (uint32_t)STEP;
    MIGRATE_TO(r.v[0] % SIZE_X, r.v[1] % SIZE_Y);
}

MASS_OCCUPIED(rivals_sing, birds, 2, 0, UPDATES(noise), MEETS(age))
{
    EACH_RESIDENT(a) OUT(noise) = (uint16_t)(OUT(noise) * 5 + OF(age, a) + RESIDENT_ID(a));
}

#define CROWDED .condition = &(const mass_condition){.tally = "alive", .relation = MASS_AT_LEAST, .value = 40}
MASS_SCHEDULE(STARTS(rivals_seat), STARTS(rivals_arm), STEPS(rivals_push, .reach = 2),
              MANAGES(guests, .order = (uint32_t)VALUE(order)), STEPS(rivals_fly, CROWDED), MANAGES(birds),
              STEPS(rivals_sit), STEPS(rivals_sing), STEPS(rivals_count), STEPS(rivals_tell))

MASS_PLUGIN(.name = "rivals", .version = "1.0.0", .help = "agents that push each other off their seats");
