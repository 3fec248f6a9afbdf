/* SPDX-License-Identifier: Apache-2.0 */
/* Stray: what it consists of. */
#include "stray.h"

#include <mass/mass.h>

extern const mass_callback stray_lay, stray_aim, stray_look, stray_breed, stray_listen, stray_turn, stray_read;

#define OF_PLACES(NAME, TYPE) MASS_DECLARE(host, attribute, .name = NAME, .type = TYPE, .help = "for a test")
#define OF_AGENTS(NAME, TYPE) \
    MASS_DECLARE(host, attribute, .population = "walker", .name = NAME, .type = TYPE, .help = "for a test")
#define PHASE(SCHEDULE, CALLBACK, REACH_)                                                                        \
    MASS_DECLARE_AGENTS(host, phase, .schedule = SCHEDULE, .population = "walker", .callback = CALLBACK,         \
                        .reach = REACH_)

static mass_status stray_open(mass_host *host)
{
    static const uint8_t none = DEFAULT;
    MASS_DECLARE(host, parameter, .name = "strays", .type = MASS_INTEGER, .integer = ALL, .integer_max = ALL,
                 .help = "which bodies name what they may not");
    MASS_DECLARE(host, parameter, .name = "births", .type = MASS_INTEGER, .integer_max = 1, .help = "whether any");
    const int births = mass_values(host)->integer(host, "births") != 0;
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {13, 11},
                 .torus = MASS_AXIS_X);
    MASS_DECLARE(host, attribute, .name = "ground", .type = MASS_U8, .initial = &none, .help = "never the default");
    OF_PLACES("heard", MASS_I64);
    OF_PLACES("ox", MASS_I64);
    OF_PLACES("oy", MASS_I64);
    OF_PLACES("read", MASS_U8);
    MASS_DECLARE_AGENTS(host, population, .name = "walker", .count = 40, .constant = !births,
                        .children = births ? CHILDREN : 0, .initial = MASS_RANDOM_PLACES);
    OF_AGENTS("dx", MASS_I64);
    OF_AGENTS("dy", MASS_I64);
    OF_AGENTS("child", MASS_I64);
    OF_AGENTS("seen", MASS_U8);
    OF_AGENTS("crowd", MASS_U32);
    OF_AGENTS("born", MASS_U32);
    OF_AGENTS("weight", MASS_U32);
    MASS_DECLARE(host, phase, .schedule = MASS_START, .callback = &stray_lay);
    PHASE(MASS_STEP, &stray_aim, 0);
    PHASE(MASS_STEP, &stray_look, REACH);
    if (births) PHASE(MASS_STEP, &stray_breed, 0);
    MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "walker");
    PHASE(MASS_STEP, &stray_listen, 0);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &stray_turn);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &stray_read);
    return mass_declare(host)->steps(host, 6);
}

MASS_PLUGIN(.name = "stray", .version = "1.0.0", .help = "bodies that name what they may not",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_AGENTS_ID, NULL},
            .open = stray_open);
