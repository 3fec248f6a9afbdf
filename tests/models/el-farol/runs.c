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

enum { FIRST = 100, LAST = 500, WORLDS = 10, PEOPLE = 100 };

static double visits_until(int step)
{
    outcome o = engine_run(text("--plugin '%s/el-farol.so' --seed 1 --steps %d --worlds %d --device cpu --threads 1",
                                getenv("MASS_PLUGINS"), step, WORLDS));
    const json_t *visits = json_object_get(json_object_get(o.report, "tallies"), "visits"), *of_world;
    double sum = 0;
    size_t world;
    json_array_foreach(visits, world, of_world) sum += json_number_value(of_world);
    cr_assert_eq(json_array_size(visits), WORLDS);
    outcome_free(&o);
    return sum / WORLDS;
}

/* Arthur found that the mean attendance is where the bar begins to be crowded: at 60 of 100. */
Test(el_farol, sixty_of_a_hundred_go)
{
    const double mean = (visits_until(LAST) - visits_until(FIRST)) / (LAST - FIRST);
    cr_expect(mean > 55 && mean < 65, "%.2f of %d go in the mean", mean, PEOPLE);
}
