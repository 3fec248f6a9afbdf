/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies over places that ask agents to die and to have children, on a GPU. */
#include "eaten/known.h"

#include <criterion/criterion.h>

Test(eaten_cuda, agents_are_those_of_plain_loops) { expect_eaten("--device cuda"); }
Test(eaten_cuda, are_those_of_the_cpu) { each_eaten(same_on_gpu); }
Test(eaten_cuda, are_the_same_in_partitions) { each_eaten(same_in_partitions_on_gpu); }

static void same_on_the_way(const model *m)
{
    const char *plugin = text("--plugin '%s/eaten.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{3, "--device cpu --threads 2"},
                        {4, text("%s --device cuda", plugin)},
                        {0, text("%s --device cuda --partitions 2", plugin)}};
    expect_same_resumed(m, legs, sizeof legs / sizeof *legs);
}
Test(eaten_cuda, go_on_from_checkpoints) { each_eaten(same_on_the_way); }
