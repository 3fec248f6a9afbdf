/* SPDX-License-Identifier: Apache-2.0 */
/* .flush on a GPU: the bits of the CPU, one step after the other. */
#include "same.h"

#include <criterion/criterion.h>

static const model faint = {.options = "--plugin '" MASS_TEST_PLUGINS "/faint.so' --seed 3", .rows = 64, .steps = 45,
                            .state = "/places/field/heat", .population = "walkers",
                            .attributes = (const char *const[]){"store", "debt", NULL}},
                   alone = {.options = "--plugin '" MASS_TEST_PLUGINS "/alone.so' --seed 3", .rows = 64, .steps = 45,
                            .state = "/places/field/heat"};

Test(faint_cuda, are_those_of_the_cpu) { same_on_gpu(&faint); }
Test(faint_cuda, are_the_same_in_partitions) { same_in_partitions_on_gpu(&faint); }

Test(faint_cuda, of_one_callback_over_places_are_those_of_the_cpu)
{
    const char *expected = expected_result(&alone);
    expect_same(&alone, "--device cuda", expected);
    expect_same_in_partitions(&alone, "--device cuda", expected);
}

Test(faint_cuda, are_not_several_steps_at_once)
{
    engine_refuse(text("%s --steps 45 --device cuda --fuse 2", alone.options), 2, "as an attribute has .flush");
}
