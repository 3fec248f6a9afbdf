/* SPDX-License-Identifier: Apache-2.0 */
/* Places that bring forth agents, on a GPU. */
#include "gpu.h"
#include "sprout/known.h"

#include <criterion/criterion.h>

Test(sprout_cuda, a_plain_loop_comes_to_the_same)
{
    for (int i = 0; i < sprout_case_count; i++) {
        expect_known(i, text("%s --device cuda", sprout_options(i)));
        cr_expect_str_eq(engine_result(text("%s --set weeds=30 --device cuda --partitions 2", sprout_options(i))),
                         engine_result(text("%s --set weeds=30 --device cpu", sprout_options(i))), "%s",
                         sprout_options(i));
    }
}

Test(sprout_cuda, worlds_are_the_same)
{
    const char *options = text("%s --set luck=1 --set weeds=50 --set gate=20 --steps 30 --worlds 5", sprout_options(0));
    cr_expect_str_eq(engine_result(text("%s --device cuda", options)), engine_result(text("%s --device cpu", options)));
}
