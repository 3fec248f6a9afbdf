/* SPDX-License-Identifier: Apache-2.0 */
/* Minesweeper: many agents learn one table of Q-values while they walk on a board with mines. The method is that of C.
 * Watkins and P. Dayan, "Q-learning" (1992). */
#include <mass/model.h>
#include <math.h>

enum { RIGHT = 0, DOWN = 1, LEFT = 2, UP = 3, ACTIONS = 4 };
enum { RACY = 1 }; /* value of the parameter `update` */

/* Elements that are structs: one number for each action. */
typedef struct minesweeper_values {
    float of[ACTIONS];
} minesweeper_values;

typedef struct minesweeper_counts {
    uint32_t of[ACTIONS];
} minesweeper_counts;

MASS_PARAMETER(int64_t, agents, 512, 1, UINT32_MAX - 2, "how many walk the board")
MASS_PARAMETER(int64_t, mines, -1, -1, INT64_MAX / 2, "places with a mine; -1: three times the board's width")
MASS_PARAMETER(choice, start, "random",
               "where agents start an episode: on random places, or all in the corner x = y = 0", "random", "corner")
MASS_PARAMETER(choice, update, "ordered", "agents of a place update its values in the order of their ids, or in none",
               "ordered", "racy")
MASS_PARAMETER(double, gamma, 0.9, 0, 1, "discount: what a reward is worth that comes a step later")
MASS_PARAMETER(double, alpha, 0.5, 0, 1, "learning rate")
MASS_PARAMETER(double, epsilon, 1.0, 0, 1, "probability of a random action, at first")
MASS_PARAMETER(double, epsilon_step, 0.01, 0, 1, "by how much it is lowered after an episode")
MASS_PARAMETER(double, epsilon_min, 0.0, 0, 1, "how far it is lowered")
MASS_PARAMETER(double, restart, 0.2, 0, 1, "share of agents still walking at which an episode ends")

MASS_SPACE(grid, 2, .size = {46, 46})

#if MASS_HOST

static int64_t mines_drawn_at_start; /* set when the engine opens the plugin */

/* Checks that the mines and the flag fit. */
MASS_OPEN(minesweeper_count_mines)
{
    mass_gidx size[3];
    uint32_t dimensions;
    const mass_status status = mass_values_of(host)->size(host, "grid", size, &dimensions);
    if (status != MASS_OK) return status;
    mines_drawn_at_start = VALUE(mines) < 0 ? 3 * size[0] : VALUE(mines);
    if (mines_drawn_at_start < size[0] * size[1]) return MASS_OK;
    return host->fail(host, MASS_BAD_USAGE, "parameter mines: %lld and the flag do not fit on %lld places",
                      (long long)mines_drawn_at_start, (long long)(size[0] * size[1]));
}

#endif

MASS_CONSTANT(int64_t, mines_drawn, mines_drawn_at_start)

/* Walkers that wait for the end of the episode have another colour than those that walk. */
MASS_POPULATION(walker, grid, .initial = MASS_RANDOM_PLACES, .count = VALUE(agents), .constant = 1,
                .help = "any number on a place",
                .drawn = &(const mass_drawn){.attribute = "active", .colours = 2,
                                             .palette = (const uint32_t[]){0x8a9099, 0xf58518}})
MASS_ATTRIBUTE(grid, uint8_t, mine, .most = 1, .help = "1: a mine")
MASS_ATTRIBUTE(grid, uint8_t, flag, .most = 1, .help = "1: the flag")
MASS_VECTOR(grid, minesweeper_values, float, q, .help = "values of right, down, left, up")
MASS_VECTOR(grid, minesweeper_counts, uint32_t, visits, .help = "how often each action was tried")
MASS_ATTRIBUTE(grid, float, value, .help = "of the best action; -1 a mine, 1 the flag")
MASS_AGENT_ATTRIBUTE(walker, uint8_t, active, .most = 1, .help = "0: has got its reward of this episode")
MASS_AGENT_ATTRIBUTE(walker, uint8_t, action, .most = UP, .help = "0 right, 1 down, 2 left, 3 up")
MASS_AGENT_ATTRIBUTE(walker, float, worth,
                     .help = "what the action leads to: a reward, or gamma times the best value there")
MASS_AGENT_ATTRIBUTE(walker, uint32_t, episode, .help = "episodes that ended")

