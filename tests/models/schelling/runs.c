/* SPDX-License-Identifier: Apache-2.0 */
/* Households that move: right, and the same however it is run. */
#include "schelling/plain.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(schelling, is_that_of_plain_loops) { expect_schelling("--device cpu --threads 1"); }
Test(schelling, is_that_of_plain_loops_on_paranoid) { expect_schelling("--device paranoid --threads 1"); }
Test(schelling, is_the_same_on_any_number_of_threads) { each_schelling(same_on_threads); }
Test(schelling, is_the_same_in_any_number_of_partitions) { each_schelling(same_in_partitions); }
Test(schelling, has_the_same_worlds_together_and_apart) { each_schelling(same_worlds); }
Test(schelling, is_the_same_resumed) { each_schelling(same_resumed); }

Test(schelling, in_turn_is_the_same_however_it_is_run)
{
    each_schelling_in_turn(same_on_threads);
    each_schelling_in_turn(same_in_partitions);
    each_schelling_in_turn(same_on_paranoid);
    each_schelling_in_turn(same_worlds);
    each_schelling_in_turn(same_resumed);
}

static double likeness_after(int steps, const char *settings)
{
    outcome o = engine_run(text("--plugin '%s/schelling.so' --seed 7 --size 150x150 --steps %d --device cpu %s",
                                getenv("MASS_PLUGINS"), steps, settings));
    const double likeness = json_number_value(json_object_get(json_object_get(o.report, "tallies"), "likeness"));
    if (steps > 1) cr_expect_eq(tally_of(&o, "unhappy"), 0, "%s", settings);
    outcome_free(&o);
    return likeness;
}

/* Who wants 30 % of its neighbours to be like it ends up with over 70 %, as the documentation of NetLogo's model says
 * for a town that is as full. */
Test(schelling, settles_in_the_likeness_that_is_known)
{
    const char *ways[] = {"all", "turn"};
    for (int k = 0; k < 2; k++) {
        const char *settings = text("--threads 1 --set full=0.95 --set threshold=0.3 --set edge=torus "
                                    "--set activation=%s", ways[k]);
        const double last = likeness_after(200, settings);
        cr_expect(last > 0.70 && last < 0.80, "at last, %s: %.4f", ways[k], last);
    }
    const double first = likeness_after(1, "--set full=0.95 --set threshold=0.3 --set edge=torus");
    cr_expect(first > 0.49 && first < 0.51, "at first: %.4f", first);
}

/* Nobody is unhappy among any neighbours, and a threshold of nothing moves nobody. */
Test(schelling, does_not_move_those_who_want_nothing)
{
    cr_expect_float_eq(likeness_after(20, "--set threshold=0"), likeness_after(1, "--set threshold=0"), 0);
}
