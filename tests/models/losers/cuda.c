/* SPDX-License-Identifier: Apache-2.0 */
/* Agents that ask again, on a GPU, where they keep their order until somebody dies or is born. */
#include "losers/known.h"

#include <criterion/criterion.h>

Test(losers_cuda, are_those_of_the_cpu) { each_refused(same_on_gpu); }
Test(losers_cuda, are_the_same_in_partitions) { each_refused(same_in_partitions_on_gpu); }

Test(losers_cuda, are_those_of_the_cpu_after_any_number_of_steps)
{
    for (int steps = 1; steps <= 140; steps += steps < 6 ? 1 : 27) {
        const model m = losers_model(40, 30, steps, "--seed 8 --set dies=40000");
        same_on_gpu(&m);
    }
}

Test(losers_cuda, are_the_same_in_worlds)
{
    const model die = losers_model(27, 22, 70, "--seed 9 --set dies=9000");
    const model bear = losers_model(27, 22, 70, "--seed 9 --set bears=9000");
    const model many = losers_model(22, 21, 80, "--seed 10 --worlds 30");
    same_worlds_on_gpu(&die);
    same_worlds_on_gpu(&bear);
    same_on_gpu(&many);
}

Test(losers_cuda, go_on_from_checkpoints)
{
    const model m = losers_model(30, 21, 90, "--seed 11 --set dies=20000");
    const char *plugin = text("--plugin '%s/losers.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{3, "--device cpu --threads 2"},
                        {41, text("%s --device cuda --partitions 3", plugin)},
                        {42, text("%s --device paranoid --threads 1", plugin)},
                        {0, text("%s --device cuda", plugin)}};
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}

static void expect_losers(const model *m) { expect_all_losers(m, "--device cuda"); }
Test(losers_cuda, are_all_who_were_lost) { each_refused(expect_losers); }
