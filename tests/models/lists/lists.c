/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of parameters and tables by step in every kind of callback. Numbers beyond the end of a list are read if `span`
 * is greater than the number of prices. */
#include <mass/model.h>

MASS_PARAMETER_LIST(int64_t, prices, 24, "3, 1, 4, 1, 5", -1000, 1000, "of goods")
MASS_PARAMETER_LIST(double, rates, 600, "0.5, 0.25", 0, 1, "what is left of the water in a step")
MASS_PARAMETER_TABLE(double, rain, 4000, "", 0, 100, "that falls in a step")
MASS_PARAMETER_TABLE(int64_t, visits, 4000, "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20", 0, INT64_MAX,
                     "wages of a step")
MASS_PARAMETER(int64_t, span, 5, 1, 1000, "goods; as many as prices, or more")

MASS_SPACE(land, 2, .size = {24, 18}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(land, int64_t, goods)
MASS_ATTRIBUTE(land, double, water)
MASS_ATTRIBUTE(land, int64_t, seen)

MASS_TALLY(SUM, int64_t, worth, "of the goods")
MASS_TALLY(SUM, double, fallen, "rain")
MASS_TALLY(SUM, int64_t, purses, "of all traders")
MASS_TALLY(SUM, int64_t, refusals, "moves that were refused", .cumulative = 1)

MASS_POPULATION(traders, land, .count = EXTENT(land, 0) * EXTENT(land, 1) / 3, .capacity = 1,
                .initial = MASS_RANDOM_PLACES)
MASS_AGENT_ATTRIBUTE(traders, int64_t, purse)

MASS_MAP(lists_lay, WRITES(goods, water), LISTS(prices, rain))
{
    OUT(goods) = PARAM_AT(prices, (AT_X + 7 * AT_Y) % PARAM_COUNT(prices));
    OUT(water) = PARAM_NOW(rain);
}

MASS_STENCIL(lists_trade, 2, 1, READS(goods), WRITES(goods), LISTS(AS(given, prices)), GIVEN(span), SUMS(worth))
{
    const int64_t place = AT_X + 7 * AT_Y + (int64_t)STEP;
    OUT(goods) = IN(goods) + NEAR(goods, -1, 0) % 5 + PARAM_AT(given, place % PARAM(span));
    ADD(worth, OUT(goods));
}

MASS_MAP(lists_rain, UPDATES(water), LISTS(rates, rain), SUMS(fallen))
{
    OUT(water) = OUT(water) * PARAM_AT(rates, (int64_t)STEP % PARAM_COUNT(rates)) + PARAM_NOW(rain);
    ADD(fallen, OUT(water));
}

MASS_AGENT(lists_pay, traders, 0, UPDATES(purse), LISTS(prices, visits))
{
    const mass_random4 r = RANDOM(0);
    OUT(purse) += PARAM_AT(prices, AGENT_ID % (uint64_t)PARAM_COUNT(prices)) + PARAM_NOW(visits);
    MIGRATE((int)(r.v[0] % 3) - 1, (int)(r.v[1] % 3) - 1);
}

MASS_REFUSED(lists_again, traders, 0, UPDATES(purse), LISTS(prices), SUMS(refusals))
{
    OUT(purse) += PARAM_AT(prices, 0);
    ADD(refusals, (uint8_t)1);
}

MASS_RESIDENTS(lists_meet, traders, 2, 0, CHANGES(purse), LISTS(prices))
{
    EACH_RESIDENT(a) OF(purse, a) += PARAM_AT(prices, 2);
}

MASS_OCCUPIED(lists_visit, traders, 2, 0, UPDATES(seen), LISTS(prices))
{
    OUT(seen) += PARAM_COUNT(prices);
}

MASS_AGENT(lists_sum, traders, 0, READS(purse), SUMS(purses))
{
    ADD(purses, IN(purse));
}

MASS_SCHEDULE(STARTS(lists_lay), STEPS(lists_trade), STEPS(lists_rain), STEPS(lists_pay), MANAGES(traders),
              STEPS(lists_again), STEPS(lists_meet), STEPS(lists_visit), STEPS(lists_sum))

MASS_PLUGIN(.name = "lists", .version = "1.0.0", .help = "parameters that are lists of values");
