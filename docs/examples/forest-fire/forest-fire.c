/* SPDX-License-Identifier: Apache-2.0 */
/* A forest that grows, burns, and grows again: the model of B. Drossel and F. Schwabl, "Self-organized
 * critical forest-fire model" (1992). */
#include <mass/model.h>
#include <stdio.h>

enum { EMPTY, TREE, FIRE };

MASS_PARAMETER(double, density, 0.5, 0, 1, "share of places that have a tree at the start")
MASS_PARAMETER(double, growth, 0.01, 0, 1, "chance that a tree grows on empty ground in a step")
MASS_PARAMETER(double, lightning, 0.00001, 0, 1, "chance that lightning strikes a tree in a step")
MASS_PARAMETER(choice, spark, "none", "whether the place in the middle burns at the start", "none", "centre")

MASS_SPACE(forest, 2, .size = {512, 512}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(forest, uint8_t, state, .most = FIRE, .names = {"empty", "tree", "fire"}, .help = "what is there")

MASS_TALLY(SUM, int64_t, trees, "places with a tree")
MASS_TALLY(SUM, int64_t, burning, "places on fire")
MASS_TALLY(SUM, int64_t, burnt, "trees burnt down so far", .cumulative = 1)

/* A tree with probability `density`, except where something burns already. */
MASS_STENCIL(forest_plant, 2, 1, READS(state), WRITES(state), GIVEN(density))
{
    const mass_random4 r = RANDOM(0);
    const int planted = mass_unit_f64(r.v[0], r.v[1]) < PARAM(density);
    OUT(state) = (uint8_t)(IN(state) == FIRE ? FIRE : planted ? TREE : EMPTY);
}

MASS_MAP(forest_count, READS(state), SUMS(trees, burning))
{
    ADD(trees, IN(state) == TREE);
    ADD(burning, IN(state) == FIRE);
}

/* Fire burns out in a step. A tree next to one, or struck by lightning, catches fire; on empty ground a
 * tree grows. */
MASS_STENCIL(forest_step, 2, 1, READS(state), WRITES(state), GIVEN(growth, lightning), SUMS(trees, burning, burnt))
{
    const uint8_t now = IN(state);
    const int near_fire = (NEAR(state, 0, -1) == FIRE) | (NEAR(state, -1, 0) == FIRE) |
                          (NEAR(state, 1, 0) == FIRE) | (NEAR(state, 0, 1) == FIRE);
    const mass_random4 r = RANDOM(0);
    const double chance = mass_unit_f64(r.v[0], r.v[1]);
    const int grows = (now == EMPTY) & (chance < PARAM(growth));
    const int ignites = (now == TREE) & (near_fire | (chance < PARAM(lightning)));
    const int stands = (now == TREE) & !ignites;

    OUT(state) = (uint8_t)(ignites ? FIRE : grows | stands ? TREE : EMPTY);
    ADD(trees, grows | stands);
    ADD(burning, ignites);
    ADD(burnt, now == FIRE);
}

MASS_SCHEDULE(STARTS(forest_plant), STARTS(forest_count), STEPS(forest_step))
MASS_DEFAULT_STEPS(1000)
MASS_PICTURE(forest, state, EMPTY, FIRE, 0x1d1a16, 0x3f7d3a, 0xff8c1a)

#if MASS_HOST

/* Runs before the schedule's start. */
static mass_status forest_load(mass_host *host)
{
    if (VALUE(spark) == 0) return MASS_OK;
    mass_gidx size[3];
    uint32_t dimensions;
    mass_status status = mass_values_of(host)->size(host, "forest", size, &dimensions);
    const mass_gidx middle[3] = {size[0] / 2, size[1] / 2, 0}, one[3] = {1, 1, 1};
    const uint8_t fire = FIRE;
    for (int32_t world = 0; status == MASS_OK && world < mass_run_of(host)->worlds(host); world++)
        status = mass_run_of(host)->write(host, "forest", "state", world, middle, one, &fire);
    return status;
}

/* Runs after the last step. */
static mass_status forest_finish(mass_host *host)
{
    double burnt;
    const mass_status status = mass_run_of(host)->tally(host, "burnt", 0, &burnt);
    if (status != MASS_OK) return status;
    char line[80];
    snprintf(line, sizeof line, "%.0f trees burnt down in world 0", burnt);
    mass_run_of(host)->say(host, line);
    return MASS_OK;
}

#endif

MASS_PLUGIN(.name = "forest-fire", .version = "1.1.0", .help = "a forest that grows, burns, and grows again",
            .load = forest_load, .finish = forest_finish);
