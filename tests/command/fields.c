/* SPDX-License-Identifier: Apache-2.0 */
/* --fields: which steps are in the folder, whatever happens to the run, and whose folder it is. What is in the files,
 * tests/models/fields/fields.py says. */
#include "command.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Files of two runs are compared byte for byte. */
static void make(void)
{
    scratch_make();
    setenv("MASS_IDENTITY", "00112233445566778899aabbccddeeff", 1);
}

TestSuite(fields, .init = make, .fini = scratch_remove);

#define LIFE "--plugin", "life", "--size", "24x16", "--quiet"
#define FIELDS "--fields", scratch("out")

static const char *file_of(const char *folder, int step) { return path_of("%s/fields-%012d.h5", folder, step); }

/* The steps in the index, each with its file, and no file beside them. */
static void expect_steps(const char *folder, const int *steps, int count)
{
    const char *index = (const char *)file_read(path_of("%s/fields.xmf", folder)).bytes, *at = index;
    for (int i = 0; i < count; i++) {
        at = strstr(at, "<Time Value=");
        cr_assert_not_null(at, "%d steps: %s", i, index);
        cr_assert_eq(atoi(at + 13), steps[i], "%d", atoi(at + 13));
        cr_assert(file_exists(file_of(folder, steps[i])), "%d", steps[i]);
        at++;
    }
    cr_assert_null(strstr(at, "<Time Value="), "%s", at);
    const char *end = strstr(at, "</Xdmf>\n");
    cr_assert(end && end[8] == '\0', "%s", at);
    cr_assert_eq(folder_count(folder), count + 1);
}
#define EXPECT_STEPS(FOLDER, ...) \
    expect_steps(FOLDER, (const int[]){__VA_ARGS__}, (int)(sizeof(const int[]){__VA_ARGS__} / sizeof(int)))

static void expect_same_file(const char *a, const char *b)
{
    const content x = file_read(a), y = file_read(b);
    cr_assert(x.size == y.size && memcmp(x.bytes, y.bytes, x.size) == 0, "%s and %s differ", a, b);
}

/* ---- steps ---- */

Test(fields, first_every_and_last_step)
{
    DONE(RUN(LIFE, "--seed", "1", "--steps", "17", FIELDS, "--fields-every", "5"));
    EXPECT_STEPS(scratch("out"), 0, 5, 10, 15, 17);
    DONE(RUN(LIFE, "--seed", "1", "--steps", "15", FIELDS, "--fields-every", "5")); /* which replaces them */
    EXPECT_STEPS(scratch("out"), 0, 5, 10, 15);
    DONE(RUN(LIFE, "--seed", "1", "--steps", "7", FIELDS));
    EXPECT_STEPS(scratch("out"), 0, 7);
    DONE(RUN(LIFE, "--seed", "1", "--steps", "0", FIELDS, "--fields-every", "5"));
    EXPECT_STEPS(scratch("out"), 0);
}

Test(fields, leave_the_result_as_it_is)
{
    const outcome plain = RUN(LIFE, "--seed", "1", "--steps", "17", "--json");
    const outcome drawn = RUN(LIFE, "--seed", "1", "--steps", "17", "--json", FIELDS, "--fields-every", "2",
                              "--checkpoint", scratch("state"), "--checkpoint-every", "3");
    cr_assert_str_eq(outcome_hash(&plain, 0), outcome_hash(&drawn, 0));
}

Test(fields, go_on_without_a_gap)
{
    DONE(RUN(LIFE, "--seed", "1", "--steps", "30", "--fields", scratch("whole"), "--fields-every", "10"));
    DONE(RUN(LIFE, "--seed", "1", "--steps", "17", FIELDS, "--fields-every", "10", "--checkpoint", scratch("state"),
             "--keep", "0"));
    DONE(RUN("--resume", scratch("state"), "--steps", "30", "--quiet", "--partitions", "2", FIELDS, "--fields-every",
             "10"));
    EXPECT_STEPS(scratch("out"), 0, 10, 17, 20, 30);
    for (int step = 0; step <= 30; step += 10)
        expect_same_file(file_of(scratch("out"), step), file_of(scratch("whole"), step));
    /* Earlier again: what the run does once more is taken away first. */
    DONE(RUN("--resume", scratch("state/ckpt-000000000017.h5"), "--steps", "25", "--quiet", FIELDS));
    EXPECT_STEPS(scratch("out"), 0, 10, 17, 25);
    DONE(RUN("--resume", scratch("state/ckpt-000000000017.h5"), "--steps", "18", "--quiet", "--fields",
             scratch("other")));
    EXPECT_STEPS(scratch("other"), 17, 18);
}

