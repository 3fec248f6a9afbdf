/* SPDX-License-Identifier: Apache-2.0 */
/* Sheep on a pasture: they walk at random, graze, have lambs and starve. */
#include <mass/mass.h>

extern const mass_callback pasture_grow, pasture_live, pasture_graze; /* kernels.c */

static mass_status pasture_open(mass_host *host)
{
    static const uint8_t green = 1;
    static const int32_t rested = 8;
    static const uint32_t ground[] = {0x8a6f4d, 0x4f8f46}, wool[] = {0xf6f1e4}; /* bare, grass; sheep */
    MASS_DECLARE(host, parameter, .name = "growth", .type = MASS_REAL, .real = 0.02, .real_max = 1,
                 .help = "chance that grass grows on bare ground in a step");
    MASS_DECLARE(host, parameter, .name = "breed", .type = MASS_INTEGER, .integer = 16, .integer_min = 2,
                 .integer_max = 1000, .help = "energy from which a sheep has a lamb");
    MASS_DECLARE(host, space, .name = "field", .dimensions_min = 2, .dimensions_max = 2, .size = {256, 256},
                 .torus = MASS_AXES_ALL);
    MASS_DECLARE(host, tally, .name = "alive", .access = MASS_SUM, .help = "sheep alive");
    MASS_DECLARE(host, tally, .name = "births", .access = MASS_SUM, .cumulative = 1, .help = "lambs born so far");
    MASS_DECLARE(host, tally, .name = "deaths", .access = MASS_SUM, .cumulative = 1, .help = "sheep that starved");
    MASS_DECLARE_AGENTS(host, population, .name = "sheep", .count = 500, .children = 1, .alive = "alive",
                        .born = "births", .died = "deaths", .help = "any number on a place",
                        .drawn = &(mass_drawn){.colours = 1, .palette = wool});
    MASS_DECLARE(host, attribute, .population = "sheep", .name = "energy", .type = MASS_I32, .initial = &rested);
    MASS_DECLARE(host, attribute, .space = "field", .name = "grass", .type = MASS_U8, .most = 1,
                 .initial = &green);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &pasture_grow);
    MASS_DECLARE_AGENTS(host, phase, .schedule = MASS_STEP, .population = "sheep", .callback = &pasture_live,
                        .reach = 1);
    MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "sheep");
    MASS_DECLARE_AGENTS(host, phase, .schedule = MASS_STEP, .population = "sheep", .callback = &pasture_graze);
    return MASS_DECLARE(host, picture, .space = "field", .attribute = "grass", .high = 1, .colours = 2,
                        .palette = ground);
}

MASS_PLUGIN(.name = "pasture", .version = "1.0.0", .help = "sheep that walk, graze, have lambs and starve",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_AGENTS_ID, NULL}, .open = pasture_open);
