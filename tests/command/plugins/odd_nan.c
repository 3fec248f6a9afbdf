/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin whose callback makes a NaN that is not the canonical one: over places, or OVER_AGENTS. */
#include "plain.h"

#define FIELDS(FIELD) FIELD(value, double, UPDATE, value)
#ifdef OVER_AGENTS
MASS_AGENT(spoil, FIELDS, 2)
#else
MASS_MAP(spoil, FIELDS)
#endif
{
    OUT(value) = mass_f64_bits(AT_X == 3 && STEP == 2 ? 0xfff8000000000000u : 0x7ff8000000000000u);
}

static mass_status open_model(mass_host *host)
{
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {8, 8});
    mass_declare(host)->steps(host, 4);
#ifdef OVER_AGENTS
    MASS_DECLARE_AGENTS(host, population, .name = "folk", .capacity = 1, .count = 64, .initial = MASS_RANDOM_PLACES);
    MASS_DECLARE(host, attribute, .population = "folk", .name = "value", .type = MASS_F64);
    MASS_DECLARE_AGENTS(host, phase, .schedule = MASS_STEP, .population = "folk", .callback = &spoil);
    return MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "folk");
#else
    MASS_DECLARE(host, attribute, .space = "grid", .name = "value", .type = MASS_F64);
    return MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &spoil);
#endif
}

MASS_PLUGIN(.name = "odd", .version = "1.0.0", .help = "makes an odd NaN",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_AGENTS_ID, NULL}, .open = open_model);
