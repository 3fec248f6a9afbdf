/* SPDX-License-Identifier: Apache-2.0 */
/* Rules over bits, over several ranks: in sweeps whose worlds have rules of their own, of worlds, and of slabs where
 * ranks are more. */
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

/* Whose bodies look at few of the places within their radius. */
Test(cells_ranks, stars_are_those_of_one_rank)
{
    static const char *const runs[] = {"--size 650x330 --set rule=star", "--size 65x33x17 --set rule=star",
                                       "--size 130x9x40 --set rule=two", "--size 70x70 --set rule=star"};
    for (int i = 0; i < 4; i++) {
        const char *o = text("--plugin '%s/cells.so' --device cpu --seed 5 --steps 41 --set torus=%d --set beyond=1 "
                             "--set table=5 %s", MASS_TEST_PLUGINS, 2 * i + 1, runs[i]);
        cr_expect_str_eq(engine_result(text("%s --ranks 2 --fuse %d", o, i == 3 ? 4 : 1)),
                         engine_result(text("%s --no-bits", o)), "%s", o);
    }
}
