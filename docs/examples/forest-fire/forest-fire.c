/* SPDX-License-Identifier: Apache-2.0 */
/* A forest that grows, burns, and grows again: the model of B. Drossel and F. Schwabl, "Self-organized
 * critical forest-fire model" (1992). */
#include "kernels.h"

#include <mass/mass.h>
#include <stdio.h>

static const char *const sparks[] = {"none", "centre", NULL};
static const uint32_t palette[] = {0x1d1a16, 0x3f7d3a, 0xff8c1a}; /* EMPTY, TREE, FIRE */

static void declare_chance(mass_host *host, const char *name, double value, const char *help)
{
    MASS_DECLARE(host, parameter, .name = name, .type = MASS_REAL, .real = value, .real_min = 0, .real_max = 1,
                 .help = help);
}

static mass_status forest_open(mass_host *host)
{
    declare_chance(host, "density", 0.5, "share of places that have a tree at the start");
    declare_chance(host, "growth", 0.01, "chance that a tree grows on empty ground in a step");
    declare_chance(host, "lightning", 0.00001, "chance that lightning strikes a tree in a step");
    MASS_DECLARE(host, parameter, .name = "spark", .type = MASS_CHOICE, .choices = sparks,
                 .help = "whether the place in the middle burns at the start");

    MASS_DECLARE(host, space, .name = "forest", .dimensions_min = 2, .dimensions_max = 2, .size = {512, 512},
                 .torus = MASS_AXES_ALL);
    MASS_DECLARE(host, attribute, .space = "forest", .name = "state", .type = MASS_U8, .most = FIRE,
                 .help = "0 empty, 1 tree, 2 fire");

    MASS_DECLARE(host, tally, .name = "trees", .access = MASS_SUM, .help = "places with a tree");
    MASS_DECLARE(host, tally, .name = "burning", .access = MASS_SUM, .help = "places on fire");
    MASS_DECLARE(host, tally, .name = "burnt", .access = MASS_SUM, .cumulative = 1, .help = "trees burnt down so far");

    MASS_DECLARE(host, phase, .schedule = MASS_START, .callback = &forest_plant);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &forest_step);
    mass_declare(host)->steps(host, 1000);
    return MASS_DECLARE(host, picture, .space = "forest", .attribute = "state", .low = EMPTY, .high = FIRE,
                        .colours = 3, .palette = palette);
}

/* Runs before the schedule `start`. */
static mass_status forest_load(mass_host *host)
{
    if (mass_values(host)->integer(host, "spark") == 0) return MASS_OK;
    mass_gidx size[3];
    uint32_t dimensions;
    mass_status status = mass_values(host)->size(host, "forest", size, &dimensions);
    const mass_gidx middle[3] = {size[0] / 2, size[1] / 2, 0}, one[3] = {1, 1, 1};
    const uint8_t fire = FIRE;
    for (int32_t world = 0; status == MASS_OK && world < mass_run(host)->worlds(host); world++)
        status = mass_run(host)->write(host, "forest", "state", world, middle, one, &fire);
    return status;
}

/* Runs after the last step. */
static mass_status forest_finish(mass_host *host)
{
    double burnt;
    const mass_status status = mass_run(host)->tally(host, "burnt", 0, &burnt);
    if (status != MASS_OK) return status;
    char line[80];
    snprintf(line, sizeof line, "%.0f trees burnt down in world 0", burnt);
    mass_run(host)->say(host, line);
    return MASS_OK;
}

MASS_PLUGIN(.name = "forest-fire", .version = "1.0.0", .help = "a forest that grows, burns, and grows again",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_RUN_ID, NULL},
            .open = forest_open, .load = forest_load, .finish = forest_finish);
