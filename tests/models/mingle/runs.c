/* SPDX-License-Identifier: Apache-2.0 */
/* Populations that share a turn, on one process. Each run compares its last state with that of a plain program. */
#include "named.h"
#include "same.h"
#include "run.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *options_of(const char *more)
{
    return text("--plugin '%s/mingle.so' --seed 1 %s", MASS_TEST_PLUGINS, more);
}

static const char *const runs[] = {
    "--steps 12 --set shared=1",
    "--steps 12 --set shared=2",
    "--steps 8 --set shared=2 --set gated=1 --set starts=1 --worlds 5 --set ants=30",
    "--steps 8 --set shared=1 --set seats_of_bees=1 --set seats_of_ants=0 --set fertile=1 --set deadly=3 --worlds 2",
    "--steps 6 --size 7x6x5 --set shared=2 --set radius=3 --set torus=5 --set ants=90 --set cows=70",
    "--steps 6 --size 60 --set shared=1 --set torus=0 --set radius=3 --set reach=2",
    "--steps 5 --set shared=2 --set bees=0 --set cows=1",
    "--steps 5 --size 40x50 --set shared=2 --set ants=600 --set bees=500 --set cows=400"};
enum { RUNS = sizeof runs / sizeof *runs };

Test(mingle, every_way_to_run_a_shared_turn_is_that_of_a_plain_program)
{
    static const char *const ways[] = {"--threads 2", "--threads 4 --partitions 2", "--device paranoid",
                                       "--device paranoid --partitions 3", "--threads 1 --partitions 3"};
    for (int i = 0; i < RUNS; i++) {
        const char *expected = engine_result(options_of(text("%s --threads 1", runs[i])));
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            cr_expect_str_eq(engine_result(options_of(text("%s %s", runs[i], ways[w]))), expected, "%s %s", runs[i],
                             ways[w]);
    }
}

/* Two turns give another state than one. */
Test(mingle, a_shared_turn_is_not_two_turns)
{
    const char *shared = engine_result(options_of("--steps 3 --set shared=2 --threads 1"));
    cr_expect(strcmp(shared, engine_result(options_of("--steps 3 --set shared=1 --threads 1"))) != 0);
    cr_expect(strcmp(shared, engine_result(options_of("--steps 3 --threads 1"))) != 0);
}

Test(mingle, paranoid_names_a_number_out_of_its_range)
{
    paranoid_names(options_of("--steps 2 --set shared=1 --set stray=1"), ", and wet has 0 to 1",
                   "callback mingle_");
}

Test(mingle, phases_that_share_a_turn_are_shuffled)
{
    engine_refuse(options_of("--steps 1 --set shared=1 --set order=2"), 3,
                  "callback mingle_ants_1: its phase shares turn 'day', whose order is shuffled, and has .order: leave "
                  "it out");
    engine_refuse(options_of("--steps 1 --set shared=1 --set times=2"), 3,
                  "callbacks mingle_ants_1 and mingle_bees share turn 'day', and another phase is between theirs: put "
                  "them one after the other");
}
