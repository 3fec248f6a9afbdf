/* SPDX-License-Identifier: Apache-2.0 */
/* Agents with positions, on one process. Each run compares its last step with that of a plain program. */
#include "lost.h"
#include "ways.h"

#include "same.h"

#include <string.h>

Test(points, every_way_to_run_is_that_of_a_plain_program)
{
    static const char *const ways[] = {"--threads 3", "--device paranoid", "--threads 2 --partitions 2",
                                       "--threads 1 --partitions 7"};
    for (int i = 0; i < POINTS_RUNS; i++) {
        const char *expected = engine_result(text("%s --threads 1", points_options(i)));
        for (size_t w = 0; w < sizeof ways / sizeof *ways - (points_rows(&points_runs[i]) < 7); w++)
            cr_expect_str_eq(engine_result(text("%s %s", points_options(i), ways[w])), expected, "%s %s",
                             points_options(i), ways[w]);
    }
}

Test(points, worlds_and_checkpoints_change_nothing)
{
    const model m = {.options = text("--plugin '%s/points2.so' --size 17x12 --seed 5", MASS_TEST_PLUGINS), .rows = 12,
                     .steps = 15};
    const char *plugin = text("--plugin '%s/points2.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{4, "--threads 1"}, {9, text("%s --threads 2 --partitions 2", plugin)},
                        {0, text("%s --device paranoid", plugin)}};
    expect_same_worlds(&m, "--threads 1", "--threads 1");
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}

/* Expects that a run ends with a line that has `words`. */
static void expect_refused(const char *options, const char *words)
{
    process p = engine_start(text("--plugin '%s/%s", MASS_TEST_PLUGINS, options));
    outcome o = engine_finish(&p);
    cr_expect_neq(o.status, 0, "%s", options);
    cr_expect(strstr(o.errors, words), "%s: %s", options, o.errors);
    outcome_free(&o);
}