Test(fields, of_a_run_that_a_signal_ends)
{
    process p = command_start(NULL, ARGUMENTS("--plugin", bad_plugin("shape"), "--set", "nap=10", "--seed", "1",
                                              "--steps", "100000", "--quiet", "--json", FIELDS, "--fields-every", "3"));
    command_await_file(&p, file_of(scratch("out"), 3));
    kill(p.id, SIGTERM);
    const outcome o = command_finish(&p);
    assert_done(&o, 130);
    const int last = (int)json_integer_value(json_object_get(outcome_json(&o), "steps"));
    cr_assert(file_exists(file_of(scratch("out"), last)), "%d", last);
}

/* At any moment: the index names files that are there, and the run goes on from what it left. */
Test(fields, of_a_run_that_is_killed, .timeout = 120)
{
    static const char *const end = "40";
    uint64_t state = 7;
#define SHAPE "--plugin", bad_plugin("shape"), "--size", "64x64", "--set", "nap=2", "--seed", "1", "--steps", end, \
              "--quiet", "--fields-every", "2"
    DONE(RUN(SHAPE, "--fields", scratch("whole")));
    for (int trial = 0; trial < 12; trial++) {
        const char *folder = scratch(path_of("out%d", trial)), *saved = scratch(path_of("state%d", trial));
        process p = command_start(NULL, ARGUMENTS(SHAPE, "--fields", folder, "--checkpoint", saved,
                                                  "--checkpoint-every", "7"));
        command_await_file(&p, path_of("%s/ckpt-000000000007.h5", saved));
        usleep((useconds_t)(next_random(&state) % 60000));
        kill(p.id, SIGKILL);
        command_finish(&p);
        const char *index = (const char *)file_read(path_of("%s/fields.xmf", folder)).bytes;
        cr_assert_not_null(strstr(index, "</Xdmf>\n"));
        for (const char *at = index; (at = strstr(at, "<Time Value=")); at++)
            cr_assert(file_exists(file_of(folder, atoi(at + 13))), "%d", atoi(at + 13));
        DONE(RUN("--resume", saved, "--plugin", bad_plugin("shape"), "--quiet", "--fields", folder, "--fields-every",
                 "2"));
        for (int step = 0; step <= 40; step += 2)
            expect_same_file(file_of(folder, step), file_of(scratch("whole"), step));
        cr_assert_eq(system(path_of("test -z \"$(find %s -name '.*')\"", folder)), 0, "a temporary file was left");
    }
}

/* ---- whose folder it is ---- */

#define EXPECT_NOTES(PATH) cr_assert_str_eq((char *)file_read(PATH).bytes, "notes")

