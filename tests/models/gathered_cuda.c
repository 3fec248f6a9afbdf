/* Tallies of many accumulators on a GPU. */
#include "gather_known.h"
#include "run.h"

#include <criterion/criterion.h>
#include <string.h>

Test(gathered_cuda, tallies_are_those_of_the_cpu)
{
    uint64_t cuda, cpu;
    expect_gathered("--device cuda", 3, &cuda);
    expect_gathered("--device cpu", 3, &cpu);
    cr_assert_eq(cuda, cpu);
    expect_gathered("--device cuda --partitions 3", 300, NULL); /* recorded steps */
}

Test(gathered_cuda, every_method_counts_the_same)
{
    static const char *const methods[] = {"sequential", "global", "stride", "shared"};
    for (int i = 0; i < 4; i++) expect_gathered(text("--device cuda --set method=%s", methods[i]), 2, NULL);
}

Test(gathered_cuda, worlds_count_apart)
{
    static const char *const devices[] = {"cuda", "cpu"};
    outcome found[2];
    for (int i = 0; i < 2; i++)
        found[i] = engine_run(text("--plugin '%s/gather.so' --steps 4 --worlds 5 --device %s --seed 3", MASS_TEST_PLUGINS,
                                   devices[i]));
    cr_assert_str_eq(found[0].hash, found[1].hash);
    cr_assert(strcmp(found[0].tallies, found[1].tallies) == 0);
    for (int i = 0; i < 2; i++) outcome_free(&found[i]);
}
