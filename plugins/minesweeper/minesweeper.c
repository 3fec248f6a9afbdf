/* SPDX-License-Identifier: Apache-2.0 */
/* Minesweeper: many agents learn one table of Q-values while they walk a board with mines, by the method of
 * C. Watkins and P. Dayan, "Q-learning" (1992). */
#include "kernels.h"

#include <mass/mass.h>
#include <math.h>

static const char *const starts[] = {"random", "corner", NULL}, *const updates[] = {"ordered", "racy", NULL};
enum { RACY = 1 };

/* Mines, then what is unknown, and from there to the flag. */
static const uint32_t mine = 0xd13b3b, ramp[] = {0x16191d, 0x1d3557, 0x2a6f97, 0x52b69a, 0xd9ed92, 0xffffff};
enum { COLOURS = 255, UNKNOWN = COLOURS / 2, STRETCHES = sizeof ramp / sizeof *ramp - 1 };

/* Walkers that wait for the end of the episode, and those that walk. */
static const uint32_t walkers[] = {0x8a9099, 0xf58518};
static const mass_drawn drawn = {"active", 2, walkers};

/* `part` of the way from one colour to another. */
static uint32_t blend(uint32_t from, uint32_t to, double part)
{
    uint32_t colour = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        const double a = from >> shift & 0xff, b = to >> shift & 0xff;
        colour |= (uint32_t)lround(a + part * (b - a)) << shift;
    }
    return colour;
}

/* From a value of -1 to one of 1. What is worth something gets brighter with the fourth root of that: values fall by
 * gamma from step to step, so that linear colours would leave all but the flag's surroundings dark. */
static void mix_palette(uint32_t palette[COLOURS])
{
    for (int i = 0; i < COLOURS; i++) {
        const double value = (double)(i - UNKNOWN) / UNKNOWN, root = sqrt(sqrt(fabs(value))) * STRETCHES;
        const int stretch = root < STRETCHES ? (int)root : STRETCHES - 1;
        palette[i] = value < 0 ? blend(ramp[0], mine, -value) : blend(ramp[stretch], ramp[stretch + 1], root - stretch);
    }
}

static const struct {
    const char *name;
    double value;
    const char *help;
} reals[] = {{"gamma", 0.9, "discount: what a reward is worth that comes a step later"},
             {"alpha", 0.5, "learning rate"},
             {"epsilon", 1.0, "probability of a random action, at first"},
             {"epsilon_step", 0.01, "by how much it is lowered after an episode"},
             {"epsilon_min", 0.0, "how far it is lowered"},
             {"restart", 0.2, "share of agents still walking at which an episode ends"}};

static void declare_parameters(mass_host *host)
{
    MASS_DECLARE(host, parameter, .name = "agents", .type = MASS_INTEGER, .integer = 512, .integer_min = 1,
                 .integer_max = UINT32_MAX - 2, .help = "how many walk the board");
    MASS_DECLARE(host, parameter, .name = "mines", .type = MASS_INTEGER, .integer = -1, .integer_min = -1,
                 .integer_max = INT64_MAX / 2, .help = "places with a mine",
                 .by_default = "three times the board's width, as with -1");
    MASS_DECLARE(host, parameter, .name = "start", .type = MASS_CHOICE, .choices = starts,
                 .help = "where agents start an episode: on random places, or all in the corner x = y = 0");
    MASS_DECLARE(host, parameter, .name = "update", .type = MASS_CHOICE, .choices = updates,
                 .help = "agents of a place update its values in the order of their ids, or in none");
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        MASS_DECLARE(host, parameter, .name = reals[i].name, .type = MASS_REAL, .real = reals[i].value,
                     .real_min = 0, .real_max = 1, .help = reals[i].help);
}

/* Mines and the flag have to fit. */
static mass_status declare_mines(mass_host *host)
{
    mass_gidx size[3];
    uint32_t dimensions;
    const mass_status status = mass_values(host)->size(host, "grid", size, &dimensions);
    if (status != MASS_OK) return status;
    const int64_t asked = mass_values(host)->integer(host, "mines"), mines = asked < 0 ? 3 * size[0] : asked;
    if (mines >= size[0] * size[1])
        return host->fail(host, MASS_BAD_USAGE, "parameter mines: %lld and the flag do not fit on %lld places",
                          (long long)mines, (long long)(size[0] * size[1]));
    return MASS_DECLARE(host, constant, .name = "mines_drawn", .type = MASS_INTEGER, .integer = mines);
}

