/* SPDX-License-Identifier: Apache-2.0 */
/* Vain: what it consists of. */
#include "vain.h"

#include <mass/mass.h>

extern const mass_callback vain_ask, vain_roll;

static int64_t number(mass_host *host, const char *name, int64_t value, int64_t most)
{
    MASS_DECLARE(host, parameter, .name = name, .type = MASS_INTEGER, .integer = value, .integer_max = most,
                 .help = "for a test");
    return mass_values(host)->integer(host, name);
}

static mass_status vain_open(mass_host *host)
{
    number(host, "asks", 0, 63);
    number(host, "when", 1, 1000);
    number(host, "draw", 0, 1 << 20);
    const int64_t manage = number(host, "manage", BEHIND, BEFORE), children = number(host, "children", 0, 1);
    const mass_condition never = {"none", MASS_GREATER, 0, 0, 0};
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {13, 11},
                 .torus = MASS_AXIS_X);
    MASS_DECLARE(host, attribute, .name = "dice", .type = MASS_U32);
    MASS_DECLARE(host, tally, .name = "none", .access = MASS_SUM);
    MASS_DECLARE_AGENTS(host, population, .name = "ants", .count = 40, .children = (uint32_t)children,
                        .constant = !children);
    MASS_DECLARE(host, attribute, .population = "ants", .name = "luck", .type = MASS_U32);
    if (manage == BEFORE) MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "ants");
    for (int i = 0; i < 2; i++) /* it is said once */
        MASS_DECLARE_AGENTS(host, phase, .schedule = MASS_STEP, .population = "ants", .callback = &vain_ask);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &vain_roll);
    if (manage == BEHIND) MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "ants");
    if (manage == NEVER)
        MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "ants", .condition = &never);
    return mass_declare(host)->steps(host, 9);
}

MASS_PLUGIN(.name = "vain", .version = "1.0.0", .help = "requests that nobody carries out",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_AGENTS_ID, NULL},
            .open = vain_open);
