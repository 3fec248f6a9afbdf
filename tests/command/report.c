/* SPDX-License-Identifier: Apache-2.0 */
/* What the report of a run says, and that it says it once. */
#include "command.h"

#include <string.h>

TestSuite(report, SCRATCH);

static int count_of(const char *text, const char *piece)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, piece)); at++) count++;
    return count;
}

#define SMALL "life", "--size", "32", "--steps"

Test(report, the_seed_is_told_once)
{
    const outcome drawn = RUN(SMALL, "3"), given = RUN(SMALL, "3", "--seed", "7", "--checkpoint", scratch("out")),
                  resumed = RUN("--resume", scratch("out"), "--steps", "5");
    DONE(drawn);
    cr_assert_eq(count_of(drawn.err, "seed "), 1, "%s", drawn.err);
    cr_assert_eq(strncmp(drawn.err, "mass-engine: seed ", 18), 0, "%s", drawn.err);
    cr_assert_eq(count_of(given.err, "seed 7"), 1, "%s", given.err);
    cr_assert_eq(count_of(resumed.err, "seed 7"), 1, "%s", resumed.err);
}

Test(report, bins_say_what_they_stand_for)
{
    const outcome o = RUN("sugarscape", "--size", "16", "--steps", "0", "--seed", "1");
    cr_assert_not_null(strstr(o.err, "wealth_histogram 50 bins, 25 in them, most in bin 0 (0 to 20): "), "%s", o.err);
}

/* The tally `ants` is the number of agents. */
Test(report, agents_are_counted_once)
{
    const outcome o = RUN("sugarscape", "--size", "16", "--steps", "0", "--seed", "1"),
                  two = RUN("sugarscape", "--size", "16", "--steps", "0", "--seed", "1", "--worlds", "2");
    cr_assert(strstr(o.err, "  ants 25\n") && !strstr(o.err, "agents"), "%s", o.err);
    cr_assert_not_null(strstr(two.err, "  ants 50 agents in 2 worlds\n"), "%s", two.err);
}

Test(report, no_steps_have_no_speed)
{
    const outcome o = RUN(SMALL, "0", "--seed", "1"), some = RUN(SMALL, "1", "--seed", "1");
    DONE(o);
    cr_assert(!strstr(o.err, "places/s") && !strstr(o.err, "stepping"), "%s", o.err);
    cr_assert_not_null(strstr(some.err, "places/s"), "%s", some.err);
}

/* Of each step the mean of the agents before it and after it: here nobody is born or dies. */
Test(report, models_of_agents_have_a_speed_of_agents)
{
    const outcome o = RUN("sugarscape", "--size", "16", "--steps", "40", "--seed", "1", "--device", "cpu", "--json",
                          "--set", "growback=100"),
                  none = RUN(SMALL, "1", "--seed", "1", "--json");
    DONE(o);
    const json_t *all = outcome_json(&o);
    const double places = json_real_value(json_object_get(all, "places_per_s")),
                 agents = json_real_value(json_object_get(all, "agents_per_s"));
    const double living = (double)json_integer_value(json_object_get(json_object_get(all, "agents"), "ants"));
    cr_assert_gt(living, 0);
    cr_assert_leq(agents / places, 25.0 / 256 * 1.001, "25 ants of 256 places at the start");
    cr_assert_geq(agents / places, living / 256 * 0.999);
    cr_assert_not_null(strstr(o.err, " places/s, "), "%s", o.err);
    cr_assert_not_null(strstr(o.err, " agents/s)"), "%s", o.err);
    cr_assert_null(json_object_get(outcome_json(&none), "agents_per_s"));
    cr_assert_null(strstr(none.err, "agents/s"), "%s", none.err);
}

