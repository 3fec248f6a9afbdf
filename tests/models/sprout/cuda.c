/* SPDX-License-Identifier: Apache-2.0 */
/* Places that bring forth agents, on a GPU. */
#include "gpu.h"
#include "sprout/known.h"

#include <criterion/criterion.h>

Test(sprout_cuda, a_plain_loop_comes_to_the_same)
{
    for (int i = 0; i < sprout_case_count; i++) {
        const char *options = sprout_options(&sprout_cases[i]);
        expect_known(&sprout_cases[i], text("%s --device cuda", options));
        cr_expect_str_eq(engine_result(text("%s --set weeds=30 --device cuda --partitions 2", options)),
                         engine_result(text("%s --set weeds=30 --device cpu", options)), "%s", options);
    }
}

Test(sprout_cuda, worlds_are_the_same)
{
    const char *options = text("%s --set luck=1 --set weeds=50 --set gate=20 --steps 30 --worlds 5",
                               sprout_options(sprout_cases));
    cr_expect_str_eq(engine_result(text("%s --device cuda", options)), engine_result(text("%s --device cpu", options)));
}
