/* SPDX-License-Identifier: Apache-2.0 */
/* A market whose price follows demand, and folk who go where few went: bodies read tallies of every kind. Nothing is
 * drawn at random. plain.h has the same model as one loop. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, torus, 0, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, rare_from, 230, 0, 1000000, "demand from which the rare phase runs")

MASS_SPACE_OF(town, 1, 3, .size = {24, 18}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(town, int64_t, seen)

MASS_TALLY(SUM, int64_t, demand, "bought in a step", .initial = 40)
MASS_TALLY(SUM, double, price, "set by the first place", .initial = 1.5)
MASS_TALLY(MIN, int64_t, least, "of a third of the places", .initial = -7)
MASS_TALLY(MAX, double, most, "of a third of the places", .initial = 0.25)
MASS_TALLY(MEAN, double, mean, "of half of the places", .initial = 0.5)
MASS_TALLY(SUM, int64_t, ever, "counted from the start on", .cumulative = 1)
MASS_TALLY(SUM, int64_t, fixed, "in units of 1/256", .fraction_bits = 8, .initial = 3)
MASS_TALLY(MIN, double, rare, "of a phase that rarely runs: .initial of nothing", .initial = 9)
MASS_TALLY(SUM, int64_t, once, "counted by the start alone")
MASS_TALLY(SUM, int64_t, attendance, "folk who went", .initial = 100)
MASS_TALLY(SUM, int64_t, alive, "folk")
MASS_TALLY(SUM, int64_t, born, "in a step", .initial = 0)
MASS_TALLY(SUM, int64_t, trace, "of all that bodies read", .cumulative = 1)
MASS_REDUCTION(total_seen, .operation = MASS_SUM, .attribute = "seen")

MASS_POPULATION(folk, town, .count = 1, .initial = MASS_EVERY_PLACE, .children = 1, .alive = "alive", .born = "born")

MASS_FN uint64_t mixed(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}
#define NUMBER (uint64_t)(AT_X + 1000 * AT_Y + 1000000 * AT_Z)
#define TRACED(h) ADD(trace, (int64_t)((h) >> 40))

MASS_MAP(town_found, WRITES(seen), SUMS(ever, once), TOTALS(demand, ever))
{
    OUT(seen) = (int64_t)(NUMBER % 100);
    ADD(ever, 1 + TOTAL(demand) + TOTAL(ever));
    ADD(once, 2);
}

/* Adds to the tallies and reads them: their values from before the phase. */
MASS_MAP(town_buy, UPDATES(seen), SUMS(demand, mean, ever, fixed, trace), MINS(least), MAXES(most),
         TOTALS(demand, price, least, most, mean, ever, fixed, rare, once, alive, born, attendance,
                TYPED(total_seen, int64_t)))
{
    uint64_t h = mixed(NUMBER, mass_bits_f64(TOTAL(price)));
    h = mixed(mixed(h, (uint64_t)TOTAL(demand)), (uint64_t)TOTAL(least));
    h = mixed(mixed(h, mass_bits_f64(TOTAL(most))), mass_bits_f64(TOTAL(mean)));
    h = mixed(mixed(h, (uint64_t)TOTAL(ever)), (uint64_t)TOTAL(fixed));
    h = mixed(mixed(h, mass_bits_f64(TOTAL(rare))), (uint64_t)TOTAL(once));
    h = mixed(mixed(h, (uint64_t)TOTAL(alive)), (uint64_t)TOTAL(born));
    h = mixed(mixed(h, (uint64_t)TOTAL(attendance)), (uint64_t)TOTAL(total_seen));
    TRACED(h);
    OUT(seen) = OUT(seen) / 2 + (int64_t)(h >> 50);
    ADD(demand, TOTAL(price) < 4 * (double)(h >> 8 & 255) / 256);
    if (h % 3 == 0) LEAST(least, (int64_t)(h >> 16 & 1023) - 512);
    if (h % 3 == 1) MOST(most, (double)(h >> 16 & 1023) / 64);
    if (h % 2) ADD(mean, (double)(h >> 24 & 1023) / 8);
    ADD(ever, (int64_t)(h >> 32 & 3));
    ADD(fixed, (int64_t)(h >> 20 & 511));
}

/* Reads the sum so far, and adds more to it. */
MASS_MAP(town_again, SUMS(demand, trace), TOTALS(demand, least, mean))
{
    uint64_t h = mixed(NUMBER, (uint64_t)TOTAL(demand));
    h = mixed(mixed(h, (uint64_t)TOTAL(least)), mass_bits_f64(TOTAL(mean)));
    TRACED(h);
    ADD(demand, h >> 33 & 1);
}

MASS_MAP(town_rare, MINS(rare), SUMS(trace), TOTALS(demand, rare))
{
    const uint64_t h = mixed(mixed(NUMBER, (uint64_t)TOTAL(demand)), mass_bits_f64(TOTAL(rare)));
    TRACED(h);
    LEAST(rare, (double)(h >> 30 & 255));
}

MASS_MAP(town_price, SUMS(price, trace), TOTALS(demand, price, rare))
{
    TRACED(mixed(NUMBER, mass_bits_f64(TOTAL(rare))));
    if (NUMBER == 0) ADD(price, TOTAL(price) + (double)(TOTAL(demand) - 216) / 64);
}

MASS_AGENT(folk_go, folk, 0, SUMS(attendance, trace), TOTALS(attendance, alive, price))
{
    const uint64_t h = mixed(mixed(AGENT_ID, (uint64_t)TOTAL(attendance)),
                             mixed((uint64_t)TOTAL(alive), mass_bits_f64(TOTAL(price))));
    TRACED(h);
    ADD(attendance, (int64_t)(h >> 40 & 511) > TOTAL(attendance));
    if (TOTAL(alive) < 500 && h % 16 == 0) SPAWN(1);
    else if (TOTAL(alive) > 400 && h % 16 == 1) KILL();
}

/* The numbers of folk are those after the manage before. */
MASS_MAP(town_look, SUMS(trace), TOTALS(alive, born, attendance))
{
    TRACED(mixed(mixed(NUMBER, (uint64_t)TOTAL(alive)), mixed((uint64_t)TOTAL(born), (uint64_t)TOTAL(attendance))));
}

MASS_SCHEDULE(STARTS(town_found),
              STEPS(town_buy), STEPS(town_again),
              STEPS(town_rare,
                    .condition = &(const mass_condition){.tally = "demand", .relation = MASS_AT_LEAST, .value = 1,
                                                         .parameter = "rare_from"}),
              STEPS(town_price), STEPS(folk_go), MANAGES(folk), STEPS(town_look))

MASS_PLUGIN(.name = "totals", .version = "1.0.0", .help = "bodies that read tallies");
