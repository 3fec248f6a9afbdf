/* SPDX-License-Identifier: Apache-2.0 */
/* Claims and pairs on a GPU: recorded steps, partitions and worlds. */
#include "gpu.h"
#include "ways.h"

Test(claims_cuda, decides_as_a_plain_program_does)
{
    for (int i = 0; i < CLAIMS_RUNS; i++)
        for (int partitions = 1; partitions <= 2 && partitions <= claims_runs[i].rows; partitions++)
            cr_expect_str_eq(engine_result(text("%s --device cuda --partitions %d", claims_options(i), partitions)),
                             engine_result(text("%s --device cpu", claims_options(i))), "%s", claims_options(i));
}

Test(claims_cuda, long_runs_and_wrong_claims_are_the_same)
{
    const char *claims = text("--plugin '%s/claims.so' --seed 12", MASS_TEST_PLUGINS);
    static const char *const more[] = {"--steps 100", "--steps 40 --no-graph", "--steps 40 --worlds 9 --size 14x10"};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        cr_expect_str_eq(engine_result(text("%s --device cuda %s", claims, more[i])),
                         engine_result(text("%s --device cpu %s", claims, more[i])), "%s", more[i]);
    for (int i = 0; i < WRONG_CLAIMS; i++) expect_same_wrong(wrong_claims[i], "--device cuda");
}
