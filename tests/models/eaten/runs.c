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

/* A number that is no resident's asks nobody. */
Test(eaten, who_is_not_there_is_not_asked)
{
    const char *run = text("--plugin '%s/eaten.so' --seed 1 --steps 20", MASS_TEST_PLUGINS);
    process p = engine_start(text("%s --set strays=1 --quiet", run));
    outcome strays = engine_finish(&p), plain = engine_run(run);
    cr_expect_eq(strays.status, 0, "%s", strays.errors);
    cr_expect_str_eq(strays.hash, plain.hash);
    cr_expect_str_eq(strays.tallies, plain.tallies);
    outcome_free(&strays), outcome_free(&plain);
    engine_refuse(text("%s --set strays=1 --device paranoid", run), 3, "names resident");
}

Test(eaten, are_the_same_in_worlds)
{
    static const char *const attributes[] = {"fat", "dam", "wool", NULL};
    const model m = {.options = text("--plugin '%s/eaten.so' --size 20x13 --seed 8", MASS_TEST_PLUGINS),
                     .state = "/places/field/graves", .rows = 13, .steps = 15, .population = "sheep",
                     .attributes = attributes};
    same_worlds(&m);
}
