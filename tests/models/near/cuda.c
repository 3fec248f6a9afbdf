/* SPDX-License-Identifier: Apache-2.0 */
/* Agents that see others nearby, on a GPU: recorded steps, partitions and worlds. */
#include "gpu.h"
#include "ways.h"

Test(near_cuda, sees_what_a_plain_program_sees)
{
    for (int i = 0; i < NEARS; i++)
        for (int partitions = 1; partitions <= 2; partitions++)
            cr_expect_str_eq(engine_result(text("%s --device cuda --partitions %d", near_options(i), partitions)),
                             engine_result(text("%s --device cpu", near_options(i))), "%s", near_options(i));
}

Test(near_cuda, long_runs_and_odd_handles_are_the_same)
{
    const char *near = text("--plugin '%s/near.so' --seed 12", MASS_TEST_PLUGINS);
    static const char *const more[] = {"--steps 150", "--steps 40 --set odd=1", "--steps 40 --set odd=2",
                                       "--steps 40 --set far=2000", "--steps 60 --worlds 9 --size 14x10"};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        cr_expect_str_eq(engine_result(text("%s --device cuda %s", near, more[i])),
                         engine_result(text("%s --device cpu %s", near, more[i])), "%s", more[i]);
}
