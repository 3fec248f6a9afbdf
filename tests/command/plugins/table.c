/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin with nothing wrong, whose agents may or have to start from a table. They stay where they are. */
#include "plain.h"

#include <mass/agents.h>

#ifndef INITIAL
#define INITIAL MASS_RANDOM_PLACES
#endif
#ifdef COUNTED /* by a parameter */
#define COUNT mass_values_of(host)->integer(host, "folk_count")
#else
#define COUNT 3
#endif
#ifndef RANGE
#define RANGE .most = 0
#endif

static mass_status open_model(mass_host *host)
{
    static const int32_t wealth = 7;
    MASS_DECLARE(host, parameter, .name = "folk_table", .type = MASS_TEXT, .help = "who stands where");
#ifdef COUNTED
    MASS_DECLARE(host, parameter, .name = "folk_count", .type = MASS_INTEGER, .integer_max = INT64_MAX);
#endif
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 1, .dimensions_max = 3, .size = {10, 8});
#ifdef COUNTED
    MASS_DECLARE(host, attribute, .space = "grid", .name = "food", .type = MASS_I16, .least = -1, .most = 1,
                 .names = {"bad", "none", "good, much"});
#endif
    MASS_DECLARE_AGENTS(host, population, .name = "folk", .capacity = 2, .count = COUNT, .initial = INITIAL,
                        .table = "folk_table");
    MASS_DECLARE(host, attribute, .population = "folk", .name = "wealth", .type = MASS_I32, .initial = &wealth,
                 RANGE);
    MASS_DECLARE(host, attribute, .population = "folk", .name = "gene", .type = MASS_F32, .length = 3);
    MASS_DECLARE(host, attribute, .population = "folk", .name = "code", .type = MASS_U8, .length = 2,
                 .layout = MASS_INTERLEAVED, .names = {"egg", "larva", "adult"});
    mass_declare_of(host)->steps(host, 1);
    return MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "folk");
}

MASS_PLUGIN(.name = "table", .version = "1.0.0", .help = "agents that stay where they are",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_AGENTS_ID, NULL},
            .open = open_model);
