/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies read tallies: as a plain loop does, and the same in every way to run. */
#include "ways.h"

Test(totals, a_plain_loop_has_the_same_tallies)
{
    for (int i = 0; i < TOWNS; i++) expect_town(&towns[i], "--threads 1");
}

Test(totals, every_way_to_run_is_the_same)
{
    static const char *const ways[] = {"--threads 2", "--device paranoid", "--threads 2 --partitions 2",
                                       "--threads 1 --partitions 7", "--threads 2 --worlds 3"};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) expect_town(&towns[2 + w % 3], ways[w]);
}

Test(totals, a_run_that_stops_and_goes_on_is_one_that_never_stopped)
{
    const town_run all = {24, 18, 8, 230};
    const char *expected = engine_result(text("%s --threads 1", town_options(&all)));
    for (int step = 0; step < all.steps; step++) {
        const char *folder = folder_make();
        town_run first = all;
        first.steps = step;
        engine_result(text("%s --threads 1 --checkpoint %s", town_options(&first), folder));
        cr_expect_str_eq(engine_result(text("--plugin '%s/totals.so' "
                                            "--resume %s --steps %d --threads 1 --partitions %d",
                                            MASS_TEST_PLUGINS, folder, all.steps, 1 + step % 3)),
                         expected, "from step %d", step);
    }
}
