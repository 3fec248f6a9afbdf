/* SPDX-License-Identifier: Apache-2.0 */
/* .flush on attributes of every kind. It leaves nothing next to 0, and gives the same result as a body that does so
 * itself. The result is the same however the model is run. */
#include "same.h"

#include <criterion/criterion.h>

static const model faint = {.options = "--plugin '" MASS_TEST_PLUGINS "/faint.so' --seed 3", .rows = 64, .steps = 45,
                            .state = "/places/field/heat"},
                   alone = {.options = "--plugin '" MASS_TEST_PLUGINS "/alone.so' --seed 3", .rows = 64, .steps = 45,
                            .state = "/places/field/heat"};

Test(faint, leaves_nothing_next_to_0)
{
    outcome o = engine_run("--plugin '" MASS_TEST_PLUGINS "/faint.so' --seed 3 --device cpu");
    cr_assert_eq(tally_of(&o, "faint"), 0);
    cr_assert_eq(tally_of(&o, "differ"), 0);
    cr_assert_gt(tally_of(&o, "kept"), 0, "the control has faded too");
    cr_assert_gt(tally_of(&o, "living"), 1000, "not all is 0");
    outcome_free(&o);
}

Test(faint, is_the_same_on_any_threads_partitions_and_the_device_that_checks)
{
    const char *expected = expected_result(&faint);
    expect_same_in_partitions(&faint, "--device cpu --threads 2", expected);
    expect_same(&faint, "--device paranoid --partitions 2", expected);
}

Test(faint, is_the_same_in_several_steps_at_once)
{
    const char *expected = expected_result(&alone);
    expect_same(&alone, "--device cpu --fuse 1", expected);
    expect_same(&alone, "--device cpu --fuse 8 --threads 2 --partitions 2", expected);
    expect_same(&alone, "--device paranoid", expected);
}
