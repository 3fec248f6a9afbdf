/* SPDX-License-Identifier: Apache-2.0 */
/* Claims and pairs on one process. Each run compares its last step with that of a plain program. */
#include "../../extended.h"
#include "ways.h"

#include "same.h"

#include <stdio.h>
#include <string.h>

Test(claims, every_way_to_run_is_that_of_a_plain_program)
{
    static const struct { int rows; const char *options; } ways[] = {
        {1, "--threads 3"}, {1, "--device paranoid"}, {3, "--threads 2 --partitions 3"},
        {7, "--threads 1 --partitions 7"}};
    for (int i = 0; i < CLAIMS_RUNS; i++) {
        const char *expected = engine_result(text("%s --threads 1", claims_options(i)));
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            if (claims_runs[i].rows >= ways[w].rows && takes_part((size_t)i + w, 2))
                cr_expect_str_eq(engine_result(text("%s %s", claims_options(i), ways[w].options)), expected, "%s %s",
                                 claims_options(i), ways[w].options);
    }
}

Test(claims, each_step_is_that_of_a_plain_program)
{
    for (int step = 1; step <= 12; step++)
        engine_result(text("--plugin '%s/claims.so' --size 6x5 --seed %d --steps %d --threads 1 --set reach=2 "
                           "--set far=2", MASS_TEST_PLUGINS, step, step));
}

Test(claims, wrong_claims_come_to_nothing_everywhere)
{
    for (int i = 0; i < WRONG_CLAIMS; i++) expect_same_wrong(wrong_claims[i], "--threads 2 --partitions 3");
}

Test(claims, paranoid_names_wrong_claims)
{
    static const char *const words[WRONG_CLAIMS] = {
        "callback chase, step 1: at place (4, 0) of world 0 it claims by agent 8 with a priority that is NaN",
        "callback chase, step 1: at place (4, 0) of world 0 it names nobody, where no agent was found",
        "callback hunt_claimants, step 1: at place ("};
    for (int i = 0; i < WRONG_CLAIMS; i++) {
        outcome o = claims_outcome(text("--device paranoid %s", wrong_claims[i]));
        cr_expect_neq(o.status, 0);
        cr_expect(strstr(o.errors, words[i]), "%s", o.errors);
        if (i == 2) cr_expect(strstr(o.errors, "away, which is farther than 1, the radius of its MASS_CLAIMS"));
        outcome_free(&o);
    }
}

/* All worlds of a sweep have the radius of one row, beyond which a decision drops claims. */
Test(claims, a_sweep_of_their_radius_is_refused)
{
    const char *path = text("%s/far.csv", folder_make());
    FILE *f = fopen(path, "w");
    fputs("far\n1\n2\n", f);
    fclose(f);
    engine_refuse(text("--plugin '%s/claims.so' --size 6x5 --seed 1 --steps 1 --sweep %s", MASS_TEST_PLUGINS, path), 4,
                  "it has another schedule");
}

Test(claims, schedules_without_order_are_refused)
{
    static const struct { const char *options, *words; } all[] = {
        {"--set mistake=undecided", "claims: callback propose_again claims in CLAIMS(wed), and no DECIDES(wed) follows "
                                    "in the step: add it to the schedule"},
        {"--set mistake=managed", "claims: callback chase_again claims in CLAIMS(hunt), and no DECIDES(hunt) follows "
                                  "before the manage of wolves: add it to the schedule"},
        {"--set mistake=early", "callback marry reads PAIRS(wed), and no DECIDES(wed) is before it in the step: add "
                                "one"},
        {"--set mistake=late", "callback be_eaten reads PAIRS(hunt), and the manage of wolves before it ends them: put "
                               "the callback before the manage"},
        {"--set mistake=short --set far=2", "callback marry reads PAIRS(wed), whose partners are up to 2 places away, "
                                            "and reaches 1: give its phase .reach = 2"},
        {"--set mistake=empty", "DECIDES(hunt) follows no callback with CLAIMS(hunt) in the step: put it after one"},
        {"--set far=0", "MASS_CLAIMS(hunt, ...) has a radius of 0, not 1 to 1024"},
        {"--set far=1025", "MASS_CLAIMS(hunt, ...) has a radius of 1025, not 1 to 1024"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        engine_refuse(text("--plugin '%s/claims.so' %s", MASS_TEST_PLUGINS, all[i].options), 3, all[i].words);
}

Test(claims, worlds_and_checkpoints_change_nothing)
{
    const model m = {.options = text("--plugin '%s/claims.so' --size 17x12 --seed 5", MASS_TEST_PLUGINS),
                     .state = "/places/field/ground", .rows = 12, .steps = 12, .population = "sheep",
                     .attributes = (const char *const[]){"value", "wed_gotten", "wed_claims", "wed_pairs", NULL}};
    const char *plugin = text("--plugin '%s/claims.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{4, "--threads 1"}, {7, text("%s --threads 2 --partitions 2", plugin)},
                        {0, text("%s --device paranoid", plugin)}};
    expect_same_worlds(&m, "--threads 1", "--threads 1");
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}
