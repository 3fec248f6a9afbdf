/* SPDX-License-Identifier: Apache-2.0 */
/* Sugarscape: right, conserving, and the same however it is run. */
#include "../../extended.h"
#include "sugarscape.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 60 };

Test(sugarscape, is_that_of_a_plain_program)
{
    expect_sugarscapes("--device cpu --threads 1", false, extended(60, 300));
}
Test(sugarscape, in_turn_is_that_of_a_plain_program)
{
    expect_sugarscapes("--device cpu --threads 1", true, extended(60, 300));
}
Test(sugarscape, in_turn_stays_within_its_radius) { expect_sugarscapes("--device paranoid", true, 40); }

Test(sugarscape, settles_evenly_and_in_the_number_of_the_book) { expect_settled("all"); }
Test(sugarscape, settles_in_turn_evenly_and_in_the_number_of_the_book) { expect_settled("turn"); }

/* Over a million steps of ants, or in a sample 400,000 with every kind of landscape and of birth. */
static void expect_all_conserved(const char *activation)
{
    const int seeds = extended(4, 10);
    int64_t taken = 0;
    for (int seed = 1; seed <= seeds; seed++)
        taken += expect_conserved("--device cpu --threads 1", activation, seed, 120);
    cr_expect_geq(taken, 100000 * seeds, "only %lld steps", (long long)taken);
}
Test(sugarscape, conserves_sugar) { expect_all_conserved("all"); }
Test(sugarscape, conserves_sugar_in_turn) { expect_all_conserved("turn"); }

Test(sugarscape, is_the_same_on_any_number_of_threads) { each_sugarscape(STEPS, same_on_threads); }
Test(sugarscape, is_the_same_in_any_number_of_partitions) { each_sugarscape(STEPS, same_in_partitions); }
Test(sugarscape, is_the_same_on_paranoid) { each_sugarscape(STEPS / 3, same_on_paranoid); }
Test(sugarscape, has_the_same_worlds_together_and_apart) { each_sugarscape(STEPS / 2, same_worlds); }
Test(sugarscape, is_the_same_resumed) { each_sugarscape(STEPS, same_resumed); }

static void expect_refusal(const char *settings, const char *reason)
{
    process p = engine_start(text("--plugin '%s/sugarscape.so' --size 8x8 --device cpu %s", getenv("MASS_PLUGINS"),
                                  settings));
    outcome o = engine_finish(&p);
    cr_expect_eq(o.status, 2, "%s: status %d", settings, o.status);
    cr_expect_not_null(strstr(o.errors, reason), "%s: %s", settings, o.errors);
    outcome_free(&o);
}

Test(sugarscape, refuses_what_does_not_fit)
{
    expect_refusal("--set ants=65", "parameter ants: 65 are more than there are places, 64");
    expect_refusal("--set vision_min=7", "parameter vision_min: 7 is above vision_max, 6");
    expect_refusal("--set sugar_max=0", "sugar_max");
}
