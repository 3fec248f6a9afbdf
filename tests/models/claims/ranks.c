/* SPDX-License-Identifier: Apache-2.0 */
/* Claims and pairs over several ranks: slabs thick and thin, thinner than the radius too. */
#include "needed.h"
#include "ways.h"

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

Test(claims_ranks, several_ranks_are_one)
{
    for (int i = 0; i < CLAIMS_RUNS; i++) {
        const int ranks = 2 + i % 2;
        if (claims_runs[i].rows < ranks) continue;
        cr_expect_str_eq(engine_result(text("%s --device cpu --threads 1 --ranks %d", claims_options(i), ranks)),
                         engine_result(text("%s --device cpu --threads 1", claims_options(i))), "%s --ranks %d",
                         claims_options(i), ranks);
    }
    expect_same_wrong(wrong_claims[2], "--device cpu --threads 1 --ranks 3 --partitions 2");
}
