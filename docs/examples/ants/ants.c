/* SPDX-License-Identifier: Apache-2.0 */
/* Ants that follow the trails that they leave. */
#include <mass/mass.h>

extern const mass_callback ants_look, ants_fade, ants_walk, ants_mark; /* kernels.c */

#define ANTS(...) MASS_DECLARE_AGENTS(host, phase, .population = "ants", __VA_ARGS__)

static mass_status ants_open(mass_host *host)
{
    static const uint32_t scents[] = {0x17130f, 0x6b4a1f, 0xe8b04a}, dark[] = {0xf4f0e6};
    MASS_DECLARE(host, parameter, .name = "ants", .type = MASS_INTEGER, .integer = 2000, .integer_max = 1000000,
                 .help = "how many there are");
    MASS_DECLARE(host, space, .name = "ground", .dimensions_min = 2, .dimensions_max = 2, .size = {256, 256},
                 .torus = MASS_AXES_ALL);
    MASS_DECLARE(host, tally, .name = "scent", .access = MASS_SUM, .help = "of all trails");
    MASS_DECLARE_AGENTS(host, population, .name = "ants", .count = mass_values(host)->integer(host, "ants"),
                        .constant = 1, .drawn = &(mass_drawn){.colours = 1, .palette = dark});
    MASS_DECLARE(host, attribute, .space = "ground", .name = "trail", .type = MASS_I32);
    MASS_DECLARE(host, attribute, .population = "ants", .name = "way", .type = MASS_U8, .most = 7);
    ANTS(.schedule = MASS_START, .callback = &ants_look);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &ants_fade);
    ANTS(.schedule = MASS_STEP, .callback = &ants_walk, .reach = 1);
    MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "ants");
    ANTS(.schedule = MASS_STEP, .callback = &ants_mark, .reach = 1);
    return MASS_DECLARE(host, picture, .space = "ground", .attribute = "trail", .high = 200, .colours = 3,
                        .palette = scents);
}

MASS_PLUGIN(.name = "ants", .version = "1.0.0", .help = "ants that follow the trails that they leave",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_AGENTS_ID, NULL},
            .open = ants_open);
