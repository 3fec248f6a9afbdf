/* SPDX-License-Identifier: Apache-2.0 */
/* What no other model does: agents that start where an attribute says, or on every place; places of few seats, for
 * which the strongest, the lowest id or a lottery wins; manages of every order; two spaces with agents on both. */
#include "rivals.h"

static const char *const conflicts[] = {"lowest", "strongest", "lottery", NULL};
static const char *const orders[] = {"spawn_kill_migrate", "kill_spawn_migrate", "kill_migrate_spawn", NULL};

static int64_t choice(mass_host *host, const char *name, const char *const *choices)
{
    MASS_DECLARE(host, parameter, .name = name, .type = MASS_CHOICE, .choices = choices, .help = "for a test");
    return mass_values(host)->integer(host, name);
}

static int64_t number(mass_host *host, const char *name, int64_t value, int64_t most)
{
    MASS_DECLARE(host, parameter, .name = name, .type = MASS_INTEGER, .integer = value, .integer_max = most,
                 .help = "for a test");
    return mass_values(host)->integer(host, name);
}

static void declare_spaces(mass_host *host)
{
    MASS_DECLARE(host, space, .name = "hall", .dimensions_min = 1, .dimensions_max = 3, .size = {24, 18},
                 .torus = (uint32_t)number(host, "torus", MASS_AXIS_X, MASS_AXES_ALL));
    MASS_DECLARE(host, attribute, .space = "hall", .name = "chairs", .type = MASS_I32);
    MASS_DECLARE(host, attribute, .space = "hall", .name = "worn", .type = MASS_F64);
    MASS_DECLARE(host, space, .name = "yard", .dimensions_min = 2, .dimensions_max = 2, .size = {9, 7},
                 .torus = MASS_AXIS_Y);
    MASS_DECLARE(host, attribute, .space = "yard", .name = "noise", .type = MASS_U16);
}

static void declare_tallies(mass_host *host)
{
    static const char *const sums[] = {"alive", "born", "died", "refused", "moved"};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        MASS_DECLARE(host, tally, .name = sums[i], .access = MASS_SUM, .cumulative = i > 2);
    MASS_DECLARE(host, tally, .name = "mean", .access = MASS_MEAN, .kind = MASS_TALLY_REAL);
    MASS_DECLARE(host, tally, .name = "strongest", .access = MASS_MAX, .kind = MASS_TALLY_REAL);
    MASS_DECLARE(host, tally, .name = "weakest", .access = MASS_MIN, .kind = MASS_TALLY_REAL, .cumulative = 1);
    MASS_DECLARE(host, tally, .name = "shared", .access = MASS_SUM, .bins = 4);
    MASS_DECLARE(host, tally, .name = "strengths", .access = MASS_SUM, .keys = MASS_KEYS_NUMBERS);
    MASS_DECLARE(host, tally, .name = "spent", .access = MASS_SUM, .kind = MASS_TALLY_FIXED, .fraction_bits = 8);
}

static void declare_populations(mass_host *host)
{
    const uint32_t conflict = (uint32_t)choice(host, "conflict", conflicts);
    const uint32_t capacity = (uint32_t)number(host, "capacity", 2, 100);
    MASS_DECLARE_AGENTS(host, population, .name = "guests", .space = "hall", .capacity = capacity, .children = 2,
                        .conflict = conflict, .priority = conflict == MASS_HIGHEST_PRIORITY ? "strength" : NULL,
                        .initial = MASS_BY_ATTRIBUTE, .where = "chairs", .alive = "alive", .born = "born",
                        .died = "died", .refused = "refused");
    MASS_DECLARE(host, attribute, .population = "guests", .name = "strength", .type = MASS_F32);
    MASS_DECLARE(host, attribute, .population = "guests", .name = "hops", .type = MASS_I16, .length = 2);
    MASS_DECLARE_AGENTS(host, population, .name = "birds", .space = "yard", .capacity = 3, .count = 2,
                        .conflict = MASS_LOTTERY, .initial = MASS_EVERY_PLACE);
    MASS_DECLARE(host, attribute, .population = "birds", .name = "age", .type = MASS_U32);
}

#define GUESTS(SCHEDULE, ...) MASS_DECLARE_AGENTS(host, phase, .schedule = SCHEDULE, .population = "guests", __VA_ARGS__)
#define BIRDS(...) MASS_DECLARE_AGENTS(host, phase, .schedule = MASS_STEP, .population = "birds", __VA_ARGS__)

static mass_status rivals_open(mass_host *host)
{
    static const mass_condition crowded = {.tally = "alive", .relation = MASS_AT_LEAST, .value = 40};
    declare_spaces(host);
    declare_tallies(host);
    declare_populations(host);
    const uint32_t order = (uint32_t)choice(host, "order", orders);
    MASS_DECLARE(host, phase, .schedule = MASS_START, .space = "hall", .callback = &rivals_seat);
    GUESTS(MASS_START, .callback = &rivals_arm);
    GUESTS(MASS_STEP, .callback = &rivals_push, .reach = 2);
    MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "guests", .order = order);
    BIRDS(.callback = &rivals_fly, .condition = &crowded);
    MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "birds");
    GUESTS(MASS_STEP, .callback = &rivals_sit);
    BIRDS(.callback = &rivals_sing);
    GUESTS(MASS_STEP, .callback = &rivals_count);
    return GUESTS(MASS_STEP, .callback = &rivals_tell);
}

MASS_PLUGIN(.name = "rivals", .version = "1.0.0", .help = "agents that push each other off their seats",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_AGENTS_ID, NULL},
            .open = rivals_open);
