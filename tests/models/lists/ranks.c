/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of parameters, over several ranks. */
#include "needed.h"
#include "plain.h"

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

Test(lists_ranks, several_ranks_are_one)
{
    static const char *const models[] = {"--seed 3", "--seed 4 --worlds 3 --size 20x11 --set rates=1,0.5,0.125"};
    for (int m = 0; m < 2; m++)
        for (int ranks = 2; ranks <= 3; ranks++)
            cr_expect_str_eq(engine_result(lists_options(text("%s --device cpu --threads 1 --ranks %d", models[m],
                                                              ranks))),
                             engine_result(lists_options(text("%s --device cpu --threads 1", models[m]))), "%s",
                             models[m]);
}
