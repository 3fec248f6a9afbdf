/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies read tallies over several ranks. */
#include "needed.h"
#include "ways.h"

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

Test(totals_ranks, several_ranks_are_one)
{
    expect_town(&towns[2], "--device cpu --threads 1 --ranks 2");
    expect_town(&towns[3], "--device cpu --threads 1 --ranks 3 --partitions 2");
    expect_town(&towns[4], "--device cpu --threads 1 --ranks 2 --worlds 3");
}
