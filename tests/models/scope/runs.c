/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in turn that see, meet and change within distances of their own, on one process. Each run compares its last
 * state with that of a plain program. */
#include "../../extended.h"
#include "named.h"
#include "same.h"
#include "ways.h"

#include <criterion/criterion.h>
#include <string.h>

Test(scope, every_way_to_run_is_that_of_a_plain_program)
{
    static const char *const ways[] = {"--threads 2", "--threads 4", "--device paranoid", "--threads 2 --partitions 2",
                                       "--threads 1 --partitions 3"};
    for (int i = 0; i < SCOPES; i++) {
        const char *expected = engine_result(scope_options(text("%s --threads 1", scopes[i])));
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            if (takes_part((size_t)i + w, 3))
                cr_expect_str_eq(engine_result(scope_options(text("%s %s", scopes[i], ways[w]))), expected, "%s %s",
                                 scopes[i], ways[w]);
    }
}

/* Expects that paranoid alone ends the run, with a line that has `words`. */
static void expect_named(const char *more, const char *words)
{
    only_paranoid_names(scope_options(text("--steps 3 --set ants=200 %s", more)), words, "");
}

Test(scope, paranoid_names_what_is_too_far)
{
    expect_named("--set odd=1", "changes the place (2, 0) away, which is farther than 1, the .changes of its phase");
    expect_named("--set odd=2", "moves to the place (0, 2) away, which is farther than 1, the .changes of its phase");
    expect_named("--set odd=3",
                 "counts the agents on the place (3, 0) away, which is farther than 2, the .meets of its phase");
    expect_named("--set odd=4", "changes an agent (");
    expect_named("--set odd=5 --set axes=1",
                 "sees the place (1, 1) away, which is not along an axis: the .shape of its phase is MASS_AXES");
    expect_named("--set odd=6",
                 "walks the agents on the place (0, 3) away, which is farther than 2, the .meets of its phase");
}

Test(scope, a_phase_that_meets_farther_than_it_sees_is_refused)
{
    engine_refuse(scope_options("--steps 1 --set sees=1"), 3,
                  "callback scope_act: the .meets of its phase is 2, and its radius is 1: give it that at most, or "
                  "MASS_OWN_PLACE");
}

/* A world of a sweep meets and changes others as far as its own row says, though its run has one phase for all. */
Test(scope, a_world_of_a_sweep_acts_as_far_as_a_run_of_its_own)
{
    static const char *const rows[] = {"--set changes=0", "--set changes=2 --set meets=3"};
    const char *folder = folder_make(), *path = text("%s/sweep.csv", folder);
    FILE *table = fopen(path, "w");
    cr_assert(table && fputs("changes,meets\n0,2\n2,3\n", table) >= 0 && fclose(table) == 0);
    outcome all = engine_run(scope_options(text("--steps 5 --set compared=0 --sweep %s", path)));
    for (size_t w = 0; w < 2; w++) {
        outcome alone = engine_run(scope_options(text("--steps 5 --set compared=0 --first-world %zu %s", w,
                                                         rows[w])));
        const json_t *met = json_object_get(json_object_get(all.report, "tallies"), "met");
        cr_expect(json_equal(json_array_get(met, w),
                             json_object_get(json_object_get(alone.report, "tallies"), "met")), "world %zu", w);
        outcome_free(&alone);
    }
    outcome_free(&all);
    folder_empty(folder);
}
