/* SPDX-License-Identifier: Apache-2.0 */
/* Agents anywhere in the world, over several ranks. */
#include "anybody/plain.h"
#include "needed.h"
#include "run.h"

#include <criterion/criterion.h>

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

Test(anybody_ranks, several_ranks_are_one)
{
    for (int i = 0; i < ANYBODY_RUNS; i++) {
        const char *options = text("%s --threads 1 --steps 15%s", anybody_options(&anybody_runs[i]),
                                   i == 1 ? " --worlds 2" : "");
        cr_expect_str_eq(engine_result(text("%s --device %s --ranks %d --partitions %d", options,
                                            i == 3 ? "paranoid" : "cpu", 2 + i % 2, 1 + i % 2)),
                         engine_result(text("%s --device cpu", options)), "%s", options);
    }
}
