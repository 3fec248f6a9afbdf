/* SPDX-License-Identifier: Apache-2.0 */
/* Minesweeper on a GPU: right, and the bits of the CPU. */
#include "minesweeper.h"

#include <criterion/criterion.h>

/* More than two recordings of steps, and some on each side of them. */
enum { STEPS = 75 };

Test(minesweeper_cuda, is_that_of_a_plain_program) { expect_minesweepers("--device cuda", 150); }

Test(minesweeper_cuda, agents_learn_the_shortest_ways_that_hit_no_mine) { expect_learnt("--device cuda", 1); }

Test(minesweeper_cuda, agents_that_race_learn_the_same) { expect_learnt("--set update=racy --device cuda", 1); }

static void alone(const model *m)
{
    expect_same_in_partitions(m, "--set update=racy --device cuda", expected_result(m));
}

Test(minesweeper_cuda, an_agent_alone_has_nobody_to_race_with) { each_lonely_minesweeper(STEPS, alone); }

Test(minesweeper_cuda, is_the_same_in_any_number_of_partitions) { each_minesweeper(STEPS, same_in_partitions_on_gpu); }
Test(minesweeper_cuda, has_the_same_worlds_together_and_apart) { each_minesweeper(STEPS / 2, same_worlds_on_gpu); }
/* Of which a processor takes two at a time, with a part of their places beside its own memory. */
Test(minesweeper_cuda, is_the_same_in_more_worlds_than_processors)
{
    const model m = minesweeper_model(46, 46, STEPS, "--seed 5 --worlds 300");
    same_on_gpu(&m);
}

Test(minesweeper_cuda, is_the_same_resumed_back_and_forth) { each_minesweeper(STEPS, same_resumed_on_gpu); }
