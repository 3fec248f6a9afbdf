/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in turn, on one process. Each run compares its last state with that of a plain program. */
#include "../../extended.h"
#include "named.h"
#include "same.h"
#include "ways.h"

#include <criterion/criterion.h>
#include <string.h>

Test(turn, every_way_to_run_is_that_of_a_plain_program)
{
    static const char *const ways[] = {"--threads 3", "--threads 2", "--threads 4", "--device paranoid",
                                       "--threads 2 --partitions 2", "--threads 1 --partitions 4",
                                       "--device paranoid --partitions 3"};
    for (int i = 0; i < TURNS; i++) {
        const char *expected = engine_result(turn_options(text("%s --threads 1", turns[i])));
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            if ((!turn_is_line(i) || !strstr(ways[w], "--partitions")) && takes_part((size_t)i + w, 3))
                cr_expect_str_eq(engine_result(turn_options(text("%s %s", turns[i], ways[w]))), expected, "%s %s",
                                 turns[i], ways[w]);
    }
}

Test(turn, many_agents_are_listed_by_all_threads)
{
    static const char *const seats[] = {"seats=1", "seats=0"};
    for (int i = 0; i < 2; i++) {
        const char *options = turn_options(text("--steps 3 --size 150x100 --set hunters=7000 --set prey=2000 "
                                                "--set prey_seats=1 --set compared=0 --set %s", seats[i]));
        const char *expected = engine_result(text("%s --threads 1", options));
        for (int threads = 2; threads <= 4; threads++)
            cr_expect_str_eq(engine_result(text("%s --threads %d", options, threads)), expected, "%s, %d", seats[i],
                             threads);
    }
}

Test(turn, paranoid_names_what_is_beyond_the_radius)
{
    static const char *const words[] = {
        "sees the place (2, 0) away, which is farther than 1, its radius",
        "changes the place (0, -2) away, which is farther than 1, its radius",
        "moves to the place (3, 0) away, which is farther than 1, its radius",
        "bears a child on the place (0, 9) away, which is farther than 1, its radius",
        "names nobody, where no agent was found: ask IS_ANYBODY first",
        "counts the agents on the place (7, 0) away, which is farther than 1, its radius",
    };
    for (int i = 0; i < (int)(sizeof words / sizeof *words); i++)
        only_paranoid_names(turn_options(text("--steps 3 --set odd=%d", 1 + i)), words[i],
                            "callback turn_1, step 1: agent ");
}

Test(turn, paranoid_names_numbers_out_of_their_range)
{
    paranoid_names(turn_options("--steps 3 --set odd=9"), "it is -1, and grass has 0 to 1000000",
                   "callback turn_1, field grass, place (");
    paranoid_names(turn_options("--steps 3 --set odd=10"), "it is -1, and weight has 0 to 30000",
                   "callback turn_1, field weight, agent ");
}

Test(turn, requests_are_applied_before_a_phase_in_turn)
{
    engine_refuse(turn_options("--steps 1 --set odd=7"), 3,
                  "callback turn_1 acts in turn on population 'prey', which may have requests of callback turn_ask "
                  "that no manage has applied: declare MANAGES(prey), without a condition, between them");
    engine_write(turn_options("--steps 4 --set odd=8"));
}

/* Runs of a sweep stop in the middle, and go on in another way. */
Test(turn, sweeps_go_on_as_if_they_had_not_stopped)
{
    static const char *const ways[] = {"--threads 1", "--threads 3", "--threads 2 --partitions 3", "--device paranoid"};
    const char *options = turn_sweep(), *expected = engine_result(text("%s --steps 12 --threads 1", options));
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        const char *folder = folder_make(), *next = ways[(w + 1) % (sizeof ways / sizeof *ways)];
        engine_write(text("%s --steps 5 --checkpoint %s %s", options, folder, ways[w]));
        cr_expect_str_eq(engine_result(text("--plugin '%s/turn.so' --resume %s --steps 12 %s", MASS_TEST_PLUGINS,
                                            checkpoint_path(folder, 5), next)), expected, "%s", ways[w]);
    }
}

Test(turn, worlds_and_checkpoints_change_nothing)
{
    static const char *const attributes[] = {"energy", "trail", NULL};
    const model m = {.options = turn_options("--size 17x12"), .state = "/places/field/grass", .rows = 12, .steps = 15,
                     .population = "hunters", .attributes = attributes};
    const char *plugin = text("--plugin '%s/turn.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{4, "--threads 1"}, {9, text("%s --threads 2 --partitions 2", plugin)},
                        {0, text("%s --device paranoid", plugin)}};
    expect_same_worlds(&m, "--threads 1", "--threads 1");
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}
