/* SPDX-License-Identifier: Apache-2.0 */
/* Agents that see others nearby, on one process. Each run compares its last step with that of a plain program. */
#include "../../extended.h"
#include "ways.h"

#include "named.h"
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

/* Returns the options of a run that the engine may complain of. */
static const char *odd(const char *more)
{
    return text("--plugin '%s/near.so' --seed 1 --steps 3 %s", MASS_TEST_PLUGINS, more);
}

Test(near, a_walk_beyond_the_reach_meets_those_within)
{
    expect_same_hash(odd("--threads 1 --set far=2000"), odd("--threads 1 --set far=2000 --partitions 3"), true);
    expect_same_hash(odd("--threads 1 --set far=1"), odd("--threads 1 --set far=2"), false);
    expect_same_hash(odd("--threads 1 --set far=-1"), odd("--threads 1 --set far=-1 --partitions 2"), true);
    for (int i = 1; i <= 2; i++)
        expect_same_hash(odd(text("--threads 1 --set odd=%d", i)),
                         odd(text("--threads 2 --partitions 3 --set odd=%d", i)), true);
}

Test(near, paranoid_names_what_no_walk_gives)
{
    static const char where[] = "callback near_look, step 1: at place (";
    paranoid_names(odd("--set far=3"),
                   "it walks the agents within 3, which is farther than 2, the .reach of its phase", where);
    paranoid_names(odd("--set odd=1"), "it names nobody, where no agent was found: ask IS_ANYBODY first", where);
    paranoid_names(odd("--set odd=2"), "it names an agent (30000, 0) away that no walk of that population has given",
                   where);
}

Test(near, a_phase_over_agents_without_reach_is_refused)
{
    process p = engine_start(odd("--set reach=0"));
    outcome o = engine_finish(&p);
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
