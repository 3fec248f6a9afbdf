/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of parameters, on a GPU. */
#include "gpu.h"
#include "plain.h"

Test(lists_cuda, gpu_is_as_a_cpu)
{
    static const char *const models[] = {"--seed 3",
                                         "--seed 4 --worlds 3 --size 20x11 --set rates=1,0.5,0.125",
                                         "--seed 5 --set span=9"};
    for (int m = 0; m < 3; m++)
        for (int partitions = 1; partitions <= 2; partitions++)
            cr_expect_str_eq(engine_result(lists_options(text("%s --device cuda --partitions %d", models[m],
                                                              partitions))),
                             engine_result(lists_options(text("%s --device cpu", models[m]))), "%s", models[m]);
}
