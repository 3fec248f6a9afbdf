/* SPDX-License-Identifier: Apache-2.0 */
/* Places that bring forth agents, over several ranks. */
#include "needed.h"
#include "sprout/known.h"

#include <criterion/criterion.h>

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

Test(sprout_ranks, several_ranks_are_one)
{
    for (int i = 0; i < sprout_case_count; i++) {
        const char *options = text("%s --set weeds=40", sprout_options(&sprout_cases[i]));
        const char *expected = engine_result(text("%s --device cpu --threads 1", options));
        for (int ranks = 2; ranks <= 3; ranks++)
            cr_expect_str_eq(engine_result(text("%s --device cpu --threads 1 --ranks %d --partitions %d", options,
                                                ranks, 1 + i % 2)),
                             expected, "%s on %d ranks", options, ranks);
    }
}

Test(sprout_ranks, worlds_over_ranks)
{
    const char *options = text("%s --set luck=1 --set gate=18 --steps 15 --device cpu --threads 1",
                               sprout_options(sprout_cases));
    const char *expected = engine_result(text("%s --worlds 3", options));
    for (int ranks = 2; ranks <= 3; ranks++)
        cr_expect_str_eq(engine_result(text("%s --worlds 3 --ranks %d", options, ranks)), expected, "%d", ranks);
}
