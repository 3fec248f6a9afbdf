/* SPDX-License-Identifier: Apache-2.0 */
/* Places in turn, over ranks: each plays its part of the space. */
#include "needed.h"
#include "ways.h"

#include <criterion/criterion.h>
#include <string.h>

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

Test(ripple_ranks, any_number_of_them_is_one)
{
    for (int i = 0; i < RIPPLES; i++) {
        const bool small = i == 2 || i == RIPPLES - 1; /* bits of a line are cut every 512 places */
        const char *options = ripple_options(ripples[i]), *expected = engine_result(options);
        for (int ranks = 2; ranks <= 4 && !small; ranks++)
            cr_expect_str_eq(engine_result(text("%s --ranks %d", options, ranks)), expected, "%s, %d ranks",
                             ripples[i], ranks);
    }
}

Test(ripple_ranks, each_plays_a_part_of_a_long_space)
{
    static const char *const ways[] = {"--size 12x160 --set walkers=900",
        "--size 12x160 --set walkers=900 --set order=3 --set torus=1",
        "--size 12x160 --set walkers=900 --set order=1 --set torus=2 --set reversed=1",
        "--size 4x160 --set walkers=300 --set order=2 --set radius=2 --worlds 2 --set gated=1",
        "--size 5000 --set walkers=900 --set order=4", "--size 5x4x90 --set walkers=900 --set order=5"};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        const char *options = ripple_options(text("--steps 4 --set compared=0 %s", ways[w]));
        const char *expected = engine_result(options);
        for (int ranks = 2; ranks <= 8; ranks *= 2)
            cr_expect_str_eq(engine_result(text("%s --ranks %d", options, ranks)), expected, "%s, %d ranks", ways[w],
                             ranks);
    }
}

Test(ripple_ranks, values_without_an_order_end_the_run)
{
    engine_refuse(ripple_options("--steps 3 --set odd=3 --set order=2 --ranks 3"), 3,
                  "callback ripple_1, step 1: the .order of its phase is 'height', which is NaN, not a number, for "
                  "some of them");
}
