/* SPDX-License-Identifier: Apache-2.0 */
/* Places that are drawn while a run is paused, and runs that give the same events again. */
#include "viewer.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(draw, SCRATCH);

#define LIFE "life", "--device", "cpu", "--seed", "5", "--size", "64x48"
#define HEAD "step,world,attribute,x,y,z,value\n"

static reply draw(const viewer *v, const char *what)
{
    char body[400];
    snprintf(body, sizeof body, "{\"do\": \"draw\", %s}", what);
    return viewer_ask(v, "POST", "/run/control", NULL, body);
}

static void drawn(const viewer *v, const char *what)
{
    const reply r = draw(v, what);
    cr_assert_eq(r.status, 200, "%s: %s", what, r.body);
}

static void not_drawn(const viewer *v, const char *what, const char *why)
{
    const reply r = draw(v, what);
    cr_assert(r.status == 400 && strstr(r.body, why), "%s: %d %s", what, r.status, r.body);
}

/* Ends a paused run, and gives its state hash. */
static const char *end(viewer *v)
{
    cr_assert_eq(viewer_control(v, "{\"do\": \"stop\"}"), 200);
    const outcome o = command_finish(&v->run);
    return outcome_hash(&o, 130);
}

static const char *hash_of(const char *const arguments[])
{
    const outcome o = command_run(NULL, arguments);
    return outcome_hash(&o, 0);
}
#define HASH(...) hash_of(ARGUMENTS(__VA_ARGS__, "--json", "--quiet"))

/* ---- the same run again ---- */

