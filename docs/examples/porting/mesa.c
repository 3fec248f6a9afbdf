/* SPDX-License-Identifier: Apache-2.0 */
/* People in a town: the parts that docs/porting.md shows next to code of Mesa. */
#include <mass/model.h>

/* 1. Agents and their attributes. */
MASS_SPACE(town, 2, .size = {20, 20}, .torus = MASS_AXES_ALL)
MASS_TALLY(SUM, int64_t, present, "people in the town")
MASS_POPULATION(people, town, .count = 200, .capacity = 1, .sprouts = 1, .initial = MASS_RANDOM_PLACES,
                .alive = "present")
MASS_AGENT_ATTRIBUTE(people, int32_t, wealth, .initial = &(const int32_t){1})
MASS_AGENT_ATTRIBUTE(people, uint8_t, kind, .most = 1)

MASS_AGENT(settle, people, 2, WRITES(kind)) { OUT(kind) = (uint8_t)(RANDOM(0).v[0] % 2); }

/* Further attributes. */
MASS_AGENT_ATTRIBUTE(people, float, opinion)
MASS_AGENT_ATTRIBUTE(people, uint8_t, poor, .most = 1)

/* 2. One after the other. */
MASS_IN_TURN(give, people, 2, 1, UPDATES(wealth), CHANGES(AS(their_wealth, wealth)))
{
    const mass_peer other = ONE_NEARBY(1, 0);
    if (OUT(wealth) == 0 || !IS_ANYBODY(other)) return;
    OF(their_wealth, other) += 1;
    OUT(wealth) -= 1;
}

/* 3. All at once. */
MASS_AGENT(adapt, people, 2, UPDATES(opinion), NEARBY(AS(theirs, opinion)))
{
    float sum = OUT(opinion);
    EACH_NEARBY(o, 1) sum += OF(theirs, o);
    OUT(opinion) = sum / (float)(1 + COUNT_NEARBY(1));
}

/* 4. Neighbours, and an empty place anywhere. */
MASS_TALLY(SUM, int64_t, unhappy, "people who want to move")

MASS_AGENT(look, people, 2, READS(kind), NEARBY(AS(their_kind, kind)), FREE_PLACES(people), SUMS(unhappy))
{
    int alike = 0;
    EACH_NEARBY(o, 1) alike += OF(their_kind, o) == IN(kind);
    if (alike >= 3) return;
    ADD(unhappy, 1);
    MIGRATE_TO_PLACE(FREE_PLACE(0));
}

/* 5. An empty place around. */
MASS_IN_TURN(stroll, people, 2, 1)
{
    int found = 0, to_x = 0, to_y = 0;
    MASS_MOORE_2D(dx, dy, 1) {
        if (COUNT_AT(dx, dy)) continue;
        const mass_random4 r = RANDOM(found++);
        if (mass_below_u32((uint32_t)found, r.v[0], r.v[1]) == 0) to_x = dx, to_y = dy;
    }
    if (found) MOVE(to_x, to_y);
}

/* 6. Deaths. */
MASS_PARAMETER(double, leaving, 0.02, 0, 1, "chance that somebody leaves the town in a step")

MASS_AGENT(leave, people, 2, GIVEN(leaving))
{
    const mass_random4 r = RANDOM(0);
    if (mass_unit_f64(r.v[0], r.v[1]) < PARAM(leaving)) KILL();
}

/* 7. New agents. */
MASS_RESIDENTS(arrive, people, 2, 0, GIVEN(leaving), SPROUTS(wealth))
{
    const mass_random4 r = RANDOM(0);
    if (RESIDENT_COUNT || mass_unit_f64(r.v[0], r.v[1]) >= PARAM(leaving)) return;
    SPROUT(1);
    SPROUT_VALUE(wealth, 0) = 5;
}

/* 8. A layer of places. */
MASS_ATTRIBUTE(town, int32_t, sugar, .least = 0, .most = 4, .initial = &(const int32_t){4})

MASS_MAP(regrow, UPDATES(sugar)) { OUT(sugar) = OUT(sugar) < 4 ? OUT(sugar) + 1 : 4; }

MASS_OCCUPIED(harvest, people, 2, 0, UPDATES(sugar), CHANGES(wealth))
{
    EACH_RESIDENT(one) {
        OF(wealth, one) += OUT(sugar);
        OUT(sugar) = 0;
    }
}

/* 9. What is collected. */
MASS_TALLY(SUM, int64_t, riches, "wealth of all", .initial = 0)
MASS_TALLY(MAX, int64_t, richest, "wealth of the richest", .initial = 0)

MASS_AGENT(count, people, 2, READS(wealth), SUMS(riches), MAXES(richest))
{
    ADD(riches, (int64_t)IN(wealth));
    MOST(richest, (int64_t)IN(wealth));
}
MASS_SERIES("riches")
MASS_SERIES("riches / present", .name = "mean_wealth")

/* 10. A total that feeds back. */
MASS_AGENT(compare, people, 2, READS(wealth), WRITES(poor), TOTALS(riches, present))
{
    OUT(poor) = (uint8_t)(IN(wealth) * TOTAL(present) < TOTAL(riches));
}

/* A step. */
MASS_SCHEDULE(STARTS(settle), STEPS(regrow), STEPS(give), STEPS(stroll), STEPS(adapt, .reach = 1))
MASS_SCHEDULE(STEPS(look, .reach = 1), STEPS(leave), MANAGES(people), STEPS(arrive), MANAGES(people))
MASS_SCHEDULE(STEPS(harvest), STEPS(count), STEPS(compare), MANAGES(people))

MASS_PLUGIN(.name = "from-mesa", .version = "1.0.0", .help = "people in a town");
