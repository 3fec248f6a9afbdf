/* SPDX-License-Identifier: Apache-2.0 */
/* Agents anywhere in the world, on one process: as the plain program, and the same in every way to run. */
#include "anybody/plain.h"
#include "same.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(anybody, is_the_plain_program)
{
    for (int i = 0; i < ANYBODY_RUNS; i++) expect_anybody(&anybody_runs[i], "--device cpu --threads 2");
}

static model model_of(int i)
{
    static const char *const attributes[] = {"wealth", "boss", "trace", NULL};
    const anybody_run *r = &anybody_runs[i];
    const int slowest = r->extents[2] > 1 ? r->extents[2] : r->extents[1] > 1 ? r->extents[1] : r->extents[0];
    return (model){.options = anybody_options(r), .state = "/places/field/passed", .rows = slowest, .steps = r->steps,
                   .population = "people", .attributes = attributes};
}

#define EACH(check, runs)                   \
    for (int i = 0; i < (runs); i++) {      \
        const model m = model_of(i);        \
        check(&m);                          \
    }
Test(anybody, is_the_same_on_threads) { EACH(same_on_threads, ANYBODY_RUNS) }
Test(anybody, is_the_same_in_partitions) { EACH(same_in_partitions, ANYBODY_RUNS) }
Test(anybody, is_the_same_on_paranoid) { EACH(same_on_paranoid, 4) }
Test(anybody, is_the_same_in_several_worlds) { EACH(same_worlds, 2) }
Test(anybody, is_the_same_resumed)
{
    setenv("MASS_PLUGIN_PATH", MASS_TEST_PLUGINS, 1);
    EACH(same_resumed, 3)
}
