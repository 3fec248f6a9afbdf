/* SPDX-License-Identifier: Apache-2.0 */
/* Reduced: attributes of all number types, to be reduced. */
#include "reduced.h"
#include "reduced_kernels.h"

#include <mass/mass.h>

/* Of places where population is NULL. */
static void declare_numbers(mass_host *host, const char *population)
{
#define ATTRIBUTE(NAME, TYPE, LOW, HIGH)                                                                    \
    MASS_DECLARE(host, attribute, .population = population, .name = "a_" #NAME, .type = MASS_TYPE_OF(TYPE), \
                 .help = "any");
    REDUCED_TYPES(ATTRIBUTE)
    MASS_DECLARE(host, attribute, .population = population, .name = "pair", .type = MASS_F64, .length = 2,
                 .help = "two");
    MASS_DECLARE(host, attribute, .population = population, .name = "gap", .type = MASS_F32, .help = "some are NaN");
}

static mass_status reduced_open(mass_host *host)
{
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {61, 43},
                 .torus = MASS_AXES_ALL);
    declare_numbers(host, NULL);
    MASS_DECLARE(host, attribute, .name = "woven", .type = MASS_U8, .length = 2, .layout = MASS_INTERLEAVED,
                 .help = "any");
    MASS_DECLARE_AGENTS(host, population, .name = "walker", .count = 700, .children = 1);
    declare_numbers(host, "walker");
    MASS_DECLARE_REDUCTION(host, .name = "declared", .operation = MASS_HISTOGRAM, .population = "walker",
                           .attribute = "gap", .bins = 10, .low = 5, .high = 95, .unit = "walkers");
    MASS_DECLARE_REDUCTION(host, .name = "second", .operation = MASS_SUM, .attribute = "pair", .component = 1);
    MASS_DECLARE_LOG(host, .expression = "declared");
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &reduced_places);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &reduced_floats);
    MASS_DECLARE_AGENTS(host, phase, .schedule = MASS_STEP, .population = "walker", .callback = &reduced_agents);
    return MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "walker");
}

MASS_PLUGIN(.name = "reduced", .version = "1.0.0", .help = "numbers of all types",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_AGENTS_ID, MASS_SERIES_ID, MASS_REDUCTIONS_ID,
                                              NULL},
            .open = reduced_open);
