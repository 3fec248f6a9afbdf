/* SPDX-License-Identifier: Apache-2.0 */
/* A model that does everything that small worlds on a GPU may do: three axes, one of them bounded, stencils,
 * residents, occupied places, moves near and far and out of the space, tallies of every kind, conditions. */
#include "wander.h"

#include <mass/mass.h>

static const mass_member bag[] = {{"first", MASS_U32, 0}, {"second", MASS_U32, 4}, {"third", MASS_U32, 8}};

static void declare_attributes(mass_host *host)
{
    MASS_DECLARE(host, attribute, .space = "grid", .name = "scent", .type = MASS_U16);
    MASS_DECLARE(host, attribute, .space = "grid", .name = "trodden", .type = MASS_U32);
    MASS_DECLARE(host, attribute, .space = "grid", .name = "dug", .type = MASS_U8);
    MASS_DECLARE(host, attribute, .population = "walkers", .name = "met", .type = MASS_U64);
    MASS_DECLARE(host, attribute, .population = "walkers", .name = "heading", .type = MASS_I8);
    MASS_DECLARE(host, attribute, .population = "walkers", .name = "lost_moves", .type = MASS_U16);
    MASS_DECLARE(host, attribute, .population = "walkers", .name = "bag", .type = MASS_STRUCT, .members = bag,
                 .member_count = sizeof bag / sizeof *bag, .element_size = sizeof(wander_bag));
    MASS_DECLARE(host, attribute, .population = "sitters", .name = "seen", .type = MASS_F64);
}

#define PHASE(...) MASS_DECLARE_AGENTS(host, phase, .schedule = MASS_STEP, __VA_ARGS__)
#define MANAGE(...) MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, __VA_ARGS__)

static mass_status wander_open(mass_host *host)
{
    MASS_DECLARE(host, parameter, .name = "share", .type = MASS_REAL, .real = 0.5, .real_min = 0, .real_max = 1);
    MASS_DECLARE(host, parameter, .name = "walkers", .type = MASS_INTEGER, .integer = 90, .integer_min = 0,
                 .integer_max = 100000);
    MASS_DECLARE(host, parameter, .name = "leave", .type = MASS_INTEGER, .integer = 1, .integer_min = 0,
                 .integer_max = 1, .help = "1: some ask to move over the edge, which the paranoid device reports");
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 3, .dimensions_max = 3, .size = {7, 6, 5},
                 .torus = MASS_AXIS_X | MASS_AXIS_Z);
    MASS_DECLARE(host, tally, .name = "odd", .access = MASS_SUM);
    MASS_DECLARE(host, tally, .name = "walked", .access = MASS_SUM, .cumulative = 1);
    MASS_DECLARE(host, tally, .name = "least", .access = MASS_MIN, .cumulative = 1);
    MASS_DECLARE(host, tally, .name = "most", .access = MASS_MAX, .kind = MASS_TALLY_REAL, .cumulative = 1);
    MASS_DECLARE_AGENTS(host, population, .name = "walkers", .count = mass_values(host)->integer(host, "walkers"),
                        .constant = 1);
    MASS_DECLARE_AGENTS(host, population, .name = "sitters", .count = 11, .constant = 1);
    declare_attributes(host);
    const mass_condition crowd = {"odd", MASS_GREATER, 1, "share", "walkers"};
    PHASE(.population = "walkers", .callback = &wander_walk, .reach = 1);
    PHASE(.population = "walkers", .callback = &wander_meet);
    MANAGE(.population = "walkers");
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &wander_scent);
    PHASE(.population = "sitters", .callback = &wander_dig);
    PHASE(.population = "sitters", .callback = &wander_jump, .condition = &crowd);
    MANAGE(.population = "sitters", .condition = &crowd);
    MANAGE(.population = "walkers", .condition = &crowd);
    return MASS_OK;
}

MASS_PLUGIN(.name = "wander", .version = "1.0.0", .help = "walkers that leave a scent",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_AGENTS_ID, NULL},
            .open = wander_open);
