/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in a space of as many places as a machine has memory for, with few bytes for each. They start in bands of rows
 * and compete for places, also across the last place that 32 bits can number. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, every, 8192, 8, 1 << 20, "rows from one band to the next")

MASS_SPACE(plane, 2, .size = {512, 640}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(plane, uint8_t, seats, .most = 2)

MASS_TALLY(SUM, int64_t, alive, "walkers")
MASS_TALLY(SUM, int64_t, ids, "sum of the walkers' ids, before and after their moves")
MASS_TALLY(SUM, int64_t, beyond, "walkers on places from number 2^32 on")
MASS_TALLY(SUM, int64_t, over, "walkers that have just come to there, or back", .cumulative = 1)
MASS_TALLY(SUM, int64_t, refused, "moves to places where there was no seat left", .cumulative = 1)

MASS_POPULATION(walkers, plane, .capacity = 2, .conflict = MASS_LOTTERY, .initial = MASS_BY_ATTRIBUTE,
                .where = "seats", .alive = "alive")
MASS_AGENT_ATTRIBUTE(walkers, uint8_t, was_beyond)

#define IS_BEYOND ((AT_Y * SIZE_X + AT_X) >> 32 != 0)

/* Three rows on each side of where a band begins, two on a place at random. */
MASS_MAP(vast_seat, WRITES(seats), GIVEN(every))
{
    const mass_gidx row = (AT_Y + 3) % PARAM(every);
    OUT(seats) = row < 6 && AT_Y + 3 < SIZE_Y ? (uint8_t)(1 + RANDOM(0).v[0] % 2) : 0;
}

MASS_AGENT(vast_note, walkers, 2, WRITES(was_beyond))
{
    OUT(was_beyond) = IS_BEYOND;
}

MASS_AGENT(vast_walk, walkers, 2, SUMS(ids))
{
    const mass_random4 r = RANDOM(0);
    ADD(ids, (int64_t)AGENT_ID);
    MIGRATE((int)(r.v[0] % 5) - 2, (int)(r.v[1] % 5) - 2);
}

MASS_AGENT(vast_look, walkers, 2, UPDATES(was_beyond), SUMS(ids, beyond, over))
{
    const uint8_t is = IS_BEYOND;
    ADD(ids, (int64_t)AGENT_ID);
    ADD(beyond, is);
    ADD(over, is != OUT(was_beyond));
    OUT(was_beyond) = is;
}

MASS_REFUSED(vast_count, walkers, 2, SUMS(refused)) { ADD(refused, 1); }

MASS_SCHEDULE(STARTS(vast_seat), STARTS(vast_note), STEPS(vast_walk, .reach = 2), MANAGES(walkers), STEPS(vast_look),
              STEPS(vast_count))

MASS_PLUGIN(.name = "vast", .version = "1.0.0", .help = "agents in a space of any size");
