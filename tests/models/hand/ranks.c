/* SPDX-License-Identifier: Apache-2.0 */
/* Agents by hand over several ranks. */
#include "needed.h"
#include "ways.h"

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

Test(hand_ranks, several_ranks_are_one)
{
    expect_plain(24, 18, 3, 30, "--device cpu --threads 1 --ranks 2");
    expect_plain(19, 23, 1, 20, "--device cpu --threads 1 --ranks 3 --partitions 2");
}

Test(hand_ranks, a_mistake_ends_all_ranks)
{
    engine_refuse(hand_options("--ranks 2 --set how=capacity"), 3, "its place would have more agents");
}
