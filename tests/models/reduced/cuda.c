/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of attributes of all number types on a GPU. */
#include "gpu.h"
#include "reduced_known.h"
#include "run.h"

#include <criterion/criterion.h>

Test(reduced_cuda, values_are_those_of_plain_loops_and_of_the_cpu)
{
    const char *cpu = expect_reduced("--device cpu", 3, 1);
    cr_assert_str_eq(expect_reduced("--device cuda", 3, 1), cpu);
    cr_assert_str_eq(expect_reduced("--device cuda --partitions 7", 3, 1), cpu);
    /* Recorded steps. */
    cr_assert_str_eq(expect_reduced("--device cuda", 120, 1), expect_reduced("--device cpu", 120, 1));
}

Test(reduced_cuda, worlds_are_reduced_apart)
{
    cr_assert_str_eq(expect_reduced("--device cuda", 2, 3), expect_reduced("--device cpu", 2, 3));
}

Test(reduced_cuda, a_stop_condition_sees_them_in_every_step)
{
    expect_outcome_of_cpu(text("--plugin '%s/reduced.so' --seed 5 --steps 300 --tally 'm=mean(walker.a_u8)' "
                               "--until 'm > 130 && declared[2] > 50'", MASS_TEST_PLUGINS));
}

Test(reduced_cuda, a_resumed_run_computes_them)
{
    const char *folder = folder_make();
    engine_write(text("--plugin '%s/reduced.so' --seed 5 --steps 2 --checkpoint '%s'", MASS_TEST_PLUGINS, folder));
    outcome o = engine_run(text("--resume '%s' --plugin '%s/reduced.so' %s --device cuda --steps 2", folder,
                                MASS_TEST_PLUGINS, all_reductions()));
    expect_reductions_of(&o, checkpoint_path(folder, 2), 1, "resumed");
    outcome_free(&o);
}

/* Many steps of small worlds in one launch, and what is looked at in between. */
Test(reduced_cuda, small_worlds_are_reduced)
{
    expect_outcome_of_cpu("--plugin minesweeper --steps 90 --worlds 40 --seed 3 "
                          "--tally 'worth=hist(walker.worth,9,-1,1)' --tally 'age=mean(walker.episode)'");
}
