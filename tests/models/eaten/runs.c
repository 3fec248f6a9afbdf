/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies over places that ask agents to die and to have children, on one process. */
#include "eaten/known.h"

#include <criterion/criterion.h>

Test(eaten, agents_are_those_of_plain_loops) { expect_eaten("--threads 1"); }
Test(eaten, are_the_same_on_threads) { each_eaten(same_on_threads); }
Test(eaten, are_the_same_in_partitions) { each_eaten(same_in_partitions); }

Test(eaten, are_the_same_on_paranoid) { expect_eaten("--device paranoid"); }

static void same_on_the_way(const model *m)
{
    const char *plugin = text("--plugin '%s/eaten.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{3, "--device cpu --threads 2"},
                        {4, text("%s --device paranoid --threads 1", plugin)},
                        {0, text("%s --threads 1 --partitions 3", plugin)}};
    expect_same_resumed(m, legs, sizeof legs / sizeof *legs);
}
Test(eaten, go_on_from_checkpoints) { each_eaten(same_on_the_way); }

Test(eaten, are_the_same_in_worlds)
{
    static const char *const attributes[] = {"fat", "dam", "wool", NULL};
    const model m = {.options = text("--plugin '%s/eaten.so' --size 20x13 --seed 8", MASS_TEST_PLUGINS),
                     .state = "/places/field/graves", .rows = 13, .steps = 15, .population = "sheep",
                     .attributes = attributes};
    same_worlds(&m);
}
