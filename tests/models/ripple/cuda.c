/* SPDX-License-Identifier: Apache-2.0 */
/* Places in turn on a GPU: the same as the loop of one CPU thread. Each run also compares its last state with that of a
 * plain program. */
#include "gpu.h"
#include "same.h"
#include "ways.h"

#include <criterion/criterion.h>

Test(ripple_cuda, rounds_are_the_loop)
{
    for (int i = 0; i < RIPPLES; i++) {
        const char *expected = engine_result(ripple_options(text("%s --device cpu", ripples[i])));
        const int most = i == 2 || i == RIPPLES - 1 ? 1 : 3; /* bits of a line are cut every 512 places */
        for (int partitions = 1; partitions <= most; partitions++)
            cr_expect_str_eq(engine_result(ripple_options(text("%s --device cuda --partitions %d", ripples[i],
                                                               partitions))), expected, "%s, %d", ripples[i],
                             partitions);
    }
}

Test(ripple_cuda, large_spaces_are_the_same)
{
    static const char *const large[] = {
        "--steps 4 --size 700x500 --set walkers=90000", "--steps 3 --size 300x300 --set radius=3 --set torus=1",
        "--steps 3 --size 400x300 --set order=2", "--steps 3 --size 90x80x40 --set radius=1 --set reversed=1",
        "--steps 5 --size 60x50 --worlds 40 --set order=3"};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        const char *options = ripple_options(text("%s --set compared=0", large[i]));
        cr_expect_str_eq(engine_result(text("%s --device cuda", options)),
                         engine_result(text("%s --device cpu", options)), "%s", large[i]);
    }
}

Test(ripple_cuda, values_without_an_order_end_the_run)
{
    engine_refuse(ripple_options("--steps 3 --set odd=3 --set order=2 --device cuda"), 3,
                  "callback ripple_1, step 1: the .order of its phase is 'height', which is NaN, not a number, for "
                  "some of them");
}

Test(ripple_cuda, values_without_an_order_are_ignored_in_closed_worlds)
{
    const char *sweep = ripple_options(ripple_closed_sweep());
    engine_write(ripple_options("--steps 4 --set odd=3 --set order=2 --set gated=2 --device cuda"));
    cr_expect_str_eq(engine_result(text("%s --device cuda", sweep)), engine_result(text("%s --device cpu", sweep)));
}
