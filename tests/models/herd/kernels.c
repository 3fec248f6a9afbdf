/* SPDX-License-Identifier: Apache-2.0 */
#include <mass/mass.h>

enum { BASE = 7, PRIME = 1000003 };

/* Scent is written before all manages and smelt after them, by neighbours. */
#define SMOOTH(FIELD)                     \
    FIELD(old,   int64_t, READ,  grass)   \
    FIELD(next,  int64_t, WRITE, grass)   \
    FIELD(scent, int64_t, WRITE, scent)   \
    FIELD(sum,   int64_t, SUM,   grass)
MASS_STENCIL(herd_smooth, SMOOTH, 2, 1)
{
    OUT(next) = (NEAR(old, -1, 0) * 3 + NEAR(old, 0, 1) * 5 + NEAR(old, 1, -1) + IN(old) + (int64_t)STEP) % PRIME;
    OUT(scent) = OUT(next) * 31 % PRIME;
    ADD(sum, OUT(next));
}

/* Sheep have children, one or two, where few stand. */
#define LIVE(FIELD)                        \
    FIELD(mark,  int64_t, UPDATE, mark)    \
    FIELD(grass, int64_t, PLACE,  grass)   \
    FIELD(given, int64_t, CHILD,  mark)    \
    FIELD(crowd, int64_t, PARAM,  crowd)   \
    FIELD(rare,  int64_t, PARAM,  rare)
MASS_AGENT(herd_live, LIVE, 2)
{
    const mass_random4 r = RANDOM(0);
    OUT(mark) = (OUT(mark) * BASE + SEE(grass, 1, 0) + (int64_t)STEP) % PRIME;
    if (CROWD(0, 0) < PARAM(crowd) && r.v[0] % (uint32_t)PARAM(rare) == 0) {
        SPAWN(1 + r.v[1] % 2);
        CHILD(given, 0) = OUT(mark) / 2;
        CHILD(given, 1) = 3;
        CHILD_TO(0, 0, 1);
    }
    if (r.v[2] % 256 == 0) KILL();
    MIGRATE((int)(r.v[3] % 3) - 1, (int)(r.v[3] / 3 % 3) - 1);
}

#define GRAZE(FIELD)                          \
    FIELD(trace,  int64_t, UPDATE,   trace)   \
    FIELD(mark,   int64_t, RESIDENT, mark)    \
    FIELD(eaten,  int64_t, SUM,      eaten)
MASS_RESIDENTS(herd_graze, GRAZE, 2, 0)
{
    EACH_RESIDENT(a) OUT(trace) = (OUT(trace) * BASE + OF(mark, a)) % PRIME;
    ADD(eaten, OUT(trace) % 2);
}

#define HUNT(FIELD) FIELD(mark, int64_t, UPDATE, mark) FIELD(given, int64_t, CHILD, mark)
MASS_AGENT(herd_hunt, HUNT, 2)
{
    const mass_random4 r = RANDOM(0);
    OUT(mark) = (OUT(mark) * BASE + (int64_t)STEP) % PRIME;
    if (r.v[0] % 8 == 0) {
        SPAWN(1);
        CHILD(given, 0) = OUT(mark);
        CHILD_TO(0, (int)(r.v[1] % 3) - 1, 1);
    }
    if (r.v[2] % 64 == 0) KILL();
    MIGRATE((int)(r.v[3] % 5) - 2, 0);
}

#define AGAIN(FIELD)                      \
    FIELD(mark,  int64_t, UPDATE, mark)   \
    FIELD(given, int64_t, CHILD,  mark)   \
    FIELD(crowd, int64_t, PARAM,  crowd)  \
    FIELD(rare,  int64_t, PARAM,  rare)
MASS_AGENT(herd_again, AGAIN, 2)
{
    OUT(mark) = (OUT(mark) * BASE + 1) % PRIME;
    if (CROWD(0, 0) >= PARAM(crowd) || RANDOM(0).v[0] % (uint32_t)PARAM(rare)) return;
    SPAWN(1);
    CHILD(given, 0) = 5;
}

#define ROLL(FIELD) FIELD(mark, int64_t, UPDATE, mark)
MASS_AGENT(herd_roll, ROLL, 2)
{
    OUT(mark)++;
    MIGRATE(RANDOM(0).v[0] % 2 ? 1 : 0, 1);
}

/* Asks for what no manage carries out. */
MASS_AGENT(herd_dream, ROLL, 2)
{
    OUT(mark)++;
    MIGRATE(0, 3);
}

#define TRACE(FIELD)                       \
    FIELD(trace,  int64_t, UPDATE, trace)  \
    FIELD(scent,  int64_t, READ,   scent)  \
    FIELD(traced, int64_t, SUM,    traced)
MASS_STENCIL(herd_trace, TRACE, 2, 1)
{
    OUT(trace) = (OUT(trace) * BASE + NEAR(scent, -1, 1) + NEAR(scent, 1, 0) + (int64_t)STEP) % PRIME;
    ADD(traced, OUT(trace));
}
