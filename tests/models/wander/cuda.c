/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of small worlds on a GPU, many in one launch, are those of the CPU. */
#include "same.h"

#include <criterion/criterion.h>

#define WANDER "'" MASS_TEST_PLUGINS "/wander.so'"

static model wander(const char *more, int steps)
{
    return (model){.options = text("--plugin " WANDER " --seed 5 %s", more), .state = "/places/grid/trodden", .rows = 5,
                   .steps = steps};
}

static void expect_same_after(const char *more, int steps)
{
    const model m = wander(more, steps);
    same_on_gpu(&m);
}

Test(wander_cuda, any_number_of_steps_is_that_of_the_cpu)
{
    for (int steps = 1; steps < 9; steps++) expect_same_after("", steps);
    expect_same_after("", 258);
    expect_same_after("", 777);
}

Test(wander_cuda, worlds_of_any_shape_are_those_of_the_cpu)
{
    static const char *const shapes[] = {"--size 1x1x1", "--size 13x2x9 --set walkers=0",
                                         "--size 3x40x2 --set share=0.45", "--size 10x10x10 --set walkers=3000",
                                         "--worlds 40", "--set walkers=5000 --set share=0.499 --worlds 2"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) expect_same_after(shapes[i], 80);
}

/* After an odd number of steps, other buffers hold the present values. */
Test(wander_cuda, stops_at_odd_steps_change_nothing)
{
    const model m = wander("", 400);
    const char *folder = folder_make();
    expect_same(&m, text("--device cuda --checkpoint %s --checkpoint-every 101", folder), expected_result(&m));
    folder_empty(folder);
}

/* In partitions, or with places beyond a processor's memory, steps run one by one. */
Test(wander_cuda, what_is_no_small_world_is_the_same)
{
    const model m = wander("", 40);
    expect_same(&m, "--device cuda --partitions 3", expected_result(&m));
    expect_same_after("--size 60x60x60 --set walkers=20000", 40);
}

Test(wander_cuda, worlds_together_are_those_apart)
{
    const model m = wander("", 75);
    expect_same_worlds(&m, "--device cuda", "--device cpu --threads 1");
}

Test(wander_cuda, resumed_back_and_forth_is_the_same)
{
    const model m = wander("--set leave=0", 90);
    const leg legs[] = {{3, "--device cpu --threads 2"},
                        {44, "--device cuda --plugin " WANDER},
                        {45, "--device paranoid --threads 1 --plugin " WANDER},
                        {0, "--device cuda --plugin " WANDER}};
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}
