/* SPDX-License-Identifier: Apache-2.0 */
/* Random cases on a GPU: in partitions, recorded and not. */
#include "cases.h"
#include "gpu.h"
#include "run.h"

#include <criterion/criterion.h>

static const char *draw_gpu_way(dice *d, int64_t rows, int worlds)
{
    (void)worlds;
    const int partitions = (int)roll(d, 1, rows < 7 ? rows : 7);
    return text("--device cuda --partitions %d%s", partitions, roll(d, 0, 3) ? "" : " --no-graph");
}

Test(cases_cuda, come_to_what_plain_programs_do) { expect_cases(draw_gpu_way, 1, true, 64); }
