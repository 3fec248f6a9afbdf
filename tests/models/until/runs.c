/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that end by a condition, on the CPU. */
#include "../../extended.h"
#include "until_known.h"

#include <criterion/criterion.h>

static const char *const places[] = {"--device cpu --threads 1", "--device cpu --threads 2 --partitions 7",
                                     "--device paranoid --threads 1 --partitions 2"};
enum { PLACES = sizeof places / sizeof *places };

Test(until, life_ends_at_the_first_step_at_which_it_holds)
{
    for (int i = unsanitized(1, 0); i < PLACES; i++) expect_until_of_life(places[i]);
}

Test(until, agents_end_at_the_first_step_at_which_it_holds)
{
    for (int i = unsanitized(1, 0); i < PLACES; i++) expect_until_of_agents(places[i]);
}

Test(until, worlds_end_when_it_holds_in_all_of_them)
{
    for (int i = unsanitized(1, 0); i < 2; i++) expect_until_in_worlds(places[i]);
}

Test(until, runs_end_at_the_first_step_of_many_hundred_at_which_it_holds) { expect_until_late(places[1]); }

Test(until, series_are_the_same_everywhere)
{
    for (int i = 1; i < PLACES; i++) expect_same_rows(places[i]);
}

Test(until, output_on_the_way_changes_nothing) { expect_until_beside_output(places[1]); }

Test(until, resumed_runs_end_as_if_they_had_not_stopped)
{
    for (int i = unsanitized(1, 0); i < 2; i++) expect_until_resumed(places[i], places[i + 1]);
}
