/* SPDX-License-Identifier: Apache-2.0 */
/* Exchange of money, after A. Dragulescu and V. Yakovenko, "Statistical mechanics of money" (2000): everybody who has
 * something gives 1 to another one, drawn from all or from those on the same place. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, people, 10000, 1, UINT32_MAX - 2, "how many there are")
MASS_PARAMETER(int64_t, money, 1, 1, 1000000, "what each has at first")
MASS_PARAMETER(choice, to, "anybody", "to whom one gives: anybody, or one on the same place", "anybody", "place")

MASS_SPACE(grid, 2, .size = {100, 100}, .torus = MASS_AXES_ALL)
MASS_TALLY(SUM, int64_t, money, "what all have")
MASS_TALLY(SUM, int64_t, poor, "people who have nothing")
MASS_TALLY(SUM, int64_t, given, "gifts so far", .cumulative = 1)

MASS_POPULATION(people, grid, .count = VALUE(people), .constant = 1, .help = "any number on a place",
                .drawn = &(const mass_drawn){.colours = 1, .palette = (const uint32_t[]){0x1f5c3a}})
MASS_AGENT_ATTRIBUTE(people, int32_t, wealth, .most = INT32_MAX, .help = "money that one has")
MASS_AGENT_ATTRIBUTE(people, int32_t, received, .most = INT32_MAX, .help = "gifts of the step")

MASS_AGENT(boltzmann_endow, people, 2, GIVEN(money), WRITES(wealth)) { OUT(wealth) = (int32_t)PARAM(money); }

/* ---- to anybody ---- */

/* One may draw oneself, and then keeps the money. */
MASS_AGENT(boltzmann_give, people, 2, UPDATES(wealth), ADDS(received), SUMS(given))
{
    if (OUT(wealth) == 0) return;
    OUT(wealth)--;
    ADD_TO(received, ONE_OF(people, 0), 1);
    ADD(given, 1);
}

/* ---- to one on the same place ---- */

MASS_AGENT(boltzmann_walk, people, 2)
{
    const mass_random4 r = RANDOM(0);
    MIGRATE((int)mass_below_u32(3, r.v[0], r.v[1]) - 1, (int)mass_below_u32(3, r.v[2], r.v[3]) - 1);
}

MASS_OCCUPIED(boltzmann_meet, people, 2, 0, CHANGES(wealth, received), SUMS(given))
{
    uint32_t giver = 0;
    EACH_RESIDENT(a) {
        const mass_random4 r = RANDOM(giver++);
        if (OF(wealth, a) == 0) continue;
        const uint32_t drawn = mass_below_u32(RESIDENT_COUNT, r.v[0], r.v[1]);
        uint32_t nth = 0;
        EACH_RESIDENT(b) OF(received, b) += nth++ == drawn;
        OF(wealth, a)--;
        ADD(given, 1);
    }
}

MASS_AGENT(boltzmann_take, people, 2, UPDATES(wealth, received), SUMS(money, poor))
{
    OUT(wealth) += OUT(received);
    OUT(received) = 0;
    ADD(money, OUT(wealth));
    ADD(poor, OUT(wealth) == 0);
}

MASS_SCHEDULE(STARTS(boltzmann_endow), STARTS(boltzmann_take))
MASS_SCHEDULE(IF(VALUE(to) == 0, STEPS(boltzmann_give)), IF(VALUE(to) == 1, STEPS(boltzmann_walk)),
              IF(VALUE(to) == 1, MANAGES(people)), IF(VALUE(to) == 1, STEPS(boltzmann_meet)), STEPS(boltzmann_take))

MASS_REDUCTION(wealth_histogram, .operation = MASS_HISTOGRAM, .population = "people", .attribute = "wealth",
               .bins = 50, .low = 0, .high = 50, .help = "people by what they have")

MASS_PLUGIN(.name = "boltzmann", .version = "1.0.0", .help = "people who give money to each other");
