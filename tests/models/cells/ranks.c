/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps whose worlds have rules of their own, over several ranks: of worlds, and of slabs where ranks are more. */
#include "needed.h"
#include "run.h"
#include "sweeps.h"

#include <criterion/criterion.h>

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

Test(cells_ranks, sweeps_of_rules_are_those_of_a_plain_loop)
{
    for (int i = 0; i < SWEEPS; i++)
        expect_plain_sweep(i, text("--device cpu --ranks %d --fuse %d%s", i % 3 == 2 ? 8 : 2, i % 2 ? 1 : 4,
                                   i % 4 == 2 ? " --until 'alive < 0'" : ""));
}
