/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks that add to places around them, on a GPU: by atomics, the bits of the CPU. */
#include "same.h"

#include <criterion/criterion.h>

#define SCATTER "'" MASS_TEST_PLUGINS "/scatter.so'"

static model scatter(const char *more, int rows, int steps)
{
    return (model){.options = text("--plugin " SCATTER " --seed 3 %s", more), .state = "/places/grid/i64",
                   .rows = rows, .steps = steps};
}

static void each(int steps, void (*check)(const model *m))
{
    static const struct {
        const char *options;
        int rows;
    } shapes[] = {{"--size 9", 9}, {"--size 5000 --set torus=0", 5000}, {"--set lives=walking", 18},
                  {"--size 300x200 --set torus=2 --set walkers=9000 --set lives=walking", 200},
                  {"--size 70x7 --set torus=1 --set lives=breeding", 7}, {"--size 1x1x1", 1},
                  {"--size 33x9x12 --set torus=5 --set lives=breeding", 12}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const model m = scatter(shapes[i].options, shapes[i].rows, steps);
        check(&m);
    }
}

static void in_worlds(const model *m) { expect_same_worlds(m, "--device cuda", "--device cpu --threads 1"); }

Test(scatter_cuda, is_that_of_the_cpu_step_by_step) { each(5, same_on_gpu); }

/* More steps than a recording has. */
Test(scatter_cuda, is_that_of_the_cpu_in_recordings) { each(150, same_on_gpu); }
Test(scatter_cuda, is_the_same_in_partitions) { each(70, same_in_partitions_on_gpu); }
Test(scatter_cuda, is_the_same_in_worlds_together_and_apart) { each(70, in_worlds); }

/* Recordings stop where agents outgrow their arrays: nothing is added twice, or not at all. */
Test(scatter_cuda, is_that_of_the_cpu_where_recordings_stop)
{
    for (int seed = 10; seed < 20; seed++) {
        const model m = scatter(text("--seed %d --set lives=breeding --set walkers=8", seed), 18, 220);
        same_in_partitions_on_gpu(&m);
    }
}

Test(scatter_cuda, resumed_back_and_forth_is_the_same)
{
    const model m = scatter("--set lives=breeding", 18, 90);
    const leg legs[] = {{3, "--device cpu --threads 2"},
                        {44, "--device cuda --plugin " SCATTER},
                        {45, "--device paranoid --plugin " SCATTER},
                        {0, "--device cuda --partitions 3 --plugin " SCATTER}};
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}
