/* SPDX-License-Identifier: Apache-2.0 */
/* Residents, occupied places and moves of all kinds: the same on any threads, partitions and checked device. */
#include "same.h"

#include <criterion/criterion.h>

static const model wander = {.options = "--plugin '" MASS_TEST_PLUGINS "/wander.so' --seed 5 --size 7x6x8 "
                                        "--set leave=0",
                             .state = "/places/grid/trodden", .rows = 8, .steps = 60};

Test(walks, are_the_same_on_any_number_of_threads_and_partitions)
{
    const char *expected = expected_result(&wander);
    expect_same(&wander, "--device cpu --threads 2", expected);
    expect_same(&wander, "--device paranoid --threads 2", expected);
    expect_same_in_partitions(&wander, "--device cpu --threads 2", expected);
}

Test(walks, are_the_same_in_worlds_together_and_apart)
{
    expect_same_worlds(&wander, "--device cpu --threads 2", "--device paranoid");
}
