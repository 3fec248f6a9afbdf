/* Minesweeper's rules, compiled for the CPU and for CUDA. */
#include "kernels.h"

#include <mass/mass.h>

/* ---- the board ---- */

/* The place's position in a random order of all places, without an order that is stored: a Feistel network is
 * a permutation of the numbers of an even number of bits, and following it from a place until it comes to a
 * place again is one of the places (J. Black and P. Rogaway, "Ciphers with arbitrary finite domains", 2002).
 * The round functions are the world's random words of draws 0 to 7. */
MASS_FN uint64_t shuffled(const mass_site *site, uint64_t place, uint64_t places)
{
    uint32_t half = 1;
    while (places > 1 && (places - 1) >> 2 * half) half++;
    const uint64_t mask = ((uint64_t)1 << half) - 1;
    mass_site round = *site;
    round.y = round.z = 0;
    do {
        uint64_t left = place >> half, right = place & mask;
        for (uint32_t draw = 0; draw < 8; draw++) {
            round.x = (mass_gidx)right;
            const uint64_t mixed = left ^ (mass_site_random(&round, draw).v[0] & mask);
            left = right;
            right = mixed;
        }
        place = left << half | right;
    } while (place >= places);
    return place;
}

#define DRAW(FIELD)                       \
    FIELD(mine,  uint8_t, WRITE, mine)    \
    FIELD(flag,  uint8_t, WRITE, flag)    \
    FIELD(best,  uint8_t, WRITE, best)    \
    FIELD(mines, int64_t, PARAM, mines_drawn)

/* In the random order, first come the mines, then the flag, then all other places. */
MASS_MAP(minesweeper_draw, DRAW)
{
    const uint64_t place = (uint64_t)(AT_Y * SIZE_X + AT_X), places = (uint64_t)(SIZE_X * SIZE_Y);
    const uint64_t position = shuffled(&w->site, place, places), mines = (uint64_t)PARAM(mines);
    OUT(mine) = position < mines;
    OUT(flag) = position == mines;
    OUT(best) = OUT(mine) ? MINE : OUT(flag) ? FLAG : UNKNOWN;
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
    FIELD(best,   uint8_t,            UPDATE,   best)         \
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
        for (uint32_t k = 0; OF(active, a) && k < ACTIONS; k++) {
            const float learnt = q.of[k] + alpha * (OF(worth, a) - q.of[k]);
            q.of[k] = OF(action, a) == k ? learnt : q.of[k];
            OUT(visits).of[k] += OF(action, a) == k;
        }
    OUT(q) = q;
    const int known = (q.of[0] != 0) | (q.of[1] != 0) | (q.of[2] != 0) | (q.of[3] != 0);
    if (OUT(best) != MINE && OUT(best) != FLAG) OUT(best) = (uint8_t)(known ? best_of(q) : UNKNOWN);
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
