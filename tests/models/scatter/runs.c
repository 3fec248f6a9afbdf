/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks that add to places around them: the same on any threads, partitions and checked device, in any world, and
 * resumed. */
#include "same.h"

#include <criterion/criterion.h>

static const char *const attributes[] = {"tossed", NULL};

static model scatter(const char *more, int rows, int steps)
{
    return (model){.options = text("--plugin '" MASS_TEST_PLUGINS "/scatter.so' --seed 3 %s", more),
                   .state = "/places/grid/i64", .rows = rows, .steps = steps, .population = "walkers",
                   .attributes = attributes};
}

static void each(int steps, void (*check)(const model *m))
{
    static const struct {
        const char *options;
        int rows;
    } shapes[] = {{"--size 9", 9}, {"--size 300 --set torus=0", 300}, {"--set lives=walking", 18},
                  {"--size 70x7 --set torus=1 --set lives=breeding", 7}, {"--size 6x5x8 --set lives=breeding", 8},
                  {"--size 4x9x11 --set torus=5 --set lives=walking", 11}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const model m = scatter(shapes[i].options, shapes[i].rows, steps);
        check(&m);
    }
}

static void in_partitions(const model *m)
{
    const char *expected = expected_result(m);
    expect_same(m, "--device cpu --threads 3", expected);
    expect_same_in_partitions(m, "--device cpu --threads 2", expected);
}

static void on_paranoid(const model *m) { expect_same_in_partitions(m, "--device paranoid", expected_result(m)); }

static void in_worlds(const model *m)
{
    expect_same_worlds(m, "--device cpu --threads 2 --partitions 3", "--device paranoid");
}

static void resumed(const model *m)
{
    const char *plugin = "--plugin '" MASS_TEST_PLUGINS "/scatter.so'";
    const leg legs[] = {{3, "--device cpu --threads 2 --partitions 2"},
                        {10, text("%s --device paranoid", plugin)},
                        {0, text("%s --device cpu --partitions 5", plugin)}};
    expect_same_resumed(m, legs, sizeof legs / sizeof *legs);
}

Test(scatter, is_the_same_on_any_number_of_threads_and_partitions) { each(60, in_partitions); }
Test(scatter, is_the_same_on_paranoid) { each(20, on_paranoid); }
Test(scatter, is_the_same_in_worlds_together_and_apart) { each(20, in_worlds); }
Test(scatter, is_the_same_when_resumed) { each(25, resumed); }
