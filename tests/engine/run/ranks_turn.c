/* SPDX-License-Identifier: Apache-2.0 */
/* Models whose agents act in turn have the same result on one rank and on several that share the space, also if it is
 * divided again in between. Ranks are threads. */
#include "on_ranks.h"

#include <criterion/criterion.h>

static void on(const trial *t, int32_t few, int32_t many)
{
    const int32_t ranks[] = {few, many};
    expect_same_on_ranks(t, ranks, 2);
}

Test(ranks_turn, ants_are_born_and_walk_over_cuts)
{
    on(&(trial){.plugin = "sugarscape", .dimensions = 2, .size = {9, 50, 1}, .steps = 12,
                .settings = {{"activation", "turn", NULL}, {"ants", "200", NULL}, {"reproduce", "12", NULL},
                             {"vision_max", "2", NULL}}}, 2, 5);
    on(&(trial){.plugin = "sugarscape", .dimensions = 2, .size = {12, 20, 1}, .steps = 8, .worlds = 2, .first_world = 1,
                .settings = {{"activation", "turn", NULL}, {"ants", "60", NULL}, {"replace", "yes", NULL}}}, 3, 7);
}

Test(ranks_turn, the_space_is_divided_again)
{
    on(&(trial){.plugin = "sugarscape", .dimensions = 2, .size = {9, 60, 1}, .steps = 12, .uneven = 3, .rebalance = 2,
                .pretended = true, .settings = {{"activation", "turn", NULL}, {"ants", "200", NULL},
                                                {"vision_max", "1", NULL}}}, 2, 4);
}

Test(ranks_turn, paranoid_agrees)
{
    on(&(trial){.plugin = "sugarscape", .dimensions = 2, .size = {8, 40, 1}, .steps = 4, .paranoid = true,
                .settings = {{"activation", "turn", NULL}, {"ants", "90", NULL}, {"vision_max", "1", NULL}}}, 2, 3);
}

Test(ranks_turn, wolves_and_sheep_meet_at_cuts)
{
    on(&(trial){.plugin = "wolf-sheep", .dimensions = 2, .size = {7, 60, 1}, .steps = 12,
                .settings = {{"activation", "turn", NULL}, {"sheep", "150", NULL}, {"wolves", "90", NULL},
                             {"edge", "torus", NULL}}}, 3, 6);
    on(&(trial){.plugin = "wolf-sheep", .dimensions = 2, .size = {7, 60, 1}, .steps = 12, .worlds = 2,
                .settings = {{"activation", "turn", NULL}, {"sheep", "150", NULL}, {"wolves", "90", NULL}}}, 2, 5);
}
