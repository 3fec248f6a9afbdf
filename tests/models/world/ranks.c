/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that run once a world, over several ranks. */
#include "needed.h"
#include "ways.h"

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

Test(world_ranks, several_ranks_are_one)
{
    expect_market(&markets[2], 1, "--device cpu --threads 1 --ranks 2");
    expect_market(&markets[3], 1, "--device cpu --threads 1 --ranks 3 --partitions 2");
    expect_market(&markets[4], 3, "--device cpu --threads 1 --ranks 2");
}

/* Every rank gets the values of a checkpoint: of one that one rank wrote, and of one of three. */
Test(world_ranks, a_run_goes_on_over_other_ranks)
{
    const char *folder = folder_make(), *next = folder_make();
    market_run run = MARKET(24, 18, 5, 8);
    engine_result(text("%s --threads 1 --checkpoint %s", market_options(&run), folder));
    engine_result(text("--plugin '%s/world.so' --resume %s --steps 11 --threads 1 --ranks 3 --checkpoint %s",
                       MASS_TEST_PLUGINS, folder, next));
    const char *last = engine_result(text("--plugin '%s/world.so' --resume %s --steps 19 --threads 1 --ranks 2",
                                          MASS_TEST_PLUGINS, next));
    run.steps = 19;
    cr_expect_str_eq(last, engine_result(text("%s --threads 1", market_options(&run))));
}
