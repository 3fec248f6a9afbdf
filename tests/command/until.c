/* SPDX-License-Identifier: Apache-2.0 */
/* --until: what is refused, and what a run that it ends says and leaves behind. */
#include "command.h"

#include <string.h>

TestSuite(until, SCRATCH);

#define LIFE "--plugin", "life", "--size", "32x32", "--seed", "3", "--steps", "50"

Test(until, syntax_errors_with_a_caret)
{
    REFUSED(RUN(LIFE, "--until", "population = 0"), MASS_BAD_USAGE, "--until: ", "'==' compares",
            ": population ^= 0\n");
    REFUSED(RUN(LIFE, "--until", "population <"), MASS_BAD_USAGE, "too early", ": population <^\n");
    REFUSED(RUN(LIFE, "--until", "(births"), MASS_BAD_USAGE, "')' is expected", ": (births^\n");
    REFUSED(RUN(LIFE, "--until", "steady(births)"), MASS_BAD_USAGE, "',' is expected", ": steady(births^)\n");
    REFUSED(RUN(LIFE, "--until", ""), MASS_BAD_USAGE, "--until needs a value");
}

Test(until, names_that_are_not_there)
{
    REFUSED(RUN(LIFE, "--until", "wolves == 0"), MASS_BAD_USAGE, "there is no tally 'wolves'; life has population, "
            "births", ": ^wolves == 0\n");
    REFUSED(RUN(LIFE, "--until", "population[1] == 0"), MASS_BAD_USAGE, "there is no world 1",
            ": population[^1] == 0\n");
    REFUSED(RUN("--plugin", "sugarscape", "--until", "ants_next_id > 3"), MASS_BAD_USAGE,
            "there is no tally 'ants_next_id'");
    REFUSED(RUN("boids", "--until", "order > 0.5"), MASS_BAD_USAGE, "there is no tally 'order', which is a series "
            "that every log has: elsewhere write (heading_x * heading_x + heading_y * heading_y)", ": ^order > 0.5\n");
    REFUSED(RUN("boids", "--until", "position > 1"), MASS_BAD_USAGE, "there is no tally 'position', which is an "
            "attribute: give --tally NAME=mean(birds.position[0]), or sum", ": ^position > 1\n");
    REFUSED(RUN("histogram", "--until", "item > 1"), MASS_BAD_USAGE, "there is no tally 'item', which is an attribute "
            "that --tally cannot take", ": ^item > 1\n");
    REFUSED(RUN("innovation", "--until", "people_edges.alive > 9"), MASS_BAD_USAGE, "there is no tally "
            "'people_edges.alive': edges are not counted so. A body over nodes can add up DEGREE");
}

Test(until, names_of_a_population)
{
    const outcome plain = RUN("--plugin", "sugarscape", "--size", "30x30", "--seed", "1", "--json", "--quiet",
                              "--until", "births > 9");
    const outcome dotted = RUN("--plugin", "sugarscape", "--size", "30x30", "--seed", "1", "--json", "--quiet",
                               "--until", "ants.born > 9");
    cr_assert_str_eq(outcome_hash(&plain, 0), outcome_hash(&dotted, 0));
}

static void expect_end(const outcome *o, int step, const char *until, bool held)
{
    assert_done(o, 0);
    const json_t *report = outcome_json(o);
    cr_assert_eq(json_integer_value(json_object_get(report, "steps")), step);
    cr_assert_eq(json_is_true(json_object_get(report, "held")), held);
    cr_assert_str_eq(json_string_value(json_object_get(report, "until")), until);
    cr_assert(json_is_false(json_object_get(report, "interrupted")));
}

Test(until, the_report_says_whether_it_held)
{
    outcome o = RUN(LIFE, "--json", "--until", "step == 7");
    expect_end(&o, 7, "step == 7", true);
    cr_assert_not_null(strstr(o.err, "until step == 7: ended by that"), "%s", o.err);
    o = RUN(LIFE, "--json", "--until", "step == 70");
    expect_end(&o, 50, "step == 70", false);
    cr_assert_not_null(strstr(o.err, "until step == 70: not reached"), "%s", o.err);
    o = RUN(LIFE, "--json", "--quiet");
    cr_assert_null(json_object_get(outcome_json(&o), "until"));
}

Test(until, the_last_checkpoint_and_picture_are_of_the_step_at_which_it_held)
{
    DONE(RUN(LIFE, "--until", "step == 7", "--checkpoint", scratch("out"), "--image", scratch("a.png")));
    cr_assert(file_exists(scratch("out/ckpt-000000000007.h5")));
    cr_assert_eq(folder_count(scratch("out")), 1);
    DONE(RUN(LIFE, "--steps", "7", "--image", scratch("b.png")));
    const content a = file_read(scratch("a.png")), b = file_read(scratch("b.png"));
    cr_assert(a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0);
}

/* The condition is kept; it can be given again, or another, and then counts from there on. */
Test(until, resumed_runs_keep_it)
{
    const char *folder = scratch("out");
    DONE(RUN(LIFE, "--steps", "5", "--until", "steady(step < 3, 6)", "--checkpoint", folder));
    const char *first = path_of("%s/ckpt-000000000005.h5", folder);
    outcome o = RUN("--resume", first, "--steps", "50", "--json");
    expect_end(&o, 9, "steady(step < 3, 6)", true);
    o = RUN("--resume", first, "--steps", "50", "--json", "--until", "steady(step < 3, 6)");
    expect_end(&o, 9, "steady(step < 3, 6)", true);
    o = RUN("--resume", first, "--steps", "50", "--json", "--until", "steady(step < 4, 6)");
    expect_end(&o, 12, "steady(step < 4, 6)", true);
    o = RUN("--resume", first, "--steps", "50", "--json", "--until", "0");
    expect_end(&o, 50, "0", false);
}

/* The same is lacking as where a series names it, and it is the user's to give. */
Test(until, of_a_reduction_that_is_to_be_given_again)
{
    const char *folder = scratch("out"), *tally = "alive=sum(health)";
    DONE(RUN(LIFE, "--steps", "5", "--tally", tally, "--until", "alive < 0", "--checkpoint", folder));
    REFUSED(RUN("--resume", folder, "--steps", "50"), MASS_BAD_USAGE, "(a --tally that its condition names has to be "
            "given again)", "there is no tally 'alive'");
    const outcome o = RUN("--resume", folder, "--steps", "50", "--json", "--tally", tally);
    expect_end(&o, 50, "alive < 0", false);
}

Test(until, a_run_that_it_ended_goes_on_only_with_another)
{
    const char *folder = scratch("out");
    DONE(RUN(LIFE, "--until", "step == 7", "--checkpoint", folder));
    outcome o = RUN("--resume", folder, "--steps", "50", "--json");
    expect_end(&o, 7, "step == 7", true);
    o = RUN("--resume", folder, "--steps", "50", "--json", "--until", "step == 20");
    expect_end(&o, 20, "step == 20", true);
}
