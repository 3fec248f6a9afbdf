/* SPDX-License-Identifier: Apache-2.0 */
/* --explain: the operations of a run's steps, for people and as JSON, and nothing is run. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

TestSuite(explain, SCRATCH);

/* The lines between `heading` and the next empty one, each up to its bytes: "refresh grid.health", and a semicolon. */
static const char *operations_of(const char *out, const char *heading)
{
    static char text[8192];
    const char *line = strstr(out, heading);
    cr_assert_not_null(line, "no %s in %s", heading, out);
    size_t used = 0;
    while ((line = strchr(line, '\n') + 1) && *line && *line != '\n') {
        char when, name[32], subject[64];
        cr_assert_eq(sscanf(line, "  %c %31s %63s", &when, name, subject), 3, "%.60s", line);
        if (when != ' ' && line[2] != ' ') used += (size_t)snprintf(text + used, sizeof text - used, "%c:", when);
        else cr_assert_eq(sscanf(line, " %31s %63s", name, subject), 2);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %s; ", name, subject);
    }
    return text;
}

Test(explain, life_copies_ghosts_launches_and_swaps)
{
    const outcome o = RUN("life", "--explain", "--device", "cpu", "--size", "64x32");
    DONE(o);
    cr_assert_str_empty(o.err);
    cr_assert_not_null(strstr(o.out, "life on cpu, grid 64x32, 1 world, 1 partition\n"), "%s", o.out);
    cr_assert_str_eq(operations_of(o.out, "at the start\n"), "reset population; reset births; reset deaths; "
                     "launch life_soup; launch life_census; ");
    cr_assert_str_eq(operations_of(o.out, "in each step"), "o:reset population; o:reset births; o:reset deaths; "
                     "refresh grid.health; launch life_conway; swap grid.health; ");
    cr_assert_not_null(strstr(o.out, "ghosts along y\n"), "%s", o.out);
    cr_assert_not_null(strstr(o.out, "reads grid.health (radius 1); writes grid.health; counts if observed ["), "%s",
                       o.out);
}

Test(explain, steps_are_done_in_one_pass_or_not_for_a_reason)
{
    outcome o = RUN("life", "--explain", "--device", "cpu", "--size", "64x32", "--fuse", "4");
    DONE(o);
    cr_assert_not_null(strstr(o.out, "4 steps in one pass, if no output is due in between\n"), "%s", o.out);
    o = RUN("life", "--explain", "--device", "cpu", "--size", "64x32");
    DONE(o);
    cr_assert_not_null(strstr(o.out, "up to 16 steps in one pass, as many as turn out to be fastest\n"), "%s", o.out);
    o = RUN("heat", "--explain", "--device", "cpu", "--size", "64x32");
    DONE(o);
    cr_assert_not_null(strstr(o.out, "several can be done in one pass, with --fuse\n"), "%s", o.out);
    o = RUN("sugarscape", "--explain", "--device", "cpu");
    DONE(o);
    cr_assert_not_null(strstr(o.out, "one step after the other: the model has agents\n"), "%s", o.out);
}

Test(explain, sugarscape_moves_its_agents_and_looks_at_the_stop_condition)
{
    const outcome o = RUN("sugarscape", "--explain", "--device", "cpu", "--until", "ants == 0");
    DONE(o);
    cr_assert_str_eq(operations_of(o.out, "in each step"), "r:guard agents; o:reset ants; o:reset sugar; "
        "o:reset wealth; launch sugarscape_grow; "
        "refresh grid.sugar; launch sugarscape_look; manage ants; "
        "refresh grid.sugar; launch sugarscape_look_again; manage ants; "
        "refresh grid.sugar; launch sugarscape_look_again; manage ants; swap ants; "
        "launch sugarscape_eat; launch sugarscape_live; manage ants; swap ants; o:launch sugarscape_census; "
        "o:reset wealth_histogram; o:reset wealth_histogram.below; o:reset wealth_histogram.above; "
        "o:reset wealth_histogram.nan; o:reduce hist_agents_i32; u:look stop; ");
}