Test(fields, of_another_run_are_left_alone)
{
    DONE(RUN(LIFE, "--seed", "1", "--steps", "4", FIELDS));
    const content before = file_read(scratch("out/fields.xmf"));
    const char *sweep = scratch("densities.csv");
    file_write_text(sweep, "density\n0.1\n0.2\n");
    const char *const others[][3] = {{"--first-world", "2", "with first world 0, and this has 2:"},
        {"--worlds", "2", "with 1 world, and this has 2:"}, {"--size", "24x17", "with size 24x16, and this has 24x17:"},
        {"--seed", "2", "with seed 1, and this has 2:"}, {"--set", "edge=dead", "edge=torus, and this has edge=dead:"},
        {"--set", "rule=B36/S23", "with rule=B3/S23, and this has rule=B36/S23:"},
        {"--sweep", sweep, "with density=0.25, and this has density=0.1, 0.2:"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        REFUSED(RUN(LIFE, "--seed", "1", "--steps", "4", FIELDS, others[i][0], others[i][1]), MASS_BAD_USAGE,
                "fields.xmf belongs to another run, ", others[i][2], "give another --fields folder", "--force");
    EXPECT_STEPS(scratch("out"), 0, 4);
    cr_assert_eq(file_read(scratch("out/fields.xmf")).size, before.size);
}

#define HEAT "--plugin", "heat", "--size", "3x2", "--seed", "1", "--steps", "4", "--quiet"

/* The index, or a file without it, says what a run that goes on has otherwise, as does one that begins. */
Test(fields, of_a_run_with_other_numbers_are_left_alone)
{
    unsetenv("MASS_IDENTITY");
    const char *rows = scratch("rows.csv"), *load = path_of("temperature[0]=%s", rows);
    file_write_text(rows, "1,2,3\n4,5,6\n");
    DONE(RUN(HEAT, "--load", load, FIELDS));
    file_write_text(rows, "1,2,3\n4,5,7\n");
    const char *numbers = path_of("with other numbers of grid.temperature[0]: %s had the hash ", rows);
    REFUSED(RUN(HEAT, "--load", load, FIELDS), MASS_BAD_USAGE, "fields.xmf belongs to another run", numbers, " now:");
    DONE(RUN(HEAT, "--load", load, "--checkpoint", scratch("saved")));
    REFUSED(RUN("--resume", scratch("saved"), "--steps", "9", FIELDS), MASS_BAD_USAGE, "fields.xmf", numbers);
    DONE(RUN(HEAT, "--checkpoint", scratch("plain"), "--set", "alpha=0.125"));
    const char *loaded = path_of("with grid.temperature[0] loaded from %s, and this loads none", rows);
    REFUSED(RUN(HEAT, FIELDS), MASS_BAD_USAGE, "belongs to another run", loaded);
    remove(scratch("out/fields.xmf"));
    REFUSED(RUN("--resume", scratch("plain"), "--steps", "9", FIELDS), MASS_BAD_USAGE, "h5 belongs to another run",
            "and this has alpha=0.125:");
    cr_assert_eq(folder_count(scratch("out")), 2);
}

Test(fields, of_unknown_runs_are_left_alone)
{
    DONE(RUN(LIFE, "--seed", "1", "--steps", "4", FIELDS));
    const content index = file_read(scratch("out/fields.xmf"));
    file_write(scratch("out/fields.xmf"), index.bytes, index.size - 3);
    REFUSED(RUN(LIFE, "--seed", "1", "--steps", "4", FIELDS), MASS_BAD_INPUT, "fields.xmf, line", "it is not an index "
            "of fields that this mass-engine wrote: give another --fields folder");
    file_write_text(scratch("out/fields.xmf"), "<Xdmf/>\n");
    REFUSED(RUN(LIFE, "--seed", "1", "--steps", "4", FIELDS), MASS_BAD_INPUT, "fields.xmf, line 1: it is not an index");
    remove(scratch("out/fields.xmf"));
    REFUSED(RUN(LIFE, "--seed", "2", "--steps", "4", FIELDS), MASS_BAD_USAGE, "h5 belongs to another run, with seed 1");
    cr_assert_eq(folder_count(scratch("out")), 2);
    DONE(RUN(LIFE, "--seed", "1", "--steps", "3", FIELDS));
    EXPECT_STEPS(scratch("out"), 0, 3);
    file_write_text(file_of(scratch("out"), 7), "notes");
    REFUSED(RUN(LIFE, "--seed", "1", "--steps", "4", FIELDS), MASS_BAD_USAGE,
            "000007.h5 was not written by this program", "--force");
    EXPECT_NOTES(file_of(scratch("out"), 7));
    DONE(RUN(LIFE, "--seed", "2", "--steps", "4", FIELDS, "--force"));
    EXPECT_NOTES(file_of(scratch("out"), 7)); /* no step of this run */
    remove(file_of(scratch("out"), 7));
    EXPECT_STEPS(scratch("out"), 0, 4);
}

Test(fields, folders_that_cannot_be_made)
{
    file_write_text(scratch("file"), "precious");
    REFUSED(RUN(LIFE, "--seed", "1", "--fields", scratch("file")), MASS_BAD_USAGE,
            "file is not a folder: give --fields another name");
    REFUSED(RUN(LIFE, "--seed", "1", "--fields", scratch("a/b")), MASS_BAD_USAGE,
            "cannot make the fields folder", "a/b", "is made by mkdir -p ");
    REFUSED(RUN(LIFE, "--fields-every", "3"), MASS_BAD_USAGE, "--fields-every needs --fields FOLDER");
    REFUSED(RUN(LIFE, FIELDS, "--fields-every", "0"), MASS_BAD_USAGE, "--fields-every 0 is not an integer from 1");
    REFUSED(RUN(LIFE, FIELDS, "--set", "density=7"), MASS_BAD_USAGE, "density");
    REFUSED(RUN("--plugin", "histogram", "--set", path_of("input=%s", scratch("file")), FIELDS), MASS_BAD_USAGE,
            "histogram reads a stream", "leave out --fields");
    cr_assert_eq(folder_count(scratch("")), 1);
}
