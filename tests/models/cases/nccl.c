/* SPDX-License-Identifier: Apache-2.0 */
/* Random cases over ranks whose GPUs send to each other by NCCL. */
#include "cases.h"
#include "needed.h"
#include "ranks.h"
#include "run.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define NCCL "--device cuda --comm nccl"
const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2 " NCCL,
                               {"there is no usable GPU", "there is no CUDA in this build",
                                "was built without device code", "there is no MPI in this build",
                                "--comm nccl: the ranks' GPUs cannot be linked", "needs mpirun, which is not in PATH",
                                NULL}};

/* Three ranks need three GPUs. */
static int most_ranks(void)
{
    static int most;
    if (most) return most;
    process p = engine_start("--plugin life --steps 0 --quiet --ranks 3 " NCCL);
    outcome o = engine_finish(&p);
    if (o.status == 5) printf("Skipped: cases over three ranks: %s", o.errors);
    most = o.status == 5 ? 2 : 3;
    outcome_free(&o);
    return most;
}

static const char *draw_way_by_nccl(dice *d, int64_t rows, int worlds)
{
    const char *overlap = roll(d, 0, 1) ? "" : " --no-overlap";
    return text(NCCL " %s%s", draw_ranks(d, rows, worlds, most_ranks()), overlap);
}

Test(cases_nccl, come_to_what_plain_programs_do) { expect_cases(draw_way_by_nccl, 3, false, 32); }
