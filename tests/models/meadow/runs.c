/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks that see two populations, on one process: what they see is what callbacks of one population see, and all
 * ways to run come to one state. */
#include "../../extended.h"
#include "ways.h"

#include "same.h"

Test(meadow, both_populations_are_seen_where_they_stand)
{
    for (int i = 0; i < MEADOWS; i++) expect_equal_sights(meadow_options(i));
}

Test(meadow, every_way_to_run_is_the_same)
{
    static const char *const ways[] = {"--threads 3", "--device paranoid", "--threads 2 --partitions 2",
                                       "--threads 1 --partitions 7"};
    for (int i = 0; i < MEADOWS; i++) {
        const char *expected = engine_result(text("%s --threads 1", meadow_options(i)));
        for (size_t w = i < MEADOWS - 1 ? 0 : 2; w < sizeof ways / sizeof *ways; w++)
            if (takes_part((size_t)i + w, 2))
                cr_expect_str_eq(engine_result(text("%s %s", meadow_options(i), ways[w])), expected, "%s %s",
                             meadow_options(i), ways[w]);
    }
}
