/* SPDX-License-Identifier: Apache-2.0 */
/* Exchange of money, after A. Dragulescu and V. Yakovenko, "Statistical mechanics of money" (2000): everybody who has
 * something gives 1 to another one, drawn from all or from those on the same place. They act all at once or in turn. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, people, 10000, 1, UINT32_MAX - 2, "how many there are")
MASS_PARAMETER(int64_t, money, 1, 1, 1000000, "what each has at first")
MASS_PARAMETER(choice, to, "anybody", "to whom one gives: anybody, or one on the same place", "anybody", "place")
MASS_PARAMETER(choice, activation, "all", "whether people act all at once, or one after the other", "all", "turn")

MASS_SPACE(grid, 2, .size = {100, 100}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(grid, uint8_t, ground, .most = 0, .help = "what pictures show people on")
MASS_TALLY(SUM, int64_t, money, "what all have")
MASS_TALLY(SUM, int64_t, poor, "people who have nothing")
MASS_TALLY(MAX, int64_t, richest, "what the richest has")
MASS_TALLY(SUM, int64_t, given, "gifts so far", .cumulative = 1)

MASS_POPULATION(people, grid, .count = VALUE(people), .constant = 1, .help = "any number on a place",
                .drawn = &(const mass_drawn){.attribute = "wealth", .colours = 6,
                                             .palette = (const uint32_t[]){0xb9bec4, 0xf2c14e, 0xf08a4b, 0xd1495b,
                                                                           0x8f2d56, 0x3b1f4a}})
MASS_AGENT_ATTRIBUTE(people, int64_t, wealth, .least = 0, .help = "money that one has")
MASS_AGENT_ATTRIBUTE(people, int32_t, received, .least = 0, .help = "gifts that one gets in a phase: 0 between steps")

MASS_AGENT(boltzmann_endow, people, 2, GIVEN(money), WRITES(wealth)) { OUT(wealth) = PARAM(money); }

/* ---- to anybody, oneself included ---- */

MASS_AGENT(boltzmann_give, people, 2, READS(wealth), ADDS_ANYBODY(wealth), SUMS(given))
{
    if (IN(wealth) <= 0) return;
    ADD_TO(wealth, SELF, -1);
    ADD_TO(wealth, ONE_OF(people, 0), 1);
    ADD(given, 1);
}

/* ---- to one on the same place, oneself included ---- */

MASS_AGENT(boltzmann_walk, people, 2)
{
    const mass_random4 r = RANDOM(0);
    MIGRATE((int)mass_below_u32(3, r.v[0], r.v[1]) - 1, (int)mass_below_u32(3, r.v[2], r.v[3]) - 1);
}

/* Gifts are kept apart until all have given. */
MASS_OCCUPIED(boltzmann_meet, people, 2, 0, CHANGES(wealth, received), SUMS(given))
{
    uint32_t giver = 0;
    EACH_RESIDENT(a) OF(received, a) = 0; /* what a table of people gave */
    EACH_RESIDENT(a) {
        const mass_random4 r = RANDOM(giver++);
        if (OF(wealth, a) <= 0) continue;
        const uint32_t drawn = mass_below_u32(RESIDENT_COUNT, r.v[0], r.v[1]);
        uint32_t nth = 0;
        EACH_RESIDENT(b) OF(received, b) += nth++ == drawn;
        OF(wealth, a)--;
        ADD(given, 1);
    }
    EACH_RESIDENT(a) {
        OF(wealth, a) += OF(received, a);
        OF(received, a) = 0;
    }
}

/* ---- in turn, to another one on the same place ---- */

#if MASS_HOST

MASS_OPEN(boltzmann_check_activation)
{
    if (VALUE(activation) == 0 || VALUE(to) == 1) return MASS_OK;
    return host->fail(host, MASS_BAD_USAGE, "parameter activation: people act in turn only with to=place");
}

#endif

MASS_IN_TURN(boltzmann_act, people, 2, 1, UPDATES(wealth), CHANGES(AS(its_wealth, wealth)), SUMS(given))
{
    const mass_random4 r = RANDOM(0);
    const int dx = (int)mass_below_u32(3, r.v[0], r.v[1]) - 1, dy = (int)mass_below_u32(3, r.v[2], r.v[3]) - 1;
    MOVE(dx, dy);
    if (OUT(wealth) <= 0) return;
    const mass_peer other = ONE_AT(1, dx, dy);
    if (!IS_ANYBODY(other)) return;
    OUT(wealth)--;
    OF(its_wealth, other)++;
    ADD(given, 1);
}

/* ---- what is counted ---- */

MASS_AGENT(boltzmann_count, people, 2, READS(wealth), SUMS(money, poor), MAXES(richest))
{
    ADD(money, IN(wealth));
    ADD(poor, IN(wealth) == 0);
    MOST(richest, IN(wealth));
}

MASS_SCHEDULE(STARTS(boltzmann_endow), STARTS(boltzmann_count), IF(VALUE(to) == 0, STEPS(boltzmann_give)))
#define ON_PLACES(activated, phase) IF(VALUE(to) == 1 && VALUE(activation) == (activated), phase)
MASS_SCHEDULE(ON_PLACES(1, STEPS(boltzmann_act)), ON_PLACES(0, STEPS(boltzmann_walk)), ON_PLACES(0, MANAGES(people)),
              ON_PLACES(0, STEPS(boltzmann_meet)), STEPS(boltzmann_count))

MASS_REDUCTION(wealth_histogram, .operation = MASS_HISTOGRAM, .population = "people", .attribute = "wealth",
               .bins = 50, .low = 0, .high = 50, .help = "people by what they have")

MASS_PICTURE(grid, ground, 0, 1, 0xf4f1e8, 0)
MASS_SERIES("poor")
MASS_DEFAULT_STEPS(100)
MASS_PLUGIN(.name = "boltzmann", .version = "1.0.0", .help = "people who give money to each other");
