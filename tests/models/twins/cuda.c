/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of bits on a GPU: the bits of the CPU, and of their twins of bytes. */
#include "same.h"

#include <criterion/criterion.h>

#define TWINS "'" MASS_TEST_PLUGINS "/twins.so'"

static model twins(const char *more, int rows, int steps)
{
    return (model){.options = text("--plugin " TWINS " --seed 3 %s", more), .state = "/places/grid/bit", .rows = rows,
                   .steps = steps};
}

static void each(int steps, void (*check)(const model *m))
{
    static const struct {
        const char *options;
        int rows;
    } shapes[] = {{"--size 1 --set walkers=1", 1}, {"--size 31 --set torus=0", 1}, {"--size 700 --set torus=1", 2},
                  {"--size 1600 --set torus=0 --set beyond=0", 4}, {"--size 1x1 --set walkers=1", 1},
                  {"--size 31x7 --set torus=2", 7}, {"--size 33x32", 32}, {"--size 63x2 --set torus=1", 2},
                  {"--size 65x33 --set torus=0", 33}, {"--size 1000x77", 77}, {"--size 128x64 --set torus=3", 64},
                  {"--size 5x3x4", 4}, {"--size 66x5x9 --set torus=2", 9}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const model m = twins(shapes[i].options, shapes[i].rows, steps);
        check(&m);
    }
}

static void in_worlds(const model *m) { expect_same_worlds(m, "--device cuda", "--device cpu --threads 1"); }

Test(twins_cuda, are_those_of_the_cpu_step_by_step) { each(5, same_on_gpu); }

/* More steps than a recording has. */
Test(twins_cuda, are_those_of_the_cpu_in_recordings) { each(150, same_on_gpu); }
Test(twins_cuda, are_the_same_in_partitions) { each(70, same_in_partitions_on_gpu); }
Test(twins_cuda, are_the_same_in_worlds_together_and_apart) { each(30, in_worlds); }

Test(twins_cuda, resumed_back_and_forth_are_the_same)
{
    const model m = twins("--size 65x33 --set torus=2", 33, 90);
    const leg legs[] = {{3, "--device cpu --threads 2"},
                        {44, "--device cuda --plugin " TWINS},
                        {45, "--device paranoid --plugin " TWINS},
                        {0, "--device cuda --partitions 3 --plugin " TWINS}};
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}
