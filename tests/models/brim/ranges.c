/* SPDX-License-Identifier: Apache-2.0 */
/* At the end of a run the engine counts values outside of their attribute's range, on every device and with any number
 * of partitions. The values are of a place and of an agent that the trial does not have. */
#include "brim.h"
#include "run.h"

#include <criterion/criterion.h>
#include <string.h>

static outcome run_of(const char *options)
{
    process p = engine_start(text("--plugin '%s/brim.so' --seed 3 --quiet %s", MASS_TEST_PLUGINS, options));
    return engine_finish(&p);
}

static void expect_left(const char *options, const char *words)
{
    for (int p = 0; p < brim_place_count; p++) {
        if (strstr(brim_places[p], "paranoid")) continue;
        outcome o = run_of(text("%s %s", options, brim_places[p]));
        cr_expect_eq(o.status, 3, "%s %s: status %d", options, brim_places[p], o.status);
        cr_expect(strstr(o.errors, words), "%s: not in %s", words, o.errors);
        cr_expect_eq(strchr(o.errors, '\n'), o.errors + strlen(o.errors) - 1, "not one line: %s", o.errors);
        cr_expect_not_null(o.report, "the report is there");
        outcome_free(&o);
    }
}

Test(brim, values_that_left_their_ranges_are_counted)
{
    expect_left("--set flag=8", "results are wrong: 1 value of grid.flag is outside its range, 0 to 1, and so are "
                                "values of 1 other attribute: brim wrote them");
    expect_left("--set flag=2 --steps 3 --worlds 5", "5 values of grid.flag are outside its range, 0 to 1");
}

Test(brim, so_are_values_of_agents_and_of_all_worlds)
{
    expect_left("--set mood=4", "results are wrong: 1 value of ants.mood is outside its range, 0 to 3: brim");
    expect_left("--set mood=255 --set from=3 --steps 5 --worlds 6", "6 values of ants.mood are outside its range");
}

Test(brim, what_is_back_in_its_range_at_the_end_and_the_ends_of_ranges_are_fine)
{
    for (int p = 0; p < brim_place_count; p++) {
        engine_result(text("--plugin '%s/brim.so' --seed 3 --set flag=0 --set mood=3 %s", MASS_TEST_PLUGINS,
                           brim_places[p]));
        engine_result(text("--plugin '%s/brim.so' --seed 3 --set flag=8 --set mood=9 --set from=9 --steps 8 %s",
                           MASS_TEST_PLUGINS, brim_places[p]));
    }
}