Test(points, fields_at_points_are_those_of_a_plain_program)
{
    static const char *const ways[] = {"--threads 3", "--device paranoid", "--threads 2 --partitions 2"};
    for (int i = 0; i < BLUR_RUNS; i++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            cr_expect_str_eq(engine_result(text("%s %s", blur_options(i), ways[w])),
                             engine_known_result(text("%s --threads 1", blur_options(i))), "%s %s", blur_options(i),
                             ways[w]);
}

Test(points, sprouts_begin_at_random_points_of_their_places)
{
    static const char *const ways[] = {"--threads 3", "--device paranoid", "--threads 2 --partitions 3"};
    for (int i = 0; i < SEEDED_RUNS; i++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            cr_expect_str_eq(engine_result(text("%s %s", seeded_options(i), ways[w])),
                             engine_known_result(text("%s --threads 1", seeded_options(i))), "%s %s",
                             seeded_options(i), ways[w]);
    outcome o = engine_run(seeded_options(0));
    cr_expect_eq(tally_of(&o, "outside"), 0);
    cr_expect_gt(tally_of(&o, "born"), 200);
    for (int i = 0; i < 2; i++) {
        const double within = json_number_value(json_object_get(json_object_get(o.report, "tallies"),
                                                                i ? "within_y" : "within_x"));
        cr_expect(within > 0.4 && within < 0.6, "%g", within);
    }
    outcome_free(&o);
}

Test(points, in_turn_every_way_to_run_is_that_of_a_plain_program)
{
    static const char *const ways[] = {"--threads 3", "--threads 2 --partitions 2", "--device paranoid",
                                       "--device paranoid --partitions 3"};
    for (int i = 0; i < VEER_RUNS; i++) {
        const char *expected = engine_result(text("%s --threads 1", veer_options(i)));
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            cr_expect_str_eq(engine_result(text("%s %s", veer_options(i), ways[w])), expected, "%s %s", veer_options(i),
                             ways[w]);
    }
}

/* Ends with the state of a plain program, and says that results may be wrong. */
Test(points, in_turn_moves_beyond_the_distance_are_ignored)
{
    const char *run = text("--plugin '%s/veer2.so' --seed 1 --steps 6 --set edge=2 --set torus=1 --set odd=1 "
                           "--size 9x12 --set meets=2", MASS_TEST_PLUGINS);
    process first = engine_start(text("%s --threads 1", run)), other = engine_start(text("%s --threads 3", run));
    outcome a = engine_finish(&first), b = engine_finish(&other);
    cr_expect_eq(a.status, 0, "%s", a.errors);
    cr_expect_str_eq(a.hash, b.hash);
    outcome_free(&a);
    outcome_free(&b);
    engine_refuse(text("%s --device paranoid", run), 3, "which is farther than 1, the .changes of its phase");
}

Test(points, in_turn_places_and_what_is_no_number_are_ignored_and_reported)
{
    static const char places[] = "asks by MOVE or BEAR for a place";
    static const char *const words[] = {"asks to move by an infinity, or by what is no number", places, places};
    static const int odd[] = {4, 2, 3}; /* of veers.h */
    for (int i = 0; i < 3; i++) {
        const char *run = text("--plugin '%s/veer2.so' --seed 1 --steps 42 --set when=40 --set odd=%d --set flies=20 "
                               "--set lures=20", MASS_TEST_PLUGINS, odd[i]);
        process p = engine_start(text("%s --threads 2", run));
        outcome o = engine_finish(&p);
        cr_expect_eq(o.status, 0, "%s", o.errors);
        cr_expect_eq(lines_with(words[i], o.errors), 2, "%s", o.errors); /* of both callbacks */
        outcome_free(&o);
        if (i > 0)
            engine_refuse(text("%s --device paranoid", run), 3, "callback veer_fly, step 40: it asks by MOVE or BEAR");
    }
}

Test(points, in_turn_worlds_and_checkpoints_change_nothing)
{
    const model m = {.options = text("--plugin '%s/veer2.so' --size 17x12 --seed 5", MASS_TEST_PLUGINS), .rows = 12,
                     .steps = 12};
    const char *plugin = text("--plugin '%s/veer2.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{4, "--threads 1"}, {8, text("%s --threads 2 --partitions 2", plugin)},
                        {0, text("%s --device paranoid", plugin)}};
    expect_same_worlds(&m, "--threads 1", "--threads 1");
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}

Test(points, in_turn_populations_may_share_a_turn)
{
    static const char *const ways[] = {"--threads 3", "--threads 2 --partitions 2", "--device paranoid"};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        cr_expect_str_eq(engine_result(text("%s --set shared=1 %s", veer_options(1), ways[w])),
                         engine_known_result(text("%s --set shared=1 --threads 1", veer_options(1))), "%s", ways[w]);
}

Test(points, places_and_what_is_no_number_are_ignored_and_reported)
{
    expect_all_ignored("--threads 1");
    expect_ignored("--threads 2 --partitions 3 --worlds 4", 31, 2, 1);
    expect_ignored("--device paranoid", 8 + 16, 0, 1);
    engine_refuse(text("--plugin '%s/astray.so' --device paranoid --steps 43 --set when=40 --set asks=1",
                       MASS_TEST_PLUGINS), 3, "callback astray_move, step 40: it asks by MIGRATE or CHILD_TO");
}

Test(points, a_point_that_is_no_number_is_found)
{
    const char *run = text("--plugin '%s/astray.so' --device paranoid --steps 43 --set when=40", MASS_TEST_PLUGINS);
    engine_refuse(text("%s --set asks=32", run), 3, "it sees a point whose y is infinite, no number or too large for "
                                                    "a cell: look for a division by 0");
    engine_refuse(text("%s --set asks=64", run), 3, "it adds to a point whose x is infinite, no number or too large "
                                                    "for a cell: look for a division by 0");
    expect_ignored("--threads 1", 32 + 64, 0, 0);
}

Test(points, a_space_that_floats_cannot_divide_is_refused)
{
    expect_refused("points1.so' --size 200000 --set cell=0.01 --steps 1", "where floats are too far apart for");
    expect_refused("points2.so' --size 9x9 --set sight=1000 --set cell=1000 --set torus=9 --steps 1", "torus");
    expect_refused("points1.so' --size 9 --set cell=0.001 --set sight=2000 --steps 1", "sight");
}

Test(points, in_turn_a_search_along_the_axes_is_refused)
{
    expect_refused("veer2.so' --steps 1 --set axes=1", "callback veer_fly has WITHIN(flies), and the .shape of its "
                                                       "phase is MASS_AXES");
}
