/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks that see two populations, over several ranks. */
#include "needed.h"
#include "ways.h"

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

Test(meadow_ranks, several_ranks_are_one)
{
    for (int i = 0; i < MEADOWS; i++)
        cr_expect_str_eq(engine_result(text("%s --device cpu --threads 1 --ranks %d --partitions %d", meadow_options(i),
                                            2 + i % 2, 1 + i % 3)),
                         engine_result(text("%s --device cpu --threads 1", meadow_options(i))), "%s",
                         meadow_options(i));
}