MASS_TALLY(SUM, int64_t, active, "agents walking, before a new episode")
MASS_TALLY(SUM, int64_t, episode, "episodes that ended", .cumulative = 1)
MASS_TALLY(SUM, int64_t, reward_sum, "all rewards", .cumulative = 1)
MASS_TALLY(SUM, int64_t, flags, "times the flag was found", .cumulative = 1)
MASS_TALLY(SUM, int64_t, mines_hit, "times a mine was hit", .cumulative = 1)
MASS_SERIES("flags / (flags + mines_hit)", .name = "success")

/* ---- the board ---- */

/* A random order of the places: the first ones are mines, the next is the flag, all others are empty. */
MASS_MAP(minesweeper_draw, WRITES(mine, flag, value), GIVEN(mines_drawn))
{
    const uint64_t place = (uint64_t)(AT_Y * SIZE_X + AT_X), places = (uint64_t)(SIZE_X * SIZE_Y);
    const uint64_t position = SHUFFLED(0, place, places), mines = (uint64_t)PARAM(mines_drawn);
    OUT(mine) = position < mines;
    OUT(flag) = position == mines;
    OUT(value) = OUT(mine) ? -1.0f : OUT(flag) ? 1.0f : 0.0f;
}

/* ---- episodes ---- */

/* Requests a move to the start of an episode: a random place, or the corner. */
#define ASK_FOR_START                                                           \
    do {                                                                        \
        const mass_random4 r_ = RANDOM(0);                                      \
        const uint32_t x_ = mass_below_u32((uint32_t)SIZE_X, r_.v[0], r_.v[1]); \
        const uint32_t y_ = mass_below_u32((uint32_t)SIZE_Y, r_.v[2], r_.v[3]); \
        if (PARAM(start)) MIGRATE_TO(0, 0);                                     \
        else MIGRATE_TO(x_, y_);                                                \
    } while (0)

/* Makes every walker active and asks to move it to the start, before the first step. */
MASS_AGENT(minesweeper_begin, walker, 2, GIVEN(start), WRITES(active), SUMS(active))
{
    OUT(active) = 1;
    ADD(active, 1);
    ASK_FOR_START;
}

/* Begins the next episode: makes every walker active again and asks to move it to the start. */
MASS_AGENT(minesweeper_restart, walker, 2, GIVEN(start), WRITES(active), UPDATES(episode), SUMS(episode))
{
    OUT(active) = 1;
    OUT(episode)++;
    ADD(episode, AGENT_ID == 0);
    ASK_FOR_START;
}

/* ---- the step ---- */

/* Returns the action with the greatest value; of equals the lowest. */
MASS_FN uint32_t best_of(minesweeper_values q)
{
    uint32_t best = 0;
    float value = q.of[0];
    for (uint32_t a = 1; a < ACTIONS; a++)
        if (q.of[a] > value) best = a, value = q.of[a];
    return best;
}
/* Returns the value of a place: its best action's. */
MASS_FN float value_of(minesweeper_values q)
{
    return mass_max_f32(mass_max_f32(q.of[0], q.of[1]), mass_max_f32(q.of[2], q.of[3]));
}

/* Returns the worth of an action that leads to a place with a mine, a flag or neither. */
MASS_FN float worth_of(uint8_t mine, uint8_t flag, minesweeper_values q, double gamma)
{
    return mine ? -1.0f : flag ? 1.0f : (float)gamma * value_of(q);
}

/* Chooses an action. Its worth uses the values before any agent learns in this step. An agent that would move into a
 * wall stays. */
MASS_AGENT(minesweeper_act, walker, 2, SEES(q, mine, flag), READS(active, episode), WRITES(action, worth),
           GIVEN(gamma, epsilon, epsilon_step, epsilon_min))
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

/* Agents that act on one place update its values in the order of their ids. */
MASS_OCCUPIED(minesweeper_learn, walker, 2, 0, UPDATES(q, visits, value), READS(mine, flag),
              MEETS(active, action, worth), GIVEN(alpha))
{
    const float alpha = (float)PARAM(alpha);
    minesweeper_values q = OUT(q);
    EACH_RESIDENT_WHERE(active, a)
        for (uint32_t k = 0; k < ACTIONS; k++) { /* values stay in registers, since no index is computed */
            const float learnt = q.of[k] + alpha * (OF(worth, a) - q.of[k]);
            q.of[k] = OF(action, a) == k ? learnt : q.of[k];
            OUT(visits).of[k] += OF(action, a) == k;
        }
    OUT(q) = q;
    if (!(IN(mine) | IN(flag))) OUT(value) = value_of(q);
}

