/* SPDX-License-Identifier: Apache-2.0 */
/* Tallies of many accumulators on CPUs: bins, exact sums, means. */
#include "../../extended.h"
#include "gather_known.h"
#include "run.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const char *const places[] = {"--device cpu --threads 1", "--device cpu --threads 3", "--device paranoid",
                                     "--device cpu --threads 2 --partitions 7", "--device cpu --partitions 43"};
enum { PLACES = sizeof places / sizeof *places };

Test(gathered, tallies_are_those_of_plain_loops_wherever_it_runs)
{
    uint64_t sums[PLACES];
    for (int i = 0; i < PLACES; i += unsanitized(2, 1)) {
        expect_gathered(places[i], 3, &sums[i]);
        cr_assert_eq(sums[i], sums[0], "with %s", places[i]);
    }
}

Test(gathered, every_method_counts_the_same)
{
    static const char *const methods[] = {"auto", "sequential", "global", "stride", "shared"};
    uint64_t sums[5];
    for (int i = 0; i < 5; i += unsanitized(2, 1)) {
        expect_gathered(text("--threads 2 --set method=%s", methods[i]), 2, &sums[i]);
        cr_assert_eq(sums[i], sums[0], "with %s", methods[i]);
    }
}

Test(gathered, a_resumed_run_goes_on_with_them)
{
    const char *folder = folder_make();
    expect_gathered(text("--checkpoint '%s'", folder), 2, NULL);
    outcome whole = engine_run(text("--plugin '%s/gather.so' --seed 3 --steps 5", MASS_TEST_PLUGINS));
    outcome resumed = engine_run(text("--resume '%s' --plugin '%s/gather.so' --steps 5 --partitions 2", folder,
                                      MASS_TEST_PLUGINS));
    cr_assert_str_eq(resumed.tallies, whole.tallies);
    outcome_free(&whole);
    outcome_free(&resumed);
}

/* Told the same again or not: rows of bins come after those that are there. */
Test(gathered, a_resumed_run_goes_on_with_their_series)
{
    static const char *const again[] = {"", "--log few --log total=few[0]+few[1]"};
    const char *logs = text("--seed 3 --worlds 2 %s", again[1]), *whole = folder_make();
    engine_write(text("--plugin '%s/gather.so' --steps 9 %s --checkpoint '%s'", MASS_TEST_PLUGINS, logs, whole));
    dataset all = dataset_read(text("%s/series.h5", whole), "/series/few");
    cr_assert(all.extents[0] == 10 && all.extents[1] == 2 && all.extents[2] > 1);
    for (int i = 0; i < 2; i++) {
        const char *folder = folder_make();
        engine_write(text("--plugin '%s/gather.so' --steps 4 %s --checkpoint '%s'", MASS_TEST_PLUGINS, logs, folder));
        engine_write(text("--resume '%s' --plugin '%s/gather.so' --steps 9 %s", folder, MASS_TEST_PLUGINS, again[i]));
        dataset found = dataset_read(text("%s/series.h5", folder), "/series/few");
        cr_assert_eq(found.size, all.size);
        cr_assert_eq(memcmp(found.bytes, all.bytes, all.size), 0);
        free(found.bytes);
    }
    free(all.bytes);
}

/* Three worlds together count as each does alone. */
Test(gathered, worlds_count_apart)
{
    outcome three = engine_run(text("--plugin '%s/gather.so' --seed 3 --steps 2 --worlds 3", MASS_TEST_PLUGINS));
    json_t *crowds = json_object_get(json_object_get(three.report, "tallies"), "crowds");
    for (int w = 0; w < 3; w++) {
        outcome one = engine_run(text("--plugin '%s/gather.so' --seed 3 --steps 2 --first-world %d", MASS_TEST_PLUGINS,
                                      w));
        cr_assert(json_equal(json_array_get(crowds, (size_t)w),
                             json_object_get(json_object_get(one.report, "tallies"), "crowds")), "world %d", w);
        outcome_free(&one);
    }
    outcome_free(&three);
}
