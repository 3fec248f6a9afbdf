/* SPDX-License-Identifier: Apache-2.0 */
/* A market: who would pay the price buys, and the price follows demand. */
#include <mass/model.h>

MASS_PARAMETER(double, supply, 4096, 1, 1e9, "what can be sold in a step")
MASS_PARAMETER(double, speed, 0.1, 0, 1, "how fast the price follows demand")

MASS_SPACE(town, 2, .size = {128, 128})
MASS_ATTRIBUTE(town, float, limit, .help = "the highest price that the place pays")
MASS_TALLY(SUM, int64_t, demand, "places that buy", .initial = 0)
MASS_WORLD_ATTRIBUTE(double, price, .initial = 1, .help = "set by the market")
MASS_WORLD_ATTRIBUTE(double, usual, .help = "demand, with older steps counting less")

MASS_MAP(town_found, WRITES(limit)) { OUT(limit) = 2 * mass_unit_f32(RANDOM(0).v[0]); }

MASS_MAP(town_buy, READS(limit), WORLD(price), SUMS(demand)) { ADD(demand, IN(limit) >= OF_WORLD(price)); }

/* Once a world, after all places. A phase before this one counts demand: it is that of this step. */
MASS_ONCE(market_set_price, UPDATES(price, usual), GIVEN(supply, speed), TOTALS(demand))
{
    OUT(usual) += ((double)TOTAL(demand) - OUT(usual)) / 3;
    OUT(price) *= 1 + PARAM(speed) * (OUT(usual) / PARAM(supply) - 1);
}

MASS_SCHEDULE(STARTS(town_found), STEPS(town_buy), STEPS(market_set_price))

MASS_PLUGIN(.name = "market", .version = "1.0.0", .help = "a market whose price follows demand");
