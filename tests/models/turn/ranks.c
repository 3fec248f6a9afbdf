/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in turn, over ranks: each plays its part of the space, or has worlds of its own. */
#include "needed.h"
#include "same.h"
#include "ways.h"

#include <criterion/criterion.h>

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

Test(turn_ranks, any_number_of_them_is_one)
{
    static const int ranks[] = {2, 3, 5};
    for (int i = 0; i < TURNS; i++) {
        const char *options = turn_options(turns[i]), *expected = engine_result(options);
        for (int k = 0; k < 3 && !turn_is_line(i); k++)
            if (turn_rows(turns[i]) >= ranks[k])
                cr_expect_str_eq(engine_result(text("%s --ranks %d", options, ranks[k])), expected, "%s, %d ranks",
                                 turns[i], ranks[k]);
    }
}

Test(turn_ranks, each_plays_a_part_of_a_long_space)
{
    static const int ranks[] = {2, 3, 8};
    for (int i = 0; i < LONG_TURNS; i++) {
        const char *options = turn_options(text("%s --set compared=0", long_turns[i]));
        const char *expected = engine_result(options);
        for (int k = 0; k < 3; k++)
            cr_expect_str_eq(engine_result(text("%s --ranks %d", options, ranks[k])), expected, "%s, %d ranks",
                             long_turns[i], ranks[k]);
    }
}

Test(turn_ranks, partitions_threads_and_shares_change_nothing)
{
    static const char *const ways[] = {"--ranks 2 --partitions 3 --threads 2", "--ranks 2 --device paranoid",
                                       "--ranks 3 --shares 1,9,2", "--ranks 3 --rebalance 2",
                                       "--ranks 2 --partitions 2 --device paranoid --shares 5,1"};
    const char *options = turn_options(text("%s --set compared=0", long_turns[0])), *expected = engine_result(options);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        cr_expect_str_eq(engine_result(text("%s %s", options, ways[w])), expected, "%s", ways[w]);
}

Test(turn_ranks, a_run_goes_on_with_other_ranks)
{
    static const char *const attributes[] = {"energy", "trail", NULL};
    const model m = {.options = turn_options("--size 17x60 --set hunters=400 --set prey=500"),
                     .state = "/places/field/grass", .rows = 60, .steps = 15, .population = "hunters",
                     .attributes = attributes};
    const char *plugin = text("--plugin '%s/turn.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{4, "--ranks 3"}, {9, text("%s --ranks 1", plugin)}, {12, text("%s --ranks 2", plugin)},
                        {0, text("%s --ranks 7", plugin)}};
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}

Test(turn_ranks, paranoid_names_what_is_beyond_the_radius)
{
    process p = engine_start(turn_options("--steps 3 --size 20x60 --set odd=1 --ranks 2 --device paranoid"));
    outcome o = engine_finish(&p);
    cr_expect_eq(o.status, 3, "%d", o.status);
    cr_expect(strstr(o.errors, "sees the place (2, 0) away, which is farther than 1, its radius"), "%s", o.errors);
    outcome_free(&o);
}

Test(turn_ranks, worlds_of_their_own_are_those_of_one_rank)
{
    const char *options = text("--plugin '%s/turn.so' --seed 1 --steps 6 --worlds 4", MASS_TEST_PLUGINS);
    cr_expect_str_eq(engine_result(text("%s --ranks 2", options)), engine_result(options));
}

Test(turn_ranks, phases_that_share_a_turn_come_to_the_same)
{
    static const char *const runs[] = {
        "--steps 5 --set shared=1 --worlds 3 --set gated=1",
        "--steps 4 --size 13x70 --set torus=0 --set radius=3 --set shared=1 --worlds 2 --set ants=300 --set bees=200",
        "--steps 4 --size 9x160 --set shared=2 --set starts=1 --set ants=900 --set bees=700 --set cows=500"};
    static const char *const ways[] = {"--ranks 2", "--ranks 3 --partitions 2", "--ranks 3 --device paranoid",
                                       "--ranks 2 --shares 1,7 --threads 2"};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const char *options = text("--plugin '%s/mingle.so' --seed 1 %s", MASS_TEST_PLUGINS, runs[i]);
        const char *expected = engine_result(options);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            if (i || w % 2 == 0)
                cr_expect_str_eq(engine_result(text("%s %s", options, ways[w])), expected, "%s %s", runs[i], ways[w]);
    }
}