Test(explain, networks_are_said_to_be_cut_by_parts)
{
    outcome o = RUN("voter", "--explain", "--device", "cpu", "--size", "40", "--partitions", "10");
    DONE(o);
    cr_assert_not_null(strstr(o.out, "\nnetwork town in 10 parts: "), "%s", o.out);
    cr_assert_not_null(strstr(o.out, "\n  part 0: 4 nodes; "), "%s", o.out);
    cr_assert_not_null(strstr(o.out, "\n  and 2 more parts\n"), "%s", o.out);
    o = RUN("innovation", "--explain", "--device", "cpu", "--size", "40", "--partitions", "2");
    DONE(o);
    cr_assert_not_null(strstr(o.out, "\nnetwork people in 2 parts, at the start: "), "%s", o.out);
    o = RUN("voter", "--explain", "--device", "cpu", "--size", "40");
    DONE(o);
    cr_assert_null(strstr(o.out, "network town"), "%s", o.out);
}

/* ---- JSON ---- */

static json_t *explanation(const char *const arguments[])
{
    const outcome o = command_run(NULL, arguments);
    DONE(o);
    cr_assert_str_empty(o.err);
    return outcome_json(&o);
}

static const char *text_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    cr_assert_not_null(text, "no text %s", key);
    return text;
}

static bool is(const json_t *object, const char *key, const char *text)
{
    return strcmp(text_in(object, key), text) == 0;
}

Test(explain, small_worlds_that_are_not_to_be_are_none)
{
    json_t *all = explanation(ARGUMENTS("minesweeper", "--explain", "--json", "--device", "cpu", "--no-block"));
    cr_assert(is(all, "small_worlds_not", "--no-block says so"));
    json_decref(all);
}

Test(explain, json_has_what_operations_read_and_write)
{
    json_t *all = explanation(ARGUMENTS("life", "--explain", "--json", "--device", "cpu", "--size", "64x32",
                                        "--worlds", "3"));
    const json_t *step = json_object_get(all, "step"), *launch = json_array_get(step, 4);
    cr_assert(is(all, "plugin", "life") && is(all, "device", "cpu"));
    cr_assert_eq(json_integer_value(json_object_get(all, "worlds")), 3);
    cr_assert_eq(json_integer_value(json_object_get(all, "partitions")), 1);
    cr_assert(json_is_false(json_object_get(all, "small_worlds")));
    cr_assert(is(all, "small_worlds_not", "the device has no blocks"));
    cr_assert_eq(json_array_size(step), 6);
    cr_assert(is(launch, "operation", "launch") && is(launch, "of", "life_conway") && is(launch, "when", "always") &&
              is(launch, "tallies", "observed"));
    cr_assert_neq(text_in(launch, "form")[0], '\0');
    const json_t *read = json_array_get(json_object_get(launch, "reads"), 0);
    cr_assert(is(read, "data", "places") && is(read, "of", "grid.health"));
    cr_assert_eq(json_integer_value(json_object_get(read, "bytes")), 3 * 64 * 32 / 8);
    cr_assert_eq(json_integer_value(json_object_get(read, "radius")), 1);
    const json_t *written = json_array_get(json_object_get(launch, "writes"), 0);
    cr_assert(is(written, "data", "places") && json_is_true(json_object_get(written, "next")));
    json_decref(all);
}

/* Whether an operation reads or writes that. */
static bool touches(const json_t *operation, const char *how, const char *data, const char *of)
{
    size_t i;
    const json_t *operand;
    json_array_foreach(json_object_get(operation, how), i, operand)
        if (is(operand, "data", data) && is(operand, "of", of)) return true;
    return false;
}

