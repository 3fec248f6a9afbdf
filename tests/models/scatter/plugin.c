/* SPDX-License-Identifier: Apache-2.0 */
/* Places and agents that throw numbers around themselves, in spaces of one to three dimensions: by callbacks of every
 * kind, under conditions, with births. */
#include "scatter.h"

static const char *const lives[] = {"still", "walking", "breeding", NULL};

static void declare_attributes(mass_host *host)
{
    static const int64_t wide = -13;
    static const int32_t narrow = 11;
    MASS_DECLARE(host, attribute, .space = "grid", .name = "value", .type = MASS_I64, .initial = &wide);
    MASS_DECLARE(host, attribute, .space = "grid", .name = "i32", .type = MASS_I32, .initial = &narrow);
    MASS_DECLARE(host, attribute, .space = "grid", .name = "u32", .type = MASS_U32, .initial = &narrow);
    MASS_DECLARE(host, attribute, .space = "grid", .name = "i64", .type = MASS_I64, .initial = &wide);
    MASS_DECLARE(host, attribute, .space = "grid", .name = "u64", .type = MASS_U64, .initial = &wide);
    MASS_DECLARE(host, attribute, .population = "walkers", .name = "tossed", .type = MASS_I64);
}

#define STEP_PHASE(...) MASS_DECLARE(host, phase, .schedule = MASS_STEP, __VA_ARGS__)
#define AGENT_PHASE(...) MASS_DECLARE_AGENTS(host, phase, .schedule = MASS_STEP, __VA_ARGS__)

static mass_status scatter_open(mass_host *host)
{
    static const mass_callback *const throws[] = {&scatter_throw_1d, &scatter_throw_2d, &scatter_throw_3d};
    static const mass_callback *const gathers[] = {&scatter_gather_1d, &scatter_gather_2d, &scatter_gather_3d};
    static const mass_condition above = {.tally = "thrown", .relation = MASS_GREATER, .value = 0};
    mass_gidx size[3];
    uint32_t dimensions = 2;
    MASS_DECLARE(host, parameter, .name = "torus", .type = MASS_INTEGER, .integer = 7, .integer_max = 7);
    MASS_DECLARE(host, parameter, .name = "walkers", .type = MASS_INTEGER, .integer = 60, .integer_max = 100000);
    MASS_DECLARE(host, parameter, .name = "lives", .type = MASS_CHOICE, .choices = lives);
    const int64_t life = mass_values(host)->integer(host, "lives");
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 1, .dimensions_max = 3, .size = {24, 18},
                 .torus = (uint32_t)mass_values(host)->integer(host, "torus"));
    mass_values(host)->size(host, "grid", size, &dimensions);
    MASS_DECLARE(host, constant, .name = "radius", .type = MASS_INTEGER, .integer = 4 - dimensions);
    MASS_DECLARE(host, constant, .name = "life", .type = MASS_INTEGER, .integer = life);
    MASS_DECLARE(host, tally, .name = "thrown", .access = MASS_SUM);
    MASS_DECLARE(host, tally, .name = "tosses", .access = MASS_SUM, .cumulative = 1);
    MASS_DECLARE_AGENTS(host, population, .name = "walkers", .constant = life < 2, .children = life == 2,
                        .count = mass_values(host)->integer(host, "walkers"));
    declare_attributes(host);
    MASS_DECLARE(host, phase, .schedule = MASS_START, .callback = &scatter_sow);
    STEP_PHASE(.callback = throws[dimensions - 1]);
    AGENT_PHASE(.space = "grid", .callback = &scatter_spill, .condition = &above);
    STEP_PHASE(.callback = gathers[dimensions - 1]);
    AGENT_PHASE(.population = "walkers", .callback = &scatter_toss, .reach = 4 - (int32_t)dimensions);
    MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "walkers");
    return AGENT_PHASE(.population = "walkers", .callback = &scatter_meet);
}

MASS_PLUGIN(.name = "scatter", .version = "1.0.0", .help = "places and agents that throw numbers around themselves",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_AGENTS_ID, NULL},
            .open = scatter_open);
