/* SPDX-License-Identifier: Apache-2.0 */
/* The same on a GPU: by general kernels, and where worlds are small and nobody is born, by blocks in their own
 * memory. */
#include "known.h"
#include "run.h"
#include "stray.h"

#include <criterion/criterion.h>

Test(stray_cuda, comes_to_the_same_as_plain_loops_in_any_partition)
{
    for (int births = 0; births < 2; births++)
        for (int partitions = 1; partitions <= 7; partitions++)
            expect_strays(13, 11, births, text("--device cuda --partitions %d", partitions));
}

Test(stray_cuda, comes_to_the_same_in_spaces_smaller_than_the_reach)
{
    static const int sizes[][2] = {{1, 1}, {2, 1}, {1, 7}, {3, 2}, {100, 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        expect_strays(sizes[i][0], sizes[i][1], 0, "--device cuda");
}

/* Without checkpoints in between, so that a launch takes worlds through many steps. Nobody names residents by numbers
 * of its own: those of a block count from its world's first agent. */
Test(stray_cuda, small_worlds_of_many_steps_come_to_the_same)
{
    const char *worlds = text("--plugin '%s/stray.so' --set strays=%d --seed 5 --steps 300 --worlds 9 --size 17x9",
                              MASS_TEST_PLUGINS, ALL & ~NAMES_RESIDENTS);
    const char *expected = engine_result(text("%s --device cpu", worlds));
    cr_assert_str_eq(engine_result(text("%s --device cuda", worlds)), expected);
    cr_assert_str_eq(engine_result(text("%s --device cuda --partitions 3", worlds)), expected);
}
