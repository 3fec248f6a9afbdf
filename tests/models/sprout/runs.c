/* SPDX-License-Identifier: Apache-2.0 */
/* Places that bring forth agents, on one process: a plain loop comes to the same, in every way to run. */
#include "../../extended.h"
#include "sprout/known.h"

#include <criterion/criterion.h>
#include <inttypes.h>

Test(sprout, a_plain_loop_comes_to_the_same)
{
    for (const sprout_case *c = sprout_cases; c < sprout_cases + sprout_case_count; c++)
        expect_known(c, text("%s --threads 1", sprout_options(c)));
}

Test(sprout, every_way_to_run_is_the_same)
{
    static const char *const ways[] = {"--threads 3", "--device paranoid", "--threads 2 --partitions 2",
                                       "--threads 1 --partitions 7"};
    for (int i = 0; i < sprout_case_count; i++) {
        const char *options = sprout_options(&sprout_cases[i]);
        const char *expected = engine_result(text("%s --threads 1", options));
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            if (!takes_part((size_t)i + w, 2)) continue;
            if (sprout_cases[i].size[0] * sprout_cases[i].size[1] > 2000 && w == 1) continue;
            if (sprout_cases[i].size[1] == 1 && sprout_cases[i].size[0] < 50 && w == 3) continue;
            cr_expect_str_eq(engine_result(text("%s %s", options, ways[w])), expected, "%s %s", options, ways[w]);
        }
    }
}

Test(sprout, worlds_are_as_if_alone)
{
    const char *options = text("%s --set luck=1 --set weeds=50 --set gate=20 --steps 20 --device cpu",
                               sprout_options(sprout_cases));
    outcome all = engine_run(text("%s --worlds 5 --threads 2", options));
    for (int w = 0; w < 5; w++) {
        outcome one = engine_run(text("%s --first-world %d", options, w));
        static const char *const names[] = {"digest", "born", "unborn", "died", "beasts_born", "beasts_unborn",
                                            "alive"};
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const json_t *tally = json_object_get(json_object_get(all.report, "tallies"), names[k]);
            cr_expect_eq(json_integer_value(json_array_get(tally, (size_t)w)), tally_of(&one, names[k]),
                         "%s of world %d", names[k], w);
        }
        outcome_free(&one);
    }
    outcome_free(&all);
    cr_expect_str_eq(engine_result(text("%s --worlds 5 --device paranoid", options)),
                     engine_result(text("%s --worlds 5 --partitions 3", options)));
}

Test(sprout, a_resumed_run_is_the_same)
{
    const char *folder = folder_make();
    const char *options = text("%s --steps 21", sprout_options(&sprout_cases[3]));
    engine_write(text("%s --steps 10 --checkpoint '%s/at'", sprout_options(&sprout_cases[3]), folder));
    outcome whole = engine_run(options), rest = engine_run(text(
        "--plugin '%s/sprout.so' --resume '%s/at' --steps 21", MASS_TEST_PLUGINS, folder));
    cr_expect_str_eq(whole.hash, rest.hash);
    cr_expect_eq(tally_of(&whole, "digest"), tally_of(&rest, "digest"));
    outcome_free(&whole);
    outcome_free(&rest);
}