Test(draw, a_run_is_had_again_by_its_events)
{
    const char *events = kept(strdup(scratch("drawn.csv")));
    viewer v = VIEWER(LIFE, "--worlds", "3", "--first-world", "7", "--steps", "1000", "--json", "--view=control",
                      "--view-wait", "--events", events);
    viewer_run_to(&v, 5);
    drawn(&v, "\"attribute\": \"grid.health\", \"value\": 1, \"world\": 2, \"places\": [[3, 4], [4, 4], [5, 4], [9]]");
    drawn(&v, "\"attribute\": \"health\", \"value\": 0, \"places\": [[4, 4, 0]]");
    viewer_run_to(&v, 40);
    drawn(&v, "\"attribute\": \"health\", \"value\": 1, \"world\": 1, \"places\": [[63, 47]]");
    viewer_run_to(&v, 60);
    cr_assert_eq(viewer_control(&v, "{\"do\": \"stop\"}"), 200);
    const outcome o = command_finish(&v.run);
    const char *there = outcome_hash(&o, 130);
    cr_assert(strstr(o.out, "\"count\": 6") && strstr(o.out, events), "%s", o.out);
    cr_assert(strstr(o.err, path_of("events 6, in %s", events)), "%s", o.err);
    cr_assert_str_eq((char *)file_read(events).bytes,
                     HEAD "5,9,grid.health,3,4,0,1\n5,9,grid.health,4,4,0,1\n5,9,grid.health,5,4,0,1\n"
                     "5,9,grid.health,9,0,0,1\n5,7,grid.health,4,4,0,0\n40,8,grid.health,63,47,0,1\n");
    static const char *const ways[][2] = {{"--partitions", "5"}, {"--fuse", "8"}, {"--no-bits", "--no-graph"},
                                          {"--device", "paranoid"}, {"--threads", "2"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        cr_assert_str_eq(HASH(LIFE, "--worlds", "3", "--first-world", "7", "--steps", "60", "--events", events,
                              ways[i][0], ways[i][1]), there, "%s", ways[i][0]);
    cr_assert_str_neq(HASH(LIFE, "--worlds", "3", "--first-world", "7", "--steps", "60"), there);
}

Test(draw, over_ranks_it_is_the_same_run)
{
    if (!ranks_can_run()) cr_skip_test("there is no MPI here");
    const char *events = kept(strdup(scratch("drawn.csv")));
    viewer v = VIEWER(LIFE, "--steps", "1000", "--json", "--view=control", "--view-wait", "--ranks", "3", "--events",
                      events);
    viewer_run_to(&v, 5);
    drawn(&v, "\"attribute\": \"health\", \"value\": 1, \"places\": [[3, 15], [4, 15], [5, 15], [5, 16], [4, 17]]");
    viewer_run_to(&v, 60);
    const char *there = end(&v);
    cr_assert_str_eq(HASH(LIFE, "--steps", "60", "--events", events), there);
    cr_assert_str_eq(HASH(LIFE, "--steps", "60", "--events", events, "--ranks", "2"), there);
}

/* What gives the run again is shown, with a file that is made where nobody named one; a run that only repeats makes
 * none. */
Test(draw, a_file_is_made_where_none_is_named)
{
    const char *folder = kept(strdup(folder_make(scratch("here"))));
    viewer v = {0};
    for (int i = 1; i <= 2; i++) {
        v.run = command_start(&(const setting){.folder = folder},
                              ARGUMENTS(LIFE, "--steps", "1000", "--json", "--view=control", "--view-wait"));
        viewer_found(&v);
        drawn(&v, "\"attribute\": \"health\", \"value\": 1, \"places\": [[3, 4]]");
        json_t *model = viewer_json(&v, "/run/model");
        const char *name = i == 1 ? "--events life-events.csv" : "--events life-events-2.csv";
        cr_assert(strstr(json_string_value(json_object_get(model, "command")), name));
        json_decref(model);
        const char *there = end(&v);
        const outcome again = RUN_WITH({.folder = folder}, LIFE, "--steps", "0", "--events", "life-events.csv",
                                       "--json");
        cr_assert_str_eq(outcome_hash(&again, 0), there);
    }
    cr_assert_eq(folder_count(folder), 2);
}

/* One component of several, whose others stay; and a value in an attribute's range. */
Test(draw, components_and_ranges_are_the_attributes)
{
    const char *events = kept(strdup(scratch("drawn.csv")));
    viewer v = VIEWER("heat", "--device", "cpu", "--size", "12x10x6", "--set", "materials=2", "--seed", "2", "--json",
                      "--view=control", "--view-wait", "--events", events);
    drawn(&v, "\"attribute\": \"temperature[1]\", \"value\": 812.5, \"places\": [[1, 2, 3], [2, 2, 3], [11, 9, 5]]");
    not_drawn(&v, "\"attribute\": \"temperature[2]\", \"value\": 1, \"places\": [[1, 2, 3]]",
              "no attribute of places temperature[2]; heat has grid.temperature[0]");
    not_drawn(&v, "\"attribute\": \"temperature[1]\", \"value\": 1e300, \"places\": [[1, 2, 3]]", "f32");
    json_t *place = viewer_json(&v, "/run/place?space=0&x=2&y=2&z=3");
    json_t *values = json_object_get(json_array_get(json_object_get(place, "attributes"), 0), "value");
    cr_assert_eq(json_number_value(json_array_get(values, 1)), 812.5);
    cr_assert_neq(json_number_value(json_array_get(values, 0)), 812.5);
    json_decref(place);
    viewer_run_to(&v, 7);
    cr_assert_str_eq(HASH("heat", "--device", "cpu", "--size", "12x10x6", "--set", "materials=2", "--seed", "2",
                          "--steps", "7", "--partitions", "2", "--events", events), end(&v));
    v = VIEWER("sugarscape", "--device", "cpu", "--size", "20x20", "--seed", "2", "--steps", "1e9",
               "--view=control", "--view-wait", "--events", scratch("none.csv"));
    not_drawn(&v, "\"attribute\": \"sugar\", \"value\": 5, \"places\": [[1, 2]]", "it is 0 to 4");
    not_drawn(&v, "\"attribute\": \"sugar\", \"value\": -1, \"places\": [[1, 2]]", "cannot have the value -1");
    not_drawn(&v, "\"attribute\": \"sugar\", \"value\": 1.5, \"places\": [[1, 2]]", "cannot have the value 1.5");
    not_drawn(&v, "\"attribute\": \"wealth\", \"value\": 1, \"places\": [[1, 2]]", "no attribute of places wealth");
    not_drawn(&v, "\"attribute\": \"sugar\", \"value\": 1, \"places\": [[1, 20]]", "no place (1, 20, 0)");
    not_drawn(&v, "\"attribute\": \"sugar\", \"value\": 1, \"places\": [[0, 0], [1, \"2\"]]", "whole numbers");
    not_drawn(&v, "\"attribute\": \"sugar\", \"value\": 1, \"world\": 1, \"places\": [[0, 0]]", "no world 1");
    not_drawn(&v, "\"attribute\": \"sugar\", \"value\": 1, \"places\": []", "from 1 to");
    not_drawn(&v, "\"attribute\": \"sugar\", \"places\": [[0, 0]]", "draw needs");
    cr_assert_eq(viewer_control(&v, "{\"do\": \"go\"}"), 200);
    not_drawn(&v, "\"attribute\": \"sugar\", \"value\": 1, \"places\": [[0, 0]]", "pause it first");
    cr_assert_not(file_exists(scratch("none.csv")), "what was refused is recorded");
    kill(v.run.id, SIGINT);
    command_finish(&v.run);
    v = VIEWER("sugarscape", "--device", "cpu", "--size", "20x20", "--steps", "1e9", "--view");
    cr_assert_eq(draw(&v, "\"attribute\": \"sugar\", \"value\": 1, \"places\": [[0, 0]]").status, 403);
    kill(v.run.id, SIGINT);
    command_finish(&v.run);
}

/* ---- checkpoints ---- */

#define KEPT LIFE, "--checkpoint", folder, "--checkpoint-every", "10", "--keep", "0"

/* A user draws in a step whose checkpoint is already written. A run that resumes from this checkpoint, or from an older
 * one, applies the drawing. A checkpoint that is written when the run stops in that step contains the drawing. */
Test(draw, a_resumed_run_goes_on_with_what_was_drawn)
{
    const char *folder = kept(strdup(scratch("run"))), *other = kept(strdup(scratch("other")));
    const char *steady = "steady(population, 500)";
    viewer v = VIEWER(KEPT, "--steps", "1000", "--json", "--view=control", "--view-wait", "--until", steady);
    viewer_run_to(&v, 20);
    drawn(&v, "\"attribute\": \"health\", \"value\": 1, \"places\": [[3, 4], [4, 4], [5, 4], [5, 5], [4, 6]]");
    viewer_run_to(&v, 35);
    drawn(&v, "\"attribute\": \"health\", \"value\": 0, \"places\": [[30, 20], [31, 20], [32, 20]]");
    viewer_run_to(&v, 50);
    drawn(&v, "\"attribute\": \"health\", \"value\": 1, \"places\": [[13, 14], [14, 14], [15, 14]]");
    const char *stopped = end(&v);
    const char *events = path_of("%s/events.csv", folder);
    const char *all = HASH(LIFE, "--steps", "80", "--until", steady, "--events", events);
    cr_assert_str_eq(HASH(LIFE, "--steps", "50", "--until", steady, "--events", events), stopped);
    for (int step = 0; step <= 50; step += 10) {
        const char *from = step ? path_of("%s/ckpt-%012d.h5", folder, step) : folder;
        const char *to = path_of("%s-%d", other, step);
        cr_assert_str_eq(HASH("--resume", from, "--checkpoint", to, "--steps", "80"), all, "%s", from);
        cr_assert_str_eq(HASH("--resume", to, "--steps", "80"), all);
    }
    /* A checkpoint alone knows the events of its time. */
    folder_make(other);
    file_copy(path_of("%s/ckpt-%012d.h5", folder, 40), path_of("%s/ckpt-%012d.h5", other, 40));
    cr_assert_str_eq(HASH("--resume", other, "--steps", "45"), HASH(LIFE, "--steps", "45", "--events", events));
}

/* What was drawn is recorded before it is there: a run that is killed then loses nothing. */
Test(draw, a_killed_run_goes_on_with_what_was_drawn)
{
    const char *folder = kept(strdup(scratch("run")));
    viewer v = VIEWER(KEPT, "--steps", "1000", "--view=control", "--view-wait");
    viewer_run_to(&v, 15);
    command_await_file(&v.run, path_of("%s/ckpt-%012d.h5", folder, 10));
    drawn(&v, "\"attribute\": \"health\", \"value\": 1, \"places\": [[3, 4], [4, 4], [5, 4], [5, 5], [4, 6]]");
    kill(v.run.id, SIGKILL);
    command_finish(&v.run);
    const char *again = HASH(LIFE, "--steps", "60", "--events", path_of("%s/events.csv", folder));
    cr_assert_str_eq(HASH("--resume", folder, "--steps", "60"), again);
}

/* A folder is one run's, with its events. */
Test(draw, a_folder_of_a_run_with_other_events_is_refused)
{
    const char *folder = kept(strdup(scratch("run")));
    viewer v = VIEWER(KEPT, "--steps", "1000", "--view=control", "--view-wait");
    viewer_run_to(&v, 5);
    drawn(&v, "\"attribute\": \"health\", \"value\": 1, \"places\": [[3, 4], [4, 4], [5, 4]]");
    cr_assert_eq(viewer_control(&v, "{\"do\": \"stop\"}"), 200);
    command_finish(&v.run);
    const char *events = path_of("%s/events.csv", folder), *own = kept(strdup(scratch("own.csv")));
    REFUSED(RUN(KEPT, "--steps", "9"), 2, "other places were drawn", "--resume");
    file_write_text(own, HEAD "3,0,health,1,1,0,1\n");
    REFUSED(RUN(KEPT, "--steps", "9", "--events", own), 2, "other places were drawn");
    cr_assert(file_exists(events));
    REFUSED(RUN("--resume", folder, "--events", events), 2, "leave out --events");
    const char *whole = (char *)file_read(events).bytes;
    file_write_text(events, HEAD);
    REFUSED(RUN("--resume", folder, "--steps", "9"), 4, "does not begin with the 3 events");
    file_write_text(events, path_of("%s4,0,health,1,1,0,1\n", whole));
    REFUSED(RUN("--resume", folder, "--steps", "9"), 4, "line 5", "steps of events ascend");
    cr_assert_eq(RUN(KEPT, "--steps", "9", "--force", "--quiet").status, 0);
    cr_assert_not(file_exists(events), "--force leaves the events of another run");
    cr_assert_str_eq(HASH("--resume", folder, "--steps", "12"), HASH(LIFE, "--steps", "12"));
    REFUSED(RUN(KEPT, "--steps", "9", "--events", own), 2, "belongs to another run");
}

/* Something else may be called so; what is drawn does not replace it. */
Test(draw, a_file_of_that_name_that_is_no_table_stays)
{
    const char *folder = folder_make(kept(strdup(scratch("run")))), *mine = path_of("%s/events.csv", folder);
    file_write_text(mine, "when,what\n");
    viewer v = VIEWER(KEPT, "--steps", "1000", "--json", "--view=control", "--view-wait");
    viewer_run_to(&v, 10);
    not_drawn(&v, "\"attribute\": \"health\", \"value\": 1, \"places\": [[3, 4]]", "File exists");
    end(&v);
    cr_assert_str_eq(HASH("--resume", folder, "--steps", "12"), HASH(LIFE, "--steps", "12"));
    cr_assert_str_eq((char *)file_read(mine).bytes, "when,what\n");
}

/* Killed before its first checkpoint, a run is repeated by its events, in the same folder. */
Test(draw, a_run_without_a_checkpoint_is_repeated)
{
    const char *folder = kept(strdup(scratch("run"))), *events = path_of("%s/events.csv", folder);
    viewer v = VIEWER(KEPT, "--steps", "1000", "--view=control", "--view-wait");
    drawn(&v, "\"attribute\": \"health\", \"value\": 1, \"places\": [[3, 4], [4, 4], [5, 4]]");
    kill(v.run.id, SIGKILL);
    command_finish(&v.run);
    REFUSED(RUN(KEPT, "--steps", "9"), 2, "repeat that run by --events");
    cr_assert_str_eq(HASH(KEPT, "--steps", "30", "--events", events), HASH(LIFE, "--steps", "30", "--events", events));
    cr_assert_str_eq(HASH("--resume", folder, "--steps", "40"), HASH(LIFE, "--steps", "40", "--events", events));
}

/* ---- files ---- */

Test(draw, a_table_that_is_none_is_refused_by_its_line)
{
    static const struct {
        const char *text, *why;
    } cases[] = {{"", "line 1"},
                 {"step,attribute,x\n1,health,2\n", "events need a column value"},
                 {"step,attribute,x,value,colour\n", "no column 'colour'"},
                 {HEAD "1,0,health,64,0,0,1\n", "line 2: there is no place (64, 0, 0)"},
                 {HEAD "1,0,health,0,0,1,1\n", "there is no place (0, 0, 1)"},
                 {HEAD "1,1,health,0,0,0,1\n", "there is no world 1"},
                 {HEAD "1,-1,health,0,0,0,1\n", "there is no world -1"},
                 {HEAD "1,0,wealth,0,0,0,1\n", "no attribute of places wealth; life has grid.health"},
                 {HEAD "1,0,health,0,0,0,2\n", "attribute health cannot have the value 2"},
                 {HEAD "1,0,health,0,0,0,nan\n", "'nan' is not a number"},
                 {HEAD "-1,0,health,0,0,0,1\n", "step -1"},
                 {HEAD "5,0,health,0,0,0,1\n4,0,health,0,0,0,1\n", "line 3: step 4 comes after step 5"},
                 {HEAD "1.5,0,health,0,0,0,1\n", "'1.5' is not a whole number"}};
    const char *events = kept(strdup(scratch("events.csv")));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        file_write_text(events, cases[i].text);
        REFUSED(RUN(LIFE, "--steps", "9", "--events", events), 4, cases[i].why);
    }
    REFUSED(RUN(LIFE, "--events", scratch("none.csv")), 4, "No such file");
    REFUSED(RUN(LIFE, "--events", scratch("none.csv"), "--view"), 4, "No such file");
    file_write_text(events, "value,x,attribute,step\n1,5,health,1e1\n\n");
    cr_assert_str_neq(HASH(LIFE, "--steps", "20", "--events", events), HASH(LIFE, "--steps", "20"));
}

/* Without a place to record it, nothing is drawn. */
Test(draw, what_cannot_be_recorded_is_not_drawn)
{
    viewer v = VIEWER(LIFE, "--json", "--steps", "9", "--view=control", "--view-wait", "--events",
                      scratch("no/such/folder.csv"));
    not_drawn(&v, "\"attribute\": \"health\", \"value\": 1, \"places\": [[3, 4]]", "cannot be recorded in");
    viewer_run_to(&v, 8);
    cr_assert_str_eq(end(&v), HASH(LIFE, "--steps", "8"));
}
