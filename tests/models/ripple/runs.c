/* SPDX-License-Identifier: Apache-2.0 */
/* Places in turn, on one process. Each run compares its last state with that of a plain program. */
#include "../../extended.h"
#include "same.h"
#include "ways.h"

#include <criterion/criterion.h>
#include <string.h>

Test(ripple, every_way_to_run_is_that_of_a_plain_program)
{
    static const char *const ways[] = {"--threads 3", "--device paranoid", "--threads 2 --partitions 2",
                                       "--threads 1 --partitions 4", "--device paranoid --partitions 3"};
    for (int i = 0; i < RIPPLES; i++) {
        const char *expected = engine_result(ripple_options(text("%s --threads 1", ripples[i])));
        const bool small = i == 2 || i == RIPPLES - 1; /* bits of a line are cut every 512 places */
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            if ((!small || !strstr(ways[w], "--partitions")) && takes_part((size_t)i + w, 2))
                cr_expect_str_eq(engine_result(ripple_options(text("%s %s", ripples[i], ways[w]))), expected, "%s %s",
                                 ripples[i], ways[w]);
    }
}

Test(ripple, paranoid_names_what_is_beyond_the_radius)
{
    engine_refuse(ripple_options("--steps 3 --set odd=1 --device paranoid"), 3,
                  "sees the place (2, 0) away, which is farther than 1, its radius");
    engine_refuse(ripple_options("--steps 3 --set odd=2 --device paranoid"), 3,
                  "changes the place (0, -2) away, which is farther than 1, its radius");
}

Test(ripple, values_without_an_order_end_the_run)
{
    engine_refuse(ripple_options("--steps 3 --set odd=3 --set order=2"), 3,
                  "callback ripple_1, step 1: the .order of its phase is 'height', which is NaN, not a number, for "
                  "some of them");
    engine_refuse(ripple_options("--steps 3 --set order=6"), 3,
                  "callback ripple_1: the .order of its phase is 'tide', which is no attribute in its SEES or ALTERS");
}

/* The order of a closed world is of no use, so its values do not matter. */
Test(ripple, values_without_an_order_are_ignored_in_closed_worlds)
{
    const char *closed = ripple_options("--steps 4 --set odd=3 --set order=2 --set gated=2");
    const char *sweep = ripple_options(ripple_closed_sweep()), *expected = engine_result(text("%s --threads 1", sweep));
    engine_write(text("%s --threads 1", closed));
    engine_write(text("%s --threads 3 --worlds 3", closed));
    engine_write(text("%s --threads 2 --partitions 2 --set reversed=1", closed));
    cr_expect_str_eq(engine_result(text("%s --threads 3", sweep)), expected);
    cr_expect_str_eq(engine_result(text("%s --threads 2 --partitions 3", sweep)), expected);
    engine_refuse(ripple_options("--steps 3 --set odd=3 --set order=2 --set gated=1 --threads 3 --worlds 3"), 3,
                  "the .order of its phase is 'height', which is NaN, not a number, for some of them");
}

Test(ripple, worlds_and_checkpoints_change_nothing)
{
    static const char *const attributes[] = {"rank", NULL};
    const model m = {.options = ripple_options("--size 17x12"), .state = "/places/pond/value", .rows = 12, .steps = 15,
                     .population = "walkers", .attributes = attributes};
    const char *plugin = text("--plugin '%s/ripple.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{4, "--threads 1"}, {9, text("%s --threads 2 --partitions 2", plugin)},
                        {0, text("%s --device paranoid", plugin)}};
    expect_same_worlds(&m, "--threads 1", "--threads 1");
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}
