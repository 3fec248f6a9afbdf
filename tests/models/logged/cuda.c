/* SPDX-License-Identifier: Apache-2.0 */
#include "known.h"
#include "../run.h"

#include <criterion/criterion.h>

Test(logged_cuda, every_step_has_its_row)
{
    for (int i = 0; i < LOGGED_CASES; i++)
        logged_expect_same(i, text("--device cuda --fuse %d --partitions %d", logged_fuse[i % LOGGED_FUSES],
                                   i % 4 == 3 ? 2 : 1));
}

Test(logged_cuda, every_step_has_its_row_as_steps_go_fastest)
{
    for (int i = 0; i < LOGGED_CASES; i += 2) logged_expect_same(i, "--device cuda");
}

Test(logged_cuda, every_step_has_its_row_by_bytes)
{
    for (int i = 0; i < LOGGED_CASES; i += 5) logged_expect_same(i, "--device cuda --no-bits");
}
