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

/* Ranks do not compute who waits for whom over the phases of a turn. */
Test(turn_ranks, a_shared_turn_is_played_by_a_rank_alone)
{
    const char *options = text("--plugin '%s/mingle.so' --seed 1 --steps 4 --set shared=1", MASS_TEST_PLUGINS);
    engine_refuse(text("%s --ranks 2", options), 2,
                  "callbacks mingle_ants_1 and mingle_bees share turn 'day', which ranks that share a world cannot do: "
                  "use one rank, or as many --worlds as ranks");
    cr_expect_str_eq(engine_result(text("%s --worlds 3 --ranks 2", options)),
                     engine_result(text("%s --worlds 3", options)));
}
