/* SPDX-License-Identifier: Apache-2.0 */
/* Minesweeper's rules, compiled for the CPU and for CUDA. */
#include "kernels.h"

#include <mass/mass.h>

/* ---- the board ---- */

#define DRAW(FIELD)                       \
    FIELD(mine,  uint8_t, WRITE, mine)    \
    FIELD(flag,  uint8_t, WRITE, flag)    \
    FIELD(value, float,   WRITE, value)   \
    FIELD(mines, int64_t, PARAM, mines_drawn)

/* In the random order, first come the mines, then the flag, then all other places. */
MASS_MAP(minesweeper_draw, DRAW)
{
    const uint64_t place = (uint64_t)(AT_Y * SIZE_X + AT_X), places = (uint64_t)(SIZE_X * SIZE_Y);
    const uint64_t position = SHUFFLED(0, place, places), mines = (uint64_t)PARAM(mines);
    OUT(mine) = position < mines;
    OUT(flag) = position == mines;
    OUT(value) = OUT(mine) ? -1.0f : OUT(flag) ? 1.0f : 0.0f;
}

/* ---- episodes ---- */

/* Asks to move to where an episode starts: a random place, or the corner. */
#define ASK_FOR_START                                                                      \
    do {                                                                                   \
        const mass_random4 r_ = RANDOM(0);                                                 \
        const uint32_t x_ = mass_below_u32((uint32_t)SIZE_X, r_.v[0], r_.v[1]);            \
        const uint32_t y_ = mass_below_u32((uint32_t)SIZE_Y, r_.v[2], r_.v[3]);            \
        if (PARAM(corner)) MIGRATE_TO(0, 0);                                               \
        else MIGRATE_TO(x_, y_);                                                           \
    } while (0)

#define BEGIN(FIELD)                           \
    FIELD(corner,  int64_t, PARAM, start)      \
    FIELD(active,  uint8_t, WRITE, active)     \
    FIELD(walking, int64_t, SUM,   active)

MASS_AGENT(minesweeper_begin, BEGIN, 2)
{
    OUT(active) = 1;
    ADD(walking, 1);
    ASK_FOR_START;
}

#define RESTART(FIELD)                         \
    FIELD(corner,  int64_t, PARAM, start)      \
    FIELD(active,  uint8_t, WRITE, active)     \
    FIELD(episode, uint32_t, UPDATE, episode)  \
    FIELD(ended,   int64_t, SUM,   episode)

MASS_AGENT(minesweeper_restart, RESTART, 2)
{
    OUT(active) = 1;
    OUT(episode)++;
    ADD(ended, AGENT_ID == 0);
    ASK_FOR_START;
}

/* ---- the step ---- */

/* The action of the greatest value; of equals the lowest. */
MASS_FN uint32_t best_of(minesweeper_values q)
{
    uint32_t best = 0;
    float value = q.of[0];
    for (uint32_t a = 1; a < ACTIONS; a++)
        if (q.of[a] > value) best = a, value = q.of[a];
    return best;
}
MASS_FN float value_of(minesweeper_values q)
{
    return mass_max_f32(mass_max_f32(q.of[0], q.of[1]), mass_max_f32(q.of[2], q.of[3]));
}

/* What an action is worth that leads to a place with a mine, a flag or neither. */
MASS_FN float worth_of(uint8_t mine, uint8_t flag, minesweeper_values q, double gamma)
{
    return mine ? -1.0f : flag ? 1.0f : (float)gamma * value_of(q);
}

#define ACT(FIELD)                                      \
    FIELD(q,            minesweeper_values, PLACE, q)   \
    FIELD(mine,         uint8_t,  PLACE, mine)          \
    FIELD(flag,         uint8_t,  PLACE, flag)          \
    FIELD(active,       uint8_t,  READ,  active)        \
    FIELD(episode,      uint32_t, READ,  episode)       \
    FIELD(action,       uint8_t,  WRITE, action)        \
    FIELD(worth,        float,    WRITE, worth)         \
    FIELD(gamma,        double,   PARAM, gamma)         \
    FIELD(epsilon,      double,   PARAM, epsilon)       \
    FIELD(epsilon_step, double,   PARAM, epsilon_step)  \
    FIELD(epsilon_min,  double,   PARAM, epsilon_min)

