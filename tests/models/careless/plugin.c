/* SPDX-License-Identifier: Apache-2.0 */
/* Careless: what it consists of. */
#include <mass/mass.h>

extern const mass_callback careless_lay, careless_meet, careless_act, careless_look, careless_read;

static void number(mass_host *host, const char *name, int64_t most)
{
    MASS_DECLARE(host, parameter, .name = name, .type = MASS_INTEGER, .integer_min = -most, .integer_max = most,
                 .help = "for a test");
}

static void over_agents(mass_host *host, const mass_callback *callback, int32_t reach)
{
    MASS_DECLARE_AGENTS(host, phase, .schedule = MASS_STEP, .population = "ants", .callback = callback, .reach = reach);
}

static mass_status careless_open(mass_host *host)
{
    number(host, "who", 63);
    number(host, "dx", INT64_MAX);
    number(host, "dy", INT64_MAX);
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {13, 11},
                 .torus = MASS_AXIS_X);
    MASS_DECLARE(host, attribute, .name = "ground", .type = MASS_U8);
    MASS_DECLARE(host, attribute, .name = "heard", .type = MASS_U8);
    MASS_DECLARE(host, attribute, .name = "read", .type = MASS_U8);
    MASS_DECLARE_AGENTS(host, population, .name = "ants", .count = 40);
    MASS_DECLARE(host, attribute, .population = "ants", .name = "done", .type = MASS_U8);
    MASS_DECLARE(host, attribute, .population = "ants", .name = "seen", .type = MASS_U8);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &careless_lay);
    over_agents(host, &careless_meet, 0);
    over_agents(host, &careless_act, 0);
    over_agents(host, &careless_look, 1);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &careless_read);
    return mass_declare(host)->steps(host, 2);
}

MASS_PLUGIN(.name = "careless", .version = "1.0.0", .help = "bodies that leave fields unwritten, or look too far",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_AGENTS_ID, NULL}, .open = careless_open);
