/* SPDX-License-Identifier: Apache-2.0 */
/* The models of agents with positions come to what is known of them. */
#include "run.h"

#include <criterion/criterion.h>
#include <math.h>

/* Returns a tally of a run of a model. */
static double tally_after(const char *options, const char *name)
{
    outcome o = engine_run(options);
    const json_t *tally = json_object_get(json_object_get(o.report, "tallies"), name);
    cr_assert(json_is_number(tally), "%s: no %s", options, name);
    const double value = json_number_value(tally);
    outcome_free(&o);
    return value;
}

/* For points at random with density 1 the mean distance to the nearest one is 0.554 (S. Chandrasekhar, 1943). */
Test(points_known, circles_begin_at_random_and_settle)
{
    const double apart = tally_after("circles --size 5x5x5 --steps 1 --seed 1", "apart");
    const double first = tally_after("circles --size 4x4x4 --steps 1 --seed 1", "drift");
    const double last = tally_after("circles --size 4x4x4 --steps 800 --seed 1", "drift");
    const double pairs = tally_after("circles --size 4x4x4 --steps 1 --seed 1", "pairs");
    const double gathered = tally_after("circles --size 4x4x4 --steps 800 --seed 1", "pairs");
    cr_expect_lt(fabs(apart - 0.554), 0.02, "%g", apart);
    cr_expect_lt(last, first / 50, "%g after %g", last, first);
    cr_expect_gt(gathered, pairs * 1.5, "%g after %g", gathered, pairs);
}

/* The square of the length of the mean direction of birds. */
static double order_after(const char *options)
{
    const double x = tally_after(options, "heading_x"), y = tally_after(options, "heading_y");
    return x * x + y * y;
}

Test(points_known, birds_come_to_fly_alike)
{
    const double first = order_after("boids --steps 1 --seed 1"), last = order_after("boids --steps 600 --seed 1");
    const double alone = order_after("boids --steps 600 --seed 1 --set cohere=0 --set match=0 --set separate=0");
    cr_expect_lt(first, 0.05, "%g", first);
    cr_expect_gt(last, 0.5, "%g", last);
    cr_expect_lt(alone, 0.05, "%g", alone);
}

/* At random, three cells around an amoeba have their area times the density of others. */
Test(points_known, slime_gathers_above_a_density)
{
    const double area = 3.14159 * 9 / 6400;
    const double few = tally_after("slime --set amoebae=40 --steps 800 --seed 1", "company");
    const double many = tally_after("slime --steps 800 --seed 1", "company");
    cr_expect_lt(few, 40 * area * 4, "%g", few);
    cr_expect_gt(many, 400 * area * 8, "%g", many);
}
