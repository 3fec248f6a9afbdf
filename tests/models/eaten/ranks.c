/* SPDX-License-Identifier: Apache-2.0 */
/* The same over several ranks. */
#include "eaten/known.h"
#include "needed.h"

#include <criterion/criterion.h>

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

static int ranks;
static void same_over_ranks(const model *m)
{
    const char *where = text("--steps %d --device cpu --threads 1", m->steps);
    cr_expect_str_eq(engine_result(text("%s %s --ranks %d --partitions %d", m->options, where, ranks, ranks - 1)),
                     engine_result(text("%s %s", m->options, where)), "%s", m->options);
}

Test(eaten_ranks, two_are_one)
{
    ranks = 2;
    each_eaten(same_over_ranks);
}

Test(eaten_ranks, three_are_one)
{
    ranks = 3;
    each_eaten(same_over_ranks);
}
