/* SPDX-License-Identifier: Apache-2.0 */
/* Agents anywhere in the world, on a GPU. */
#include "anybody/plain.h"
#include "gpu.h"
#include "run.h"

#include <criterion/criterion.h>

Test(anybody_cuda, is_the_plain_program)
{
    for (int i = 0; i < ANYBODY_RUNS; i++)
        for (int partitions = 1; partitions <= 2; partitions++)
            expect_anybody(&anybody_runs[i], text("--device cuda --partitions %d", partitions));
}

Test(anybody_cuda, several_worlds_are_the_cpus)
{
    for (int i = 0; i < ANYBODY_RUNS; i++) {
        const char *options = text("%s --worlds 3 --steps 40", anybody_options(&anybody_runs[i]));
        cr_expect_str_eq(engine_result(text("%s --device cuda", options)),
                         engine_result(text("%s --device cpu", options)), "%s", options);
    }
}
