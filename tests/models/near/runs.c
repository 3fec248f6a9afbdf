/* SPDX-License-Identifier: Apache-2.0 */
/* Agents that see others nearby, on one process. Each run compares its last step with that of a plain program. */
#include "../../extended.h"
#include "ways.h"

#include "same.h"

#include <string.h>

Test(near, every_way_to_run_is_that_of_a_plain_program)
{
    static const char *const ways[] = {"--threads 3", "--device paranoid", "--threads 2 --partitions 2",
                                       "--threads 1 --partitions 7"};
    for (int i = 0; i < NEARS; i++) {
        const char *expected = engine_result(text("%s --threads 1", near_options(i)));
        const bool thin = i == 4; /* has four rows */
        for (size_t w = 0; w < sizeof ways / sizeof *ways - thin; w++)
            if (takes_part((size_t)i + w, 3))
                cr_expect_str_eq(engine_result(text("%s %s", near_options(i), ways[w])), expected, "%s %s",
                             near_options(i), ways[w]);
    }
}

/* Returns the hash of a run whose trial, or run, may complain; the caller's buffer. */
static outcome run_odd(const char *more)
{
    process p = engine_start(text("--plugin '%s/near.so' --seed 1 --steps 3 %s", MASS_TEST_PLUGINS, more));
    return engine_finish(&p);
}

static void expect_same_hash(const char *one, const char *other, bool same)
{
    outcome a = run_odd(one), b = run_odd(other);
    cr_expect_eq(a.status, 0, "%s: %s", one, a.errors);
    cr_expect_eq(b.status, 0, "%s: %s", other, b.errors);
    cr_expect_eq(strcmp(a.hash, b.hash) == 0, same, "%s, %s", one, other);
    outcome_free(&a);
    outcome_free(&b);
}

Test(near, a_walk_beyond_the_reach_meets_those_within)
{
    expect_same_hash("--threads 1 --set far=2000", "--threads 1 --set far=2000 --partitions 3", true);
    expect_same_hash("--threads 1 --set far=1", "--threads 1 --set far=2", false);
    expect_same_hash("--threads 1 --set far=-1", "--threads 1 --set far=-1 --partitions 2", true);
    for (int odd = 1; odd <= 2; odd++)
        expect_same_hash(text("--threads 1 --set odd=%d", odd), text("--threads 2 --partitions 3 --set odd=%d", odd),
                         true);
}

/* Expects that paranoid ends the run with a line that has `words`. */
static void expect_named(const char *options, const char *words)
{
    outcome o = run_odd(text("--device paranoid %s", options));
    cr_expect_neq(o.status, 0, "%s", options);
    cr_expect(strstr(o.errors, words), "%s: %s", options, o.errors);
    cr_expect(strstr(o.errors, "callback near_look, step 1: at place ("), "%s: %s", options, o.errors);
    outcome_free(&o);
}

Test(near, paranoid_names_what_no_walk_gives)
{
    expect_named("--set far=3", "it walks the agents within 3, which is farther than 2, the .reach of its phase");
    expect_named("--set odd=1", "it names nobody, where no agent was found: ask IS_ANYBODY first");
    expect_named("--set odd=2", "it names an agent (30000, 0) away that no walk of that population has given");
}

Test(near, a_phase_over_agents_without_reach_is_refused)
{
    outcome o = run_odd("--set reach=0");
    cr_expect_neq(o.status, 0);
    cr_expect(strstr(o.errors, "callback near_look, field value: it is in NEARBY, and the phase has no reach: give it "
                               ".reach, 1 or more, as far as the body walks"), "%s", o.errors);
    outcome_free(&o);
}

Test(near, worlds_and_checkpoints_change_nothing)
{
    const model m = {.options = text("--plugin '%s/near.so' --size 17x12 --seed 5", MASS_TEST_PLUGINS),
                     .state = "/places/field/met", .rows = 12, .steps = 15};
    const char *plugin = text("--plugin '%s/near.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{4, "--threads 1"}, {9, text("%s --threads 2 --partitions 2", plugin)},
                        {0, text("%s --device paranoid", plugin)}};
    expect_same_worlds(&m, "--threads 1", "--threads 1");
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}
