/* SPDX-License-Identifier: Apache-2.0 */
/* Populations that grow for a long time, in manages of every kind: two in a step, one under a condition, with and
 * without a capacity. Whatever is done twice, or not at all, shows. */
#include "herd.h"

#include <mass/mass.h>

#define PHASE(...) MASS_DECLARE_AGENTS(host, phase, .schedule = MASS_STEP, __VA_ARGS__)
#define MANAGE(...) MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, __VA_ARGS__)

static void declare_populations(mass_host *host)
{
    MASS_DECLARE_AGENTS(host, population, .name = "sheep", .children = 2, .count = 3, .born = "born", .died = "died",
                        .alive = "alive");
    MASS_DECLARE_AGENTS(host, population, .name = "wolves", .children = 1, .count = 5, .capacity = 3,
                        .refused = "refused");
    MASS_DECLARE_AGENTS(host, population, .name = "stones", .count = 9, .capacity = 2);
    static const char *const all[] = {"sheep", "wolves", "stones"};
    for (int i = 0; i < 3; i++)
        MASS_DECLARE(host, attribute, .population = all[i], .name = "mark", .type = MASS_I64);
}

static mass_status herd_open(mass_host *host)
{
    MASS_DECLARE(host, space, .name = "field", .dimensions_min = 2, .dimensions_max = 2, .size = {64, 48},
                 .torus = MASS_AXES_ALL);
    MASS_DECLARE(host, parameter, .name = "crowd", .type = MASS_INTEGER, .integer = 12, .integer_max = 1000000,
                 .help = "so many sheep on a place have no more");
    MASS_DECLARE(host, parameter, .name = "rare", .type = MASS_INTEGER, .integer = 16, .integer_min = 1,
                 .integer_max = 1000000, .help = "one sheep in so many has children");
    static const char *const sums[] = {"grass", "traced", "eaten", "born", "died", "alive", "refused"};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        MASS_DECLARE(host, tally, .name = sums[i], .access = MASS_SUM, .cumulative = i == 1 || i == 3);
    MASS_DECLARE(host, attribute, .space = "field", .name = "grass", .type = MASS_I64);
    MASS_DECLARE(host, attribute, .space = "field", .name = "trace", .type = MASS_I64);
    MASS_DECLARE(host, attribute, .space = "field", .name = "scent", .type = MASS_I64);
    declare_populations(host);
    const mass_condition fed = {.tally = "eaten", .relation = MASS_AT_LEAST, .value = 100};
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &herd_smooth);
    PHASE(.population = "sheep", .callback = &herd_live, .reach = 1);
    MANAGE(.population = "sheep");
    PHASE(.population = "sheep", .callback = &herd_graze);
    PHASE(.population = "wolves", .callback = &herd_hunt);
    MANAGE(.population = "wolves", .condition = &fed);
    PHASE(.population = "sheep", .callback = &herd_again, .condition = &fed);
    MANAGE(.population = "sheep", .order = MASS_KILL_SPAWN_MIGRATE);
    PHASE(.population = "stones", .callback = &herd_roll);
    MANAGE(.population = "stones");
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &herd_trace);
    return PHASE(.population = "sheep", .callback = &herd_dream);
}

MASS_PLUGIN(.name = "herd", .version = "1.0.0", .help = "sheep, wolves and stones",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_AGENTS_ID, NULL}, .open = herd_open);
