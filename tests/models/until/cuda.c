/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that end by a condition, on a GPU. */
#include "until_known.h"

#include <criterion/criterion.h>

Test(until_cuda, life_ends_at_the_first_step_at_which_it_holds)
{
    expect_until_of_life("--device cuda");
    expect_until_of_life("--device cuda --partitions 3");
}

Test(until_cuda, agents_end_at_the_first_step_at_which_it_holds) { expect_until_of_agents("--device cuda"); }

Test(until_cuda, worlds_end_when_it_holds_in_all_of_them) { expect_until_in_worlds("--device cuda"); }

Test(until_cuda, runs_end_at_the_first_step_of_many_hundred_at_which_it_holds)
{
    expect_until_late("--device cuda");
    expect_until_late("--device cuda --partitions 3");
}

Test(until_cuda, series_are_those_of_the_cpu) { expect_same_rows("--device cuda"); }

Test(until_cuda, output_on_the_way_changes_nothing) { expect_until_beside_output("--device cuda"); }

Test(until_cuda, resumed_runs_end_as_if_they_had_not_stopped)
{
    expect_until_resumed("--device cuda", "--device cpu --threads 2");
    expect_until_resumed("--device cpu --threads 2", "--device cuda --partitions 2");
}
