/* SPDX-License-Identifier: Apache-2.0 */
/* People who give money to anybody, remember a friend by id, and move out of quarters that are too crowded. */
#include <mass/model.h>

MASS_SPACE(town, 2, .size = {60, 40}, .torus = MASS_AXES_ALL)
MASS_TALLY(SUM, int64_t, total, "money of all people")
MASS_TALLY(SUM, int64_t, poor, "people without money")
MASS_POPULATION(people, town, .count = 1500, .capacity = 1, .initial = MASS_RANDOM_PLACES)
MASS_AGENT_ATTRIBUTE(people, int32_t, money, .initial = &(const int32_t){10})
MASS_AGENT_ATTRIBUTE(people, uint64_t, friend_id)

/* Each gives 1 to one of all. */
MASS_AGENT(people_give, people, 2, READS(money), ADDS_ANYBODY(money))
{
    if (IN(money) == 0) return;
    ADD_TO(money, SELF, -1);
    ADD_TO(money, ONE_OF(people, 0), 1);
}

/* Each looks at its friend, and takes the friend's friend for one if it is poor. */
MASS_AGENT(people_choose, people, 2, BY_ID(people), UPDATES(friend_id), ANYBODY(money, AS(theirs, friend_id)))
{
    const mass_somebody one = AGENT(people, OUT(friend_id));
    if (!IS_ANYBODY(one)) OUT(friend_id) = ID_OF(ONE_OF(people, 1));
    else if (OF(money, one) == 0) OUT(friend_id) = OF(theirs, one);
}

/* Who has five neighbours or more goes to a free place anywhere; who does not get it tries once more. */
MASS_AGENT(people_move, people, 2, FREE_PLACES(people))
{
    int near = 0;
    MASS_MOORE_2D(dx, dy, 1) near += (int)COUNT_AT(dx, dy);
    if (near >= 5) MIGRATE_TO_PLACE(FREE_PLACE(0));
}
MASS_REFUSED(people_retry, people, 2, FREE_PLACES(people)) { MIGRATE_TO_PLACE(FREE_PLACE(0)); }

MASS_AGENT(people_count, people, 2, READS(money), SUMS(total, poor))
{
    ADD(total, (int64_t)IN(money));
    ADD(poor, (uint8_t)(IN(money) == 0));
}

MASS_SCHEDULE(STEPS(people_give), STEPS(people_choose), STEPS(people_move, .reach = 1), MANAGES(people))
MASS_SCHEDULE(STEPS(people_retry), MANAGES(people), STEPS(people_count))

MASS_PLUGIN(.name = "exchange", .version = "1.0.0", .help = "people who give money to anybody");
