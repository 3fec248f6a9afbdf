/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in turn, over ranks: each rank may have worlds of its own, and no world is shared. */
#include "needed.h"
#include "run.h"

#include <criterion/criterion.h>

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

Test(turn_ranks, a_shared_space_is_refused)
{
    engine_refuse(text("--plugin '%s/turn.so' --seed 1 --steps 2 --ranks 2", MASS_TEST_PLUGINS), 2,
                  "agents act in turn in callback turn_1, and ranks cannot share their space: use one rank, or as many "
                  "--worlds as ranks");
}

Test(turn_ranks, worlds_of_their_own_are_those_of_one_rank)
{
    const char *options = text("--plugin '%s/turn.so' --seed 1 --steps 6 --worlds 4", MASS_TEST_PLUGINS);
    cr_expect_str_eq(engine_result(text("%s --ranks 2", options)), engine_result(options));
}
