/* SPDX-License-Identifier: Apache-2.0 */
/* .flush on a GPU: the bits of the CPU, also where several steps at once are asked for. */
#include "same.h"

#include <criterion/criterion.h>

static const model faint = {.options = "--plugin '" MASS_TEST_PLUGINS "/faint.so' --seed 3", .rows = 64, .steps = 45,
                            .state = "/places/field/heat", .population = "walkers",
                            .attributes = (const char *const[]){"store", "debt", NULL}},
                   alone = {.options = "--plugin '" MASS_TEST_PLUGINS "/alone.so' --seed 3", .rows = 64, .steps = 45,
                            .state = "/places/field/heat"};

Test(faint_cuda, are_those_of_the_cpu) { same_on_gpu(&faint); }
Test(faint_cuda, are_the_same_in_partitions) { same_in_partitions_on_gpu(&faint); }

Test(faint_cuda, are_those_of_the_cpu_in_several_steps_at_once)
{
    const char *expected = expected_result(&alone);
    expect_same(&alone, "--device cuda --fuse 1", expected);
    expect_same(&alone, "--device cuda --fuse 2", expected);
    expect_same(&alone, "--device cuda --fuse 4", expected);
    expect_same_in_partitions(&alone, "--device cuda", expected);
}