static void declare_attributes(mass_host *host)
{
    MASS_DECLARE(host, attribute, .space = "grid", .name = "mine", .type = MASS_U8, .most = 1,
                 .help = "1: a mine");
    MASS_DECLARE(host, attribute, .space = "grid", .name = "flag", .type = MASS_U8, .most = 1,
                 .help = "1: the flag");
    MASS_DECLARE(host, attribute, .space = "grid", .name = "q", .type = MASS_F32, .length = ACTIONS,
                 .layout = MASS_INTERLEAVED, .help = "values of right, down, left, up");
    MASS_DECLARE(host, attribute, .space = "grid", .name = "visits", .type = MASS_U32, .length = ACTIONS,
                 .layout = MASS_INTERLEAVED, .help = "how often each action was tried");
    MASS_DECLARE(host, attribute, .space = "grid", .name = "value", .type = MASS_F32,
                 .help = "of the best action; -1 a mine, 1 the flag");
    MASS_DECLARE(host, attribute, .population = "walker", .name = "active", .type = MASS_U8, .most = 1,
                 .help = "0: has got its reward of this episode");
    MASS_DECLARE(host, attribute, .population = "walker", .name = "action", .type = MASS_U8, .most = UP,
                 .help = "0 right, 1 down, 2 left, 3 up");
    MASS_DECLARE(host, attribute, .population = "walker", .name = "worth", .type = MASS_F32,
                 .help = "what the action leads to: a reward, or gamma times the best value there");
    MASS_DECLARE(host, attribute, .population = "walker", .name = "episode", .type = MASS_U32,
                 .help = "episodes that ended");
}

static void declare_tallies(mass_host *host)
{
    MASS_DECLARE(host, tally, .name = "active", .access = MASS_SUM, .help = "agents walking, before a new episode");
    MASS_DECLARE(host, tally, .name = "episode", .access = MASS_SUM, .cumulative = 1, .help = "episodes that ended");
    MASS_DECLARE(host, tally, .name = "reward_sum", .access = MASS_SUM, .cumulative = 1, .help = "all rewards");
    MASS_DECLARE(host, tally, .name = "flags", .access = MASS_SUM, .cumulative = 1, .help = "times the flag was found");
    MASS_DECLARE(host, tally, .name = "mines_hit", .access = MASS_SUM, .cumulative = 1, .help = "times a mine was hit");
    MASS_DECLARE_LOG(host, .name = "success", .expression = "flags / (flags + mines_hit)");
}

#define PHASE(SCHEDULE, ...) \
    MASS_DECLARE_AGENTS(host, phase, .schedule = SCHEDULE, .population = "walker", __VA_ARGS__)
#define MANAGE(SCHEDULE, ...) \
    MASS_DECLARE_AGENTS(host, manage, .schedule = SCHEDULE, .population = "walker", __VA_ARGS__)

static void declare_phases(mass_host *host)
{
    const int racy = mass_values(host)->integer(host, "update") == RACY;
    const mass_condition few = {"active", MASS_AT_MOST, 1, "restart", "walker"};
    MASS_DECLARE(host, phase, .schedule = MASS_START, .callback = &minesweeper_draw);
    PHASE(MASS_START, .callback = &minesweeper_begin);
    MANAGE(MASS_START, .order = MASS_SPAWN_KILL_MIGRATE);
    PHASE(MASS_STEP, .callback = &minesweeper_act, .reach = 1);
    PHASE(MASS_STEP, .callback = racy ? &minesweeper_race : &minesweeper_learn, .reach = racy);
    MANAGE(MASS_STEP, .order = MASS_SPAWN_KILL_MIGRATE);
    PHASE(MASS_STEP, .callback = &minesweeper_outcome);
    PHASE(MASS_STEP, .callback = &minesweeper_restart, .condition = &few);
    MANAGE(MASS_STEP, .condition = &few);
}

static mass_status minesweeper_open(mass_host *host)
{
    declare_parameters(host);
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {46, 46});
    const mass_status status = declare_mines(host);
    if (status != MASS_OK) return status;
    MASS_DECLARE_AGENTS(host, population, .name = "walker", .initial = MASS_RANDOM_PLACES,
                        .count = mass_values(host)->integer(host, "agents"), .constant = 1,
                        .help = "any number on a place", .drawn = &drawn);
    declare_attributes(host);
    declare_tallies(host);
    declare_phases(host);
    mass_declare(host)->steps(host, 20000);
    uint32_t palette[COLOURS];
    mix_palette(palette);
    return MASS_DECLARE(host, picture, .space = "grid", .attribute = "value", .low = -1, .high = 1, .colours = COLOURS,
                        .palette = palette);
}

MASS_PLUGIN(.name = "minesweeper", .version = "2.0.0",
            .help = "agents that learn together how to walk to the flag and past the mines",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_AGENTS_ID, MASS_SERIES_ID, NULL},
            .open = minesweeper_open);
