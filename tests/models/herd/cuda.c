/* SPDX-License-Identifier: Apache-2.0 */
/* Populations that grow on a GPU: steps are queued ahead, stop where there is no room, and come to the bits of the
 * CPU. */
#include "same.h"

#include <criterion/criterion.h>

static model herd_model(int nx, int ny, int steps, const char *more)
{
    return (model){.options = text("--plugin '%s/herd.so' --size %dx%d %s", MASS_TEST_PLUGINS, nx, ny, more),
                   .state = "/places/field/trace", .rows = ny, .steps = steps};
}

/* From slow growth, which fits many recordings, to a growth that none outlives. */
Test(births_cuda, are_those_of_the_cpu_after_any_number_of_steps)
{
    static const char *const rates[] = {"--set rare=200", "--set rare=40", "--set rare=9", "--set rare=2"};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (int steps = 33; steps <= 300; steps += steps < 37 ? 1 : 43) {
            const model m = herd_model(64, 48, steps, text("--seed %d --set crowd=5 %s", steps, rates[i]));
            same_on_gpu(&m);
        }
}

Test(births_cuda, stop_in_each_step_of_a_recording)
{
    for (int seed = 1; seed <= 30; seed++) {
        const model m = herd_model(24, 20, 160, text("--seed %d --set rare=%d", seed, 6 + seed));
        same_on_gpu(&m);
    }
}

Test(births_cuda, are_the_same_in_partitions_and_worlds)
{
    for (int seed = 1; seed <= 4; seed++) {
        const model m = herd_model(30, 21, 140, text("--seed %d --set rare=%d", seed, 10 * seed));
        same_in_partitions_on_gpu(&m);
        expect_same_worlds(&m, "--device cuda", "--device cpu --threads 1");
        const model many = herd_model(12, 10, 150, text("--seed %d --worlds 30", seed));
        same_on_gpu(&many);
    }
}

Test(births_cuda, go_on_from_checkpoints_of_any_device)
{
    const model m = herd_model(40, 30, 200, "--seed 5 --set rare=30");
    const char *plugin = text("--plugin '%s/herd.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{67, "--device cuda"},
                        {101, text("%s --device cpu --threads 2", plugin)},
                        {0, text("%s --device cuda --partitions 2", plugin)}};
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
    same_on_gpu(&m);
}

Test(births_cuda, double_in_each_step)
{
    for (int steps = 0; steps <= 20; steps += 4) {
        const model m = {.options = text("--plugin '%s/doubling.so' --seed 1", MASS_TEST_PLUGINS), .state = "",
                         .rows = 64, .steps = steps};
        same_on_gpu(&m);
    }
}
