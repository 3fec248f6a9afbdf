/* SPDX-License-Identifier: Apache-2.0 */
/* Populations that grow for a long time, in manages of every kind: two in a step, one under a condition, with and
 * without a capacity. Whatever is done twice, or not at all, shows. */
#define MASS_SHARED_CALLBACKS /* herd.h */
#include <mass/model.h>

#include "herd.h"

enum { BASE = 7, PRIME = 1000003 };

MASS_SPACE(field, 2, .size = {64, 48}, .torus = MASS_AXES_ALL)
MASS_PARAMETER(int64_t, crowd, 12, 0, 1000000, "so many sheep on a place have no more")
MASS_PARAMETER(int64_t, rare, 16, 1, 1000000, "one sheep in so many has children")

MASS_TALLY(SUM, int64_t, grass, "on all places")
MASS_TALLY(SUM, int64_t, traced, "for a test", .cumulative = 1)
MASS_TALLY(SUM, int64_t, eaten, "for a test")
MASS_TALLY(SUM, int64_t, born, "sheep", .cumulative = 1)
MASS_TALLY(SUM, int64_t, died, "sheep")
MASS_TALLY(SUM, int64_t, alive, "sheep")
MASS_TALLY(SUM, int64_t, refused, "wolves")

MASS_ATTRIBUTE(field, int64_t, grass)
MASS_ATTRIBUTE(field, int64_t, trace)
MASS_ATTRIBUTE(field, int64_t, scent)
MASS_POPULATION(sheep, field, .children = 2, .count = 3, .born = "born", .died = "died", .alive = "alive")
MASS_POPULATION(wolves, field, .children = 1, .count = 5, .capacity = 3, .unborn = "refused")
MASS_POPULATION(stones, field, .count = 9, .capacity = 2)
MASS_AGENT_ATTRIBUTE(sheep, int64_t, mark)
MASS_AGENT_ATTRIBUTE(wolves, int64_t, mark)
MASS_AGENT_ATTRIBUTE(stones, int64_t, mark)

/* Scent is written before all manages and smelt after them, by neighbours. */
MASS_STENCIL(herd_smooth, 2, 1, READS(grass), WRITES(grass, scent), SUMS(grass))
{
    OUT(grass) =
        (NEAR(grass, -1, 0) * 3 + NEAR(grass, 0, 1) * 5 + NEAR(grass, 1, -1) + IN(grass) + (int64_t)STEP) % PRIME;
    OUT(scent) = OUT(grass) * 31 % PRIME;
    ADD(grass, OUT(grass));
}

/* Sheep have children, one or two, where few stand. */
MASS_AGENT(herd_live, sheep, 2, UPDATES(mark), SEES(grass), CHILDREN(mark), GIVEN(crowd, rare))
{
    const mass_random4 r = RANDOM(0);
    OUT(mark) = (OUT(mark) * BASE + SEE(grass, 1, 0) + (int64_t)STEP) % PRIME;
    if (COUNT_AT(0, 0) < PARAM(crowd) && r.v[0] % (uint32_t)PARAM(rare) == 0) {
        SPAWN(1 + r.v[1] % 2);
        CHILD(mark, 0) = OUT(mark) / 2;
        CHILD(mark, 1) = 3;
        CHILD_TO(0, 0, 1);
    }
    if (r.v[2] % 256 == 0) KILL();
    MIGRATE((int)(r.v[3] % 3) - 1, (int)(r.v[3] / 3 % 3) - 1);
}

MASS_RESIDENTS(herd_graze, sheep, 2, 0, UPDATES(trace), MEETS(mark), SUMS(eaten))
{
    EACH_RESIDENT(a) OUT(trace) = (OUT(trace) * BASE + OF(mark, a)) % PRIME;
    ADD(eaten, OUT(trace) % 2);
}

MASS_AGENT(herd_hunt, wolves, 2, UPDATES(mark), CHILDREN(mark))
{
    const mass_random4 r = RANDOM(0);
    OUT(mark) = (OUT(mark) * BASE + (int64_t)STEP) % PRIME;
    if (r.v[0] % 8 == 0) {
        SPAWN(1);
        CHILD(mark, 0) = OUT(mark);
        CHILD_TO(0, (int)(r.v[1] % 3) - 1, 1);
    }
    if (r.v[2] % 64 == 0) KILL();
    MIGRATE((int)(r.v[3] % 5) - 2, 0);
}

MASS_AGENT(herd_again, sheep, 2, UPDATES(mark), CHILDREN(mark), GIVEN(crowd, rare))
{
    OUT(mark) = (OUT(mark) * BASE + 1) % PRIME;
    if (COUNT_AT(0, 0) >= PARAM(crowd) || RANDOM(0).v[0] % (uint32_t)PARAM(rare)) return;
    SPAWN(1);
    CHILD(mark, 0) = 5;
}

MASS_AGENT(herd_roll, stones, 2, UPDATES(mark))
{
    OUT(mark)++;
    MIGRATE(RANDOM(0).v[0] % 2 ? 1 : 0, 1);
}

MASS_STENCIL(herd_trace, 2, 1, UPDATES(trace), READS(scent), SUMS(traced))
{
    OUT(trace) = (OUT(trace) * BASE + NEAR(scent, -1, 1) + NEAR(scent, 1, 0) + (int64_t)STEP) % PRIME;
    ADD(traced, OUT(trace));
}

/* Asks for what no manage applies. */
MASS_AGENT(herd_dream, sheep, 2, UPDATES(mark))
{
    OUT(mark)++;
    MIGRATE(0, 3);
}

#define FED .condition = &(const mass_condition){.tally = "eaten", .relation = MASS_AT_LEAST, .value = 100}
MASS_SCHEDULE(STEPS(herd_smooth), STEPS(herd_live, .reach = 1), MANAGES(sheep), STEPS(herd_graze), STEPS(herd_hunt),
              MANAGES(wolves, FED), STEPS(herd_again, FED), MANAGES(sheep, .order = MASS_KILL_SPAWN_MIGRATE),
              STEPS(herd_roll), MANAGES(stones), STEPS(herd_trace), STEPS(herd_dream))

MASS_PLUGIN(.name = "herd", .version = "1.0.0", .help = "sheep, wolves and stones");
