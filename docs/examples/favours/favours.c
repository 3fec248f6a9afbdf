/* SPDX-License-Identifier: Apache-2.0 */
/* People of a town talk to a friend and pay one, one person after the other. */
#include <mass/model.h>

MASS_NETWORK(town, .nodes = 2000, .generator = MASS_PREFERENTIAL, .degree = 3, .seed = 5)
MASS_ATTRIBUTE(town, uint8_t, opinion, .most = 1)
MASS_ATTRIBUTE(town, int32_t, coins, .initial = &(const int32_t){10})
MASS_TALLY(SUM, int64_t, ones, "people of opinion 1")
MASS_TALLY(SUM, int64_t, money, "coins of all people")

MASS_MAP(favours_begin, WRITES(opinion)) { OUT(opinion) = RANDOM(0).v[0] & 1; }

MASS_IN_TURN_NODES(favours_talk, town, LINKED(AS(theirs, opinion)), UPDATES(opinion))
{
    const mass_edge one = ONE_EDGE(0);
    if (IS_EDGE(one)) OUT(opinion) = OF(theirs, one);
}

MASS_IN_TURN_NODES(favours_pay, town, UPDATES(coins), CHANGES(AS(theirs, coins)))
{
    const mass_edge one = ONE_EDGE(0);
    if (!IS_EDGE(one) || OUT(coins) == 0) return;
    OUT(coins)--;
    OF(theirs, one)++;
}

MASS_MAP(favours_count, READS(opinion, coins), SUMS(ones, money))
{
    ADD(ones, IN(opinion));
    ADD(money, IN(coins));
}

MASS_SCHEDULE(STARTS(favours_begin), STEPS(favours_talk), STEPS(favours_pay), STEPS(favours_count))
MASS_PICTURE(town, opinion, 0, 1, 0xf4f1e8, 0x2a5d8a)
MASS_PLUGIN(.name = "favours", .version = "1.0.0", .help = "people who talk and pay, one after the other");