/* An action is worth what it is before anybody learns in this step. A move into a wall stays. */
MASS_AGENT(minesweeper_act, ACT, 2)
{
    const mass_random4 r = RANDOM(0);
    const double lowered = PARAM(epsilon) - PARAM(epsilon_step) * IN(episode);
    const int explores = mass_unit_f64(r.v[0], r.v[1]) < mass_max_f64(lowered, PARAM(epsilon_min));
    const uint32_t action = explores ? r.v[2] >> 30 : best_of(SEE(q, 0, 0));
    const int right = (action == RIGHT) - (action == LEFT), down = (action == DOWN) - (action == UP);
    const int moves = EXISTS(right, down), dx = moves ? right : 0, dy = moves ? down : 0;
    OUT(action) = (uint8_t)action;
    OUT(worth) = worth_of(SEE(mine, dx, dy), SEE(flag, dx, dy), SEE(q, dx, dy), PARAM(gamma));
    if (IN(active)) MIGRATE(dx, dy);
}

#define LEARN(FIELD)                                          \
    FIELD(q,      minesweeper_values, UPDATE,   q)            \
    FIELD(visits, minesweeper_counts, UPDATE,   visits)       \
    FIELD(value,  float,              UPDATE,   value)        \
    FIELD(mine,   uint8_t,            READ,     mine)         \
    FIELD(flag,   uint8_t,            READ,     flag)         \
    FIELD(active, uint8_t,            RESIDENT, active)       \
    FIELD(action, uint8_t,            RESIDENT, action)       \
    FIELD(worth,  float,              RESIDENT, worth)        \
    FIELD(alpha,  double,             PARAM,    alpha)

/* All agents that act from a place update its values in the order of their ids. */
MASS_OCCUPIED(minesweeper_learn, LEARN, 2, 0)
{
    const float alpha = (float)PARAM(alpha);
    minesweeper_values q = OUT(q);
    EACH_RESIDENT(a)
        for (uint32_t k = 0; OF(active, a) && k < ACTIONS; k++) { /* values stay in registers: no index is computed */
            const float learnt = q.of[k] + alpha * (OF(worth, a) - q.of[k]);
            q.of[k] = OF(action, a) == k ? learnt : q.of[k];
            OUT(visits).of[k] += OF(action, a) == k;
        }
    OUT(q) = q;
    if (!(IN(mine) | IN(flag))) OUT(value) = value_of(q);
}

#define RACE(FIELD)                                         \
    FIELD(mine,    uint8_t,            PLACE, mine)         \
    FIELD(flag,    uint8_t,            PLACE, flag)         \
    FIELD(q,       minesweeper_values, PLACE, q)            \
    FIELD(learnt,  minesweeper_values, RACE,  q)            \
    FIELD(visits,  minesweeper_counts, RACE,  visits)       \
    FIELD(value,   float,              RACE,  value)        \
    FIELD(active,  uint8_t,            READ,  active)       \
    FIELD(action,  uint8_t,            READ,  action)       \
    FIELD(alpha,   double,             PARAM, alpha)        \
    FIELD(gamma,   double,             PARAM, gamma)

/* Every agent by itself updates the values of its place, whoever else does so now: in no order. */
MASS_AGENT(minesweeper_race, RACE, 2)
{
    if (!IN(active)) return;
    const uint32_t action = IN(action) % ACTIONS; /* which it is in any case */
    const int right = (action == RIGHT) - (action == LEFT), down = (action == DOWN) - (action == UP);
    const int moves = EXISTS(right, down), dx = moves ? right : 0, dy = moves ? down : 0;
    const float target = worth_of(SEE(mine, dx, dy), SEE(flag, dx, dy), SEE(q, dx, dy), PARAM(gamma));
    HERE(learnt).of[action] += (float)PARAM(alpha) * (target - HERE(learnt).of[action]);
    HERE(visits).of[action]++;
    if (!(SEE(mine, 0, 0) | SEE(flag, 0, 0))) HERE(value) = value_of(HERE(learnt));
}

#define OUTCOME(FIELD)                             \
    FIELD(mine,      uint8_t, PLACE,  mine)        \
    FIELD(flag,      uint8_t, PLACE,  flag)        \
    FIELD(active,    uint8_t, UPDATE, active)      \
    FIELD(walking,   int64_t, SUM,    active)      \
    FIELD(rewards,   int64_t, SUM,    reward_sum)  \
    FIELD(flags,     int64_t, SUM,    flags)       \
    FIELD(mines_hit, int64_t, SUM,    mines_hit)

/* An agent that got a reward waits for the end of the episode. */
MASS_AGENT(minesweeper_outcome, OUTCOME, 2)
{
    if (!OUT(active)) return;
    const int mine = SEE(mine, 0, 0), flag = SEE(flag, 0, 0);
    OUT(active) = !(mine | flag);
    ADD(walking, OUT(active));
    ADD(rewards, flag - mine);
    ADD(flags, flag);
    ADD(mines_hit, mine);
}

MASS_WORLD_STEPS(minesweeper_act, minesweeper_learn, minesweeper_outcome, minesweeper_restart)
