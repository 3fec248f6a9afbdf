/* SPDX-License-Identifier: Apache-2.0 */
/* Random cases over two and three ranks. */
#include "cases.h"
#include "needed.h"
#include "ranks.h"
#include "run.h"

#include <criterion/criterion.h>

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

static const char *draw_way_over_ranks(dice *d, int64_t rows, int worlds)
{
    const char *device = roll(d, 0, 3) ? "cpu" : "paranoid";
    return text("--device %s --threads 1 --comm mpi %s", device, draw_ranks(d, rows, worlds, 3));
}

Test(cases_ranks, come_to_what_plain_programs_do) { expect_cases(draw_way_over_ranks, 3, false, 8); }