/* Walking back from a launch of a phase: ghosts that it reads are refreshed in the phase, with no launch between. */
static void check_ghosts(const json_t *step, size_t launch)
{
    size_t i;
    const json_t *operand, *its = json_array_get(step, launch);
    json_array_foreach(json_object_get(its, "reads"), i, operand) {
        if (!is(operand, "data", "ghosts") || touches(its, "writes", "ghosts", text_in(operand, "of"))) continue;
        bool refreshed = false;
        for (size_t k = launch; !refreshed && k-- > 0;) {
            const json_t *before = json_array_get(step, k);
            cr_assert(!touches(before, "writes", "places", text_in(operand, "of")), "ghosts of %s are stale at %s",
                      text_in(operand, "of"), text_in(its, "of"));
            refreshed = is(before, "operation", "refresh") && is(before, "of", text_in(operand, "of"));
        }
        cr_assert(refreshed, "nobody refreshes %s before %s", text_in(operand, "of"), text_in(its, "of"));
    }
}

/* What takes next values has them swapped before anything else is done with it. */
static void check_swap(const json_t *step, size_t launch)
{
    size_t i;
    const json_t *operand;
    json_array_foreach(json_object_get(json_array_get(step, launch), "writes"), i, operand) {
        if (!is(operand, "data", "places") || !json_is_true(json_object_get(operand, "next"))) continue;
        bool swapped = false;
        for (size_t k = launch + 1; !swapped && k < json_array_size(step); k++) {
            const json_t *after = json_array_get(step, k);
            cr_assert_str_eq(text_in(after, "operation"), "swap");
            swapped = is(after, "of", text_in(operand, "of"));
        }
        cr_assert(swapped);
    }
}

Test(explain, ghosts_that_are_read_were_refreshed_and_what_is_written_is_swapped)
{
    static const char *const plugins[] = {"life", "heat", "sugarscape", "minesweeper"},
                      *const partitions[] = {"1", "2", "3"}, *const devices[] = {"cpu", "paranoid"};
    int stencils = 0;
    for (size_t p = 0; p < 4; p++)
        for (size_t n = 0; n < 3; n++)
            for (size_t d = 0; d < 2; d++) {
                json_t *all = explanation(ARGUMENTS(plugins[p], "--explain", "--json", "--partitions", partitions[n],
                                                    "--device", devices[d], "--size", "48x48", "--seed", "1",
                                                    "--quiet"));
                const json_t *step = json_object_get(all, "step");
                for (size_t i = 0; i < json_array_size(step); i++) {
                    if (!is(json_array_get(step, i), "operation", "launch")) continue;
                    check_ghosts(step, i);
                    check_swap(step, i);
                    stencils++;
                }
                json_decref(all);
            }
    cr_assert_gt(stencils, 40);
}

/* ---- what is not done ---- */

Test(explain, nothing_is_run_or_written)
{
    const outcome o = RUN("life", "--explain", "--checkpoint", scratch("folder"), "--image", scratch("life.png"));
    DONE(o);
    cr_assert_str_empty(o.err);
    cr_assert(!file_exists(scratch("folder")) && !file_exists(scratch("life.png")));
}

Test(explain, what_a_run_refuses_is_refused)
{
    REFUSED(RUN("--explain"), MASS_BAD_USAGE, "name a model");
    REFUSED(RUN("life", "--explain", "--partitions", "3", "--size", "8x2"), MASS_BAD_USAGE, "is more than the 2 rows");
    REFUSED(RUN("life", "--explain", "--set", "nothing=1"), MASS_BAD_USAGE, "nothing");
}

Test(explain, a_resumed_run_is_explained_with_its_agents)
{
    DONE(RUN("sugarscape", "--size", "32x32", "--steps", "3", "--seed", "1", "--quiet", "--checkpoint",
             scratch("run")));
    json_t *all = explanation(ARGUMENTS("--resume", scratch("run"), "--steps", "9", "--explain", "--json",
                                        "--device", "cpu"));
    const json_int_t ants = json_integer_value(json_object_get(json_object_get(all, "agents"), "ants"));
    cr_assert(ants > 0 && ants <= 102, "%lld", (long long)ants);
    json_decref(all);
}