/* Every agent updates the values of its place by itself, possibly at the same time as others, in no order. */
MASS_AGENT(minesweeper_race, walker, 2, SEES(mine, flag, q), RACES(q, visits, value), READS(active, action),
           GIVEN(alpha, gamma))
{
    if (!IN(active)) return;
    const uint32_t action = IN(action) % ACTIONS; /* it is below ACTIONS in any case */
    const int right = (action == RIGHT) - (action == LEFT), down = (action == DOWN) - (action == UP);
    const int moves = EXISTS(right, down), dx = moves ? right : 0, dy = moves ? down : 0;
    const float target = worth_of(SEE(mine, dx, dy), SEE(flag, dx, dy), SEE(q, dx, dy), PARAM(gamma));
    HERE(q).of[action] += (float)PARAM(alpha) * (target - HERE(q).of[action]);
    HERE(visits).of[action]++;
    if (!(SEE(mine, 0, 0) | SEE(flag, 0, 0))) HERE(value) = value_of(HERE(q));
}

/* An agent that got a reward waits for the end of the episode. */
MASS_AGENT(minesweeper_outcome, walker, 2, SEES(mine, flag), UPDATES(active),
           SUMS(active, reward_sum, flags, mines_hit))
{
    if (!OUT(active)) return;
    const int mine = SEE(mine, 0, 0), flag = SEE(flag, 0, 0);
    OUT(active) = !(mine | flag);
    ADD(active, OUT(active));
    ADD(reward_sum, flag - mine);
    ADD(flags, flag);
    ADD(mines_hit, mine);
}

/* ---- the schedule ---- */

#define FEW_WALK .condition = &(const mass_condition){"active", MASS_AT_MOST, 1, "restart", "walker"}
MASS_SCHEDULE(STARTS(minesweeper_draw), STARTS(minesweeper_begin), MANAGES_AT_START(walker),
              STEPS(minesweeper_act, .reach = 1),
              IF(VALUE(update) == RACY, STEPS(minesweeper_race, .reach = 1)),
              IF(VALUE(update) != RACY, STEPS(minesweeper_learn)),
              MANAGES(walker), STEPS(minesweeper_outcome), STEPS(minesweeper_restart, FEW_WALK),
              MANAGES(walker, FEW_WALK))
MASS_WORLD_STEPS(minesweeper_act, minesweeper_learn, minesweeper_outcome, minesweeper_restart)
MASS_DEFAULT_STEPS(20000)

/* ---- the picture ---- */

#if MASS_HOST

/* The colours of mines, then of unknown places, and from there to the flag. */
static const uint32_t mine = 0xd13b3b, ramp[] = {0x16191d, 0x1d3557, 0x2a6f97, 0x52b69a, 0xd9ed92, 0xffffff};
enum { COLOURS = 255, UNKNOWN = COLOURS / 2, STRETCHES = sizeof ramp / sizeof *ramp - 1 };

/* Returns the colour at `part` of the way from one colour to another. */
static uint32_t blend(uint32_t from, uint32_t to, double part)
{
    uint32_t colour = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        const double a = from >> shift & 0xff, b = to >> shift & 0xff;
        colour |= (uint32_t)lround(a + part * (b - a)) << shift;
    }
    return colour;
}

/* Mixes the palette for values from -1 to 1. Brightness grows with the fourth root of a value. Values fall by gamma
 * from step to step, so linear colours would leave all but the flag's surroundings dark. */
static void mix_palette(uint32_t palette[COLOURS])
{
    for (int i = 0; i < COLOURS; i++) {
        const double value = (double)(i - UNKNOWN) / UNKNOWN, root = sqrt(sqrt(fabs(value))) * STRETCHES;
        const int stretch = root < STRETCHES ? (int)root : STRETCHES - 1;
        palette[i] = value < 0 ? blend(ramp[0], mine, -value) : blend(ramp[stretch], ramp[stretch + 1], root - stretch);
    }
}

/* Declares the picture, which shows the places' values. */
MASS_OPEN(minesweeper_declare_picture)
{
    uint32_t palette[COLOURS];
    mix_palette(palette);
    return MASS_DECLARE(host, picture, .space = "grid", .attribute = "value", .low = -1, .high = 1, .colours = COLOURS,
                        .palette = palette);
}

#endif

MASS_PLUGIN(.name = "minesweeper", .version = "2.0.0",
            .help = "agents that learn together how to walk to the flag and past the mines");
