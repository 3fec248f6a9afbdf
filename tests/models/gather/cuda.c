/* SPDX-License-Identifier: Apache-2.0 */
/* Tallies of many accumulators on a GPU. */
#include "gather_known.h"
#include "gpu.h"
#include "run.h"

#include <criterion/criterion.h>

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
    expect_outcome_of_cpu(text("--plugin '%s/gather.so' --steps 4 --worlds 5 --seed 3", MASS_TEST_PLUGINS));
}
