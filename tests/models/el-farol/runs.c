/* SPDX-License-Identifier: Apache-2.0 */
/* People who go to a bar or stay at home: right, and the same however it is run. */
#include "el-farol/plain.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(el_farol, is_that_of_plain_loops) { expect_el_farol("--device cpu --threads 1"); }
Test(el_farol, is_that_of_plain_loops_on_paranoid) { expect_el_farol("--device paranoid --threads 1"); }
Test(el_farol, is_the_same_on_any_number_of_threads) { each_el_farol(same_on_threads); }
Test(el_farol, is_the_same_in_any_number_of_partitions) { each_el_farol(same_in_partitions); }
Test(el_farol, has_the_same_worlds_together_and_apart) { each_el_farol(same_worlds); }
Test(el_farol, is_the_same_resumed) { each_el_farol(same_resumed); }

enum { FIRST = 100, LAST = 500, SEEDS = 10, PEOPLE = 100 };

static int64_t visits_until(int step, int seed)
{
    outcome o = engine_run(text("--plugin '%s/el-farol.so' --seed %d --steps %d --device cpu --threads 1",
                                getenv("MASS_PLUGINS"), seed, step));
    const int64_t visits = tally_of(&o, "visits");
    outcome_free(&o);
    return visits;
}

/* Arthur found that the mean attendance is where the bar begins to be crowded: at 60 of 100. */
Test(el_farol, sixty_of_a_hundred_go)
{
    double sum = 0;
    for (int seed = 1; seed <= SEEDS; seed++) sum += (double)(visits_until(LAST, seed) - visits_until(FIRST, seed));
    const double mean = sum / SEEDS / (LAST - FIRST);
    cr_expect(mean > 55 && mean < 65, "%.2f of %d go in the mean", mean, PEOPLE);
}