Test(report, a_run_that_had_ended_says_so_and_no_more)
{
    DONE(RUN(SMALL, "4", "--seed", "1", "--quiet", "--checkpoint", scratch("out")));
    const outcome o = RUN("--resume", scratch("out"));
    DONE(o);
    cr_assert_null(strstr(o.err, "mass-engine:"), "it looks like a failure: %s", o.err);
    cr_assert_eq(strncmp(o.err, "life: step 4 on ", 16), 0, "%s", o.err);
    cr_assert_not_null(strstr(o.err, ", the last of its run: no step was left"), "%s", o.err);
    cr_assert_not_null(strstr(o.err, "\n  to go on, give --steps with a later one\n"), "%s", o.err);
    const outcome on = RUN("--resume", scratch("out"), "--steps", "6");
    cr_assert(!strstr(on.err, "last of its run") && !strstr(on.err, "to go on"), "%s", on.err);
}

Test(report, a_condition_that_had_ended_the_run_is_told_as_such)
{
    const outcome first = RUN(SMALL, "90", "--seed", "1", "--until", "step == 2", "--checkpoint", scratch("out")),
                  again = RUN("--resume", scratch("out"));
    cr_assert_not_null(strstr(first.err, "  until step == 2: ended by that\n"), "%s", first.err);
    cr_assert_not_null(strstr(again.err, "  until step == 2: ended by that before; another --until goes on, and "
                                         "--until 0 to the last step\n"), "%s", again.err);
    const outcome on = RUN("--resume", scratch("out"), "--until", "0");
    cr_assert_eq(strncmp(on.err, "life: step 90 on ", 17), 0, "%s", on.err);
}

/* ---- step 0 ---- */

static const json_t *tally_at_0(const char *plugin, const char *name)
{
    const outcome o = RUN(plugin, "--seed", "1", "--size", "16", "--steps", "0", "--quiet", "--json");
    DONE(o);
    const json_t *value = json_object_get(json_object_get(outcome_json(&o), "tallies"), name);
    cr_assert_not_null(value, "%s of %s: %s", name, plugin, o.out);
    return value;
}

/* What the start counts, what adds up from the start on, populations and reductions have a value before the first step;
 * what only steps count has none. */
Test(report, what_steps_count_is_none_before_the_first)
{
    const outcome o = RUN("life", "--seed", "1", "--size", "16", "--steps", "0", "--tally", "living=sum(health)");
    DONE(o);
    cr_assert(strstr(o.err, "\n  births none\n  deaths none\n") && !strstr(o.err, "population none") &&
              !strstr(o.err, "living none"), "%s", o.err);
    const outcome worlds = RUN("life", "--seed", "1", "--size", "16", "--steps", "0", "--worlds", "2");
    DONE(worlds);
    cr_assert_not_null(strstr(worlds.err, "\n  births none in every world\n"), "%s", worlds.err);
    cr_assert(json_is_null(tally_at_0("life", "births")) && json_is_integer(tally_at_0("life", "population")));
    cr_assert(json_is_integer(tally_at_0("sugarscape", "births")) && json_is_integer(tally_at_0("sugarscape", "ants")));
}

Test(report, bins_that_steps_count_are_none_before_the_first)
{
    const outcome o = RUN("histogram", "--set", path_of("input=%s", data_file("r-pentomino.rle")), "--steps", "0",
                          "--json");
    DONE(o);
    cr_assert(json_is_null(json_object_get(json_object_get(outcome_json(&o), "tallies"), "counts")), "%s", o.out);
    cr_assert_not_null(strstr(o.err, "\n  counts none\n"), "%s", o.err);
}

Test(report, one_is_no_plural)
{
    const outcome worlds = RUN("sugarscape", "--size", "16", "--steps", "0", "--seed", "1", "--worlds", "4", "--device",
                               "cpu"),
                  row = RUN("life", "--size", "64x1", "--steps", "1", "--partitions", "2", "--device", "cpu");
    DONE(worlds);
    cr_assert_not_null(strstr(worlds.err, "  ... and of 1 more world: --json has all\n"), "%s", worlds.err);
    REFUSED(row, 2, "--partitions 2 is more than the 1 row of space ");
}
