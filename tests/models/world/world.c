/* SPDX-License-Identifier: Apache-2.0 */
/* A market and a bar. Bodies that run once a world compute the price, and what is remembered of the last steps. Places,
 * agents and agents on places read them. plain.h has the same model as one loop. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, torus, 0, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(double, speed, 0.25, 0, 1, "how fast the price follows demand")
MASS_PARAMETER(int64_t, span, 5, 1, 9, "values of the memory that places look at")
MASS_PARAMETER(int64_t, last, 2, 1, 9, "number of the last value of the past")
MASS_PARAMETER_LIST(double, weights, 8, "0.5, 0.25, 0.125", 0, 1, "of the last demands")

MASS_SPACE_OF(town, 1, 3, .size = {24, 18}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(town, int64_t, seen)
MASS_ATTRIBUTE(town, int64_t, around)

MASS_TALLY(SUM, int64_t, demand, "bought in a step", .initial = 40)
MASS_TALLY(SUM, int64_t, attendance, "folk who went", .initial = 100)
MASS_TALLY(SUM, int64_t, found, "counted by the start alone", .initial = 5)
MASS_TALLY(SUM, int64_t, trace, "of all that bodies read", .cumulative = 1)

MASS_WORLD_ATTRIBUTE(double, price, .initial = 1.5, .unit = "gold", .help = "set by the market")
MASS_WORLD_ATTRIBUTE(int64_t, turns, .initial = -3, .help = "counted by the market")
MASS_WORLD_ATTRIBUTE(int64_t, luck)
MASS_WORLD_ARRAY(int64_t, memory, 5, .initial = 100, .help = "attendances of the last steps, the last first")
MASS_WORLD_ARRAY(double, past, 3, .help = "demands of the last steps")

MASS_POPULATION(folk, town, .count = 1, .initial = MASS_EVERY_PLACE)
MASS_AGENT_ATTRIBUTE(folk, int64_t, mood)

MASS_FN uint64_t mixed(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}
#define NUMBER (uint64_t)(AT_X + 1000 * AT_Y + 1000000 * AT_Z)
#define TRACED(h) ADD(trace, (int64_t)((h) >> 40))

/* Reads the first values. */
MASS_MAP(town_found, WRITES(seen, around), SUMS(found, trace), WORLD(price, turns, luck, memory, past))
{
    uint64_t h = mixed(NUMBER, mass_bits_f64(OF_WORLD(price)));
    h = mixed(mixed(h, (uint64_t)OF_WORLD(turns)), (uint64_t)OF_WORLD(luck));
    h = mixed(mixed(h, (uint64_t)OF_WORLD_AT(memory, 4)), mass_bits_f64(OF_WORLD_AT(past, 2)));
    TRACED(h);
    OUT(seen) = (int64_t)(NUMBER % 100);
    OUT(around) = 0;
    ADD(found, 1);
}

/* In the start: after the phase that counts. */
MASS_ONCE(town_open, UPDATES(turns, past), TOTALS(found, demand))
{
    OUT(turns) += TOTAL(found) % 7;
    OUT_AT(past, 1) = (double)TOTAL(demand);
    OUT_AT(past, 2) = (double)(RANDOM(1).v[0] % 64);
}

MASS_MAP(town_buy, UPDATES(seen), SUMS(demand, trace), WORLD(AS(cost, price), memory), GIVEN(span))
{
    const uint64_t seen = (uint64_t)OF_WORLD_AT(memory, STEP % (uint64_t)PARAM(span));
    const uint64_t h = mixed(mixed(NUMBER, mass_bits_f64(OF_WORLD(cost))), seen);
    TRACED(h);
    OUT(seen) = OUT(seen) / 2 + (int64_t)(h >> 50);
    ADD(demand, OF_WORLD(cost) < 4 * (double)(h >> 8 & 255) / 256);
}

/* Reads a total of this step, and one of the step before; draws; reads one attribute and writes others. */
MASS_ONCE(town_set, UPDATES(price, turns, past), WRITES(luck), WORLD(memory), TOTALS(demand, attendance),
          LISTS(weights), GIVEN(speed, last))
{
    double wanted = 0;
    for (int64_t i = PARAM(last); i > 0; i--) OUT_AT(past, i) = OUT_AT(past, i - 1);
    OUT_AT(past, 0) = (double)TOTAL(demand);
    for (int i = 0; i < PARAM_COUNT(weights); i++) wanted += PARAM_AT(weights, i) * OUT_AT(past, i);
    OUT(price) += PARAM(speed) * (wanted - (double)OF_WORLD_AT(memory, 0)) / 64;
    OUT(turns) += 1 + (TOTAL(attendance) > 200);
    OUT(luck) = (int64_t)(RANDOM(3).v[2] % 1000) + (int64_t)STEP;
}

/* Reads what the phase before wrote: a stencil. */
MASS_STENCIL(town_look, 0, 1, READS(seen), WRITES(around), SUMS(trace), WORLD(price, luck))
{
    const uint64_t h = mixed(mixed(NUMBER, mass_bits_f64(OF_WORLD(price))), (uint64_t)OF_WORLD(luck));
    TRACED(h);
    OUT(around) = NEAR(seen, 1, 0, 0) + OF_WORLD(luck);
}

/* Now and then: the condition reads a world attribute. */
MASS_ONCE(town_fair, UPDATES(price, turns))
{
    OUT(price) = 1.5;
    OUT(turns) = -3;
}

MASS_AGENT(folk_go, folk, 0, UPDATES(mood), SUMS(attendance, trace), WORLD(memory, turns))
{
    uint64_t h = mixed(AGENT_ID, (uint64_t)OF_WORLD(turns));
    int64_t sum = 0;
    for (int i = 0; i < 5; i++) sum += OF_WORLD_AT(memory, i);
    h = mixed(mixed(h, (uint64_t)sum), (uint64_t)OUT(mood));
    TRACED(h);
    OUT(mood) = (int64_t)(h >> 54);
    ADD(attendance, (int64_t)(h >> 40 & 511) > sum / 5);
}

/* The memory shifts. */
MASS_ONCE(bar_close, UPDATES(memory), TOTALS(attendance))
{
    for (int i = 4; i > 0; i--) OUT_AT(memory, i) = OUT_AT(memory, i - 1);
    OUT_AT(memory, 0) = TOTAL(attendance);
}

MASS_RESIDENTS(town_meet, folk, 0, 0, UPDATES(seen), READS(around), MEETS(mood), SUMS(trace), WORLD(memory))
{
    uint64_t h = mixed(mixed(NUMBER, (uint64_t)OF_WORLD_AT(memory, 0)), (uint64_t)IN(around));
    EACH_RESIDENT(i) h = mixed(h, (uint64_t)OF(mood, i));
    TRACED(h);
    OUT(seen) += (int64_t)(h >> 60);
}

MASS_SCHEDULE(STARTS(town_found), STARTS(town_open), STEPS(town_buy), STEPS(town_set), STEPS(town_look),
              STEPS(town_fair,
                    .condition = &(const mass_condition){.tally = "turns", .relation = MASS_GREATER, .value = 9}),
              STEPS(folk_go), STEPS(bar_close), STEPS(town_meet))

MASS_PLUGIN(.name = "world", .version = "1.0.0", .help = "bodies that run once a world");
