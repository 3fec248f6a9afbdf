/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that run once a world: as in a plain loop, and the same in every way to run. */
#include "ways.h"

Test(world, a_plain_loop_has_the_same_values)
{
    for (int i = 0; i < MARKETS; i++) expect_market(&markets[i], 1, "--threads 1");
}

Test(world, every_way_to_run_is_the_same)
{
    static const struct { int worlds; const char *more; } ways[] = {
        {1, "--threads 2"}, {1, "--device paranoid"}, {1, "--threads 2 --partitions 3"},
        {1, "--threads 1 --partitions 7"}, {3, "--threads 2"},
        {3, "--threads 1 --partitions 3"}, {2, "--device paranoid --partitions 2"}};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        expect_market(&markets[2 + w % 3], ways[w].worlds, ways[w].more);
}

/* At step 0 a checkpoint has what the start leaves. */
Test(world, a_run_that_stops_and_goes_on_is_one_that_never_stopped)
{
    const market_run all = MARKET(24, 18, 9, 6);
    const char *expected = engine_result(text("%s --threads 1 --worlds 2", market_options(&all)));
    for (int step = 0; step < all.steps; step++) {
        const char *folder = folder_make();
        market_run first = all;
        first.steps = step;
        engine_result(text("%s --threads 1 --worlds 2 --checkpoint %s", market_options(&first), folder));
        cr_expect_str_eq(engine_result(text("--plugin '%s/world.so' --resume %s --steps %d --threads 1 --partitions %d",
                                            MASS_TEST_PLUGINS, folder, all.steps, 1 + step % 3)),
                         expected, "from step %d", step);
    }
}

/* A stop condition and the log read world attributes. */
Test(world, expressions_have_their_values)
{
    outcome o = engine_run(text("%s --threads 1 --until 'memory[1] > 150 && past[0] >= 1 && price > 0'",
                                market_options(&markets[2])));
    const int64_t steps = json_integer_value(json_object_get(o.report, "steps"));
    const market_run end = MARKET(24, 18, (int)steps, 3), start = MARKET(24, 18, (int)steps - 1, 3);
    const market before = market_after(&start, 0), after = market_after(&end, 0);
    cr_expect(steps > 1 && steps < 45 && after.memory[1] > 150 && before.memory[1] <= 150, "%d", (int)steps);
    outcome_free(&o);
}

/* It reads as 0, and is not kept. */
Test(world, value_that_an_array_lacks_is_named_by_paranoid)
{
    const char *options = market_options(&markets[2]);
    engine_refuse(text("%s --device paranoid --set last=3", options), 3,
                  "callback town_set, step 1: in world 0 it names value 3 of a world attribute that has 3, numbered "
                  "from 0");
    engine_refuse(text("%s --device paranoid --set span=7", options), 3,
                  "callback town_buy, step 5: at place (0, 0) of world 0 it names value 5 of a world attribute that "
                  "has 5, numbered from 0");
    cr_expect_str_eq(engine_result(text("%s --threads 1 --set last=3", options)),
                     engine_result(text("%s --threads 1", options)));
}
