/* SPDX-License-Identifier: Apache-2.0 */
/* Folders that cannot be written and disks that fill up. */
#include "command.h"

#include <fcntl.h>
#include <grp.h>
#include <hdf5.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void unmount_and_remove(void)
{
    umount2(scratch("small"), MNT_DETACH);
    scratch_remove();
}

TestSuite(disk, .init = scratch_make, .fini = unmount_and_remove);

#define LIFE "--plugin", "life", "--size", "128x128", "--seed", "6", "--json", "--steps", "40"

static void become_nobody(void)
{
    if (geteuid() == 0 && (setgroups(0, NULL) != 0 || setgid(65534) != 0 || setuid(65534) != 0)) _exit(125);
}

/* As a user who may not write there, whoever runs the tests. Returns whether such a user can reach
 * the command at all. */
static outcome run_as_nobody(const char *const arguments[])
{
    static const setting nobody = {.folder = "/", .prepare = become_nobody};
    const outcome o = command_run(&nobody, arguments);
    if (o.status == 126 || o.status == 127) cr_skip_test("another user cannot run the command from here");
    return o;
}

Test(disk, folder_that_cannot_be_written)
{
    folder_make(scratch("locked"));
    chmod(scratch("locked"), 0555);
    outcome o = run_as_nobody(ARGUMENTS(LIFE, "--checkpoint", scratch("locked")));
    REFUSED(o, MASS_BAD_USAGE, "checkpoint folder", "locked", "Permission denied", "--checkpoint FOLDER");
    o = run_as_nobody(ARGUMENTS(LIFE, "--checkpoint", scratch("locked/inner")));
    REFUSED(o, MASS_BAD_USAGE, "checkpoint folder", "locked/inner", "Permission denied");
    o = run_as_nobody(ARGUMENTS(LIFE, "--image", scratch("locked/a.png")));
    REFUSED(o, MASS_BAD_USAGE, "locked", "Permission denied");
    o = run_as_nobody(ARGUMENTS(LIFE, "--movie", scratch("locked/a.gif")));
    REFUSED(o, MASS_BAD_USAGE, "locked", "Permission denied");
    cr_assert_eq(folder_count(scratch("locked")), 0);
}

Test(disk, resumed_from_a_folder_that_cannot_be_written)
{
    const char *folder = scratch("locked");
    DONE(RUN(LIFE, "--quiet", "--checkpoint", folder));
    chmod(folder, 0555);
    const outcome o = run_as_nobody(ARGUMENTS("--resume", scratch("locked/ckpt-000000000040.h5"), "--steps", "50"));
    REFUSED(o, MASS_BAD_USAGE, "locked: Permission denied: give another as --checkpoint FOLDER");
}

Test(disk, folder_where_nobody_can_write)
{
    REFUSED(RUN(LIFE, "--checkpoint", "/proc/out"), MASS_BAD_USAGE, "checkpoint folder /proc/out");
    REFUSED(RUN(LIFE, "--checkpoint", scratch("a/b/c")), MASS_BAD_USAGE, "checkpoint folder", "a/b/c",
            "No such file or directory");
}

Test(disk, folder_that_is_a_file)
{
    file_write_text(scratch("file"), "precious");
    REFUSED(RUN(LIFE, "--checkpoint", scratch("file")), MASS_BAD_USAGE, "file", "not a folder");
    cr_assert_eq(file_read(scratch("file")).size, strlen("precious"));
}

/* ---- a full disk ---- */

/* HDF5 itself loses memory when a write fails. */
static void forgive_leaks(void) { setenv("ASAN_OPTIONS", "abort_on_error=1:detect_leaks=0", 1); }

static bool mount_small(const char *folder, const char *size)
{
    folder_make(folder);
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", folder, "tmpfs", 0, path_of("size=%s", size)) == 0;
}

static const char *hash_without_checkpoints(void)
{
    const outcome o = RUN(LIFE, "--quiet");
    return outcome_hash(&o, 0);
}

static int unfinished_files(const char *folder)
{
    const char *line = path_of("test -z \"$(find %s -name '.*tmp*')\"", folder);
    return system(line);
}

/* All that are left in `folder` are whole, and the run goes on from the newest. */
static void assert_resumes(const char *folder)
{
    cr_assert_eq(unfinished_files(folder), 0, "a temporary file was left");
    folder_make(scratch("more"));
    const outcome o = RUN("--resume", folder, "--checkpoint", scratch("more"), "--steps", "40", "--json");
    cr_assert_null(strstr(o.err, "skipped"), "%s", o.err);
    cr_assert_str_eq(outcome_hash(&o, 0), hash_without_checkpoints());
}

Test(disk, that_stays_full)
{
    const char *folder = scratch("small");
    if (!mount_small(folder, "60k")) cr_skip_test("no small disk can be mounted here");
    const outcome o = RUN_WITH(IN(.prepare = forgive_leaks), LIFE, "--checkpoint", folder, "--checkpoint-every", "10",
                               "--keep", "0");
    cr_assert_str_eq(outcome_hash(&o, MASS_FAILED), hash_without_checkpoints());
    cr_assert_not_null(strstr(o.err, "mass-engine: no checkpoint of step"), "%s", o.err);
    cr_assert_not_null(strstr(o.err, "No space left on device; the run goes on"), "%s", o.err);
    cr_assert_not_null(strstr(o.err, "mass-engine: cannot write checkpoint"), "the last one: %s", o.err);
    cr_assert_gt(folder_count(folder), 0);
    assert_resumes(folder);
}

Test(disk, that_is_full_for_a_while)
{
    const char *folder = scratch("small"), *ballast = scratch("small/ballast");
    if (!mount_small(folder, "200k")) cr_skip_test("no small disk can be mounted here");
    static const setting forgiving = {.prepare = forgive_leaks};
    process p = command_start(&forgiving, ARGUMENTS("--plugin", bad_plugin("shape"), "--size", "128x128", "--set",
        "nap=15", "--steps", "201", "--json", "--checkpoint", folder, "--checkpoint-every", "3", "--keep", "2"));
    command_await_file(&p, scratch("small/ckpt-000000000003.h5"));
    const int file = open(ballast, O_WRONLY | O_CREAT, 0600);
    static char bytes[1 << 20];
    cr_assert_geq(write(file, bytes, sizeof bytes), 0);
    close(file);
    command_await(&p, "No space left on device; the run goes on");
    cr_assert_gt(folder_count(folder), 1, "the previous checkpoint is gone");
    unlink(ballast);
    const outcome o = command_finish(&p);
    DONE(o);
    cr_assert_not_null(strstr(o.out, "ckpt-000000000201.h5"), "%s", o.out);
    cr_assert_eq(unfinished_files(folder), 0);
    const outcome rest = RUN("--resume", folder, "--plugin", bad_plugin("shape"), "--json", "--quiet");
    cr_assert_str_eq(outcome_hash(&rest, 0), outcome_hash(&o, 0));
}

static void limit_files(void)
{
    forgive_leaks();
    setrlimit(RLIMIT_FSIZE, &(const struct rlimit){10000, 10000});
}

Test(disk, with_a_limit_of_file_size)
{
    const char *folder = folder_make(scratch("out"));
    DONE(RUN(LIFE, "--steps", "10", "--checkpoint", folder));
    const outcome o = RUN_WITH(IN(.prepare = limit_files), "--resume", folder, "--steps", "40", "--json",
                               "--checkpoint-every", "10");
    assert_done(&o, MASS_FAILED);
    cr_assert_not_null(strstr(o.err, "mass-engine: no checkpoint of step 20"), "%s", o.err);
    cr_assert_not_null(strstr(o.err, "the run goes on"), "%s", o.err);
    cr_assert_eq(folder_count(folder), 1, "the previous checkpoint and nothing else");
    assert_resumes(folder);
}

Test(disk, too_full_for_the_last_checkpoint)
{
    const char *folder = scratch("small");
    if (!mount_small(folder, "4k")) cr_skip_test("no small disk can be mounted here");
    const outcome o = RUN_WITH(IN(.prepare = forgive_leaks), LIFE, "--quiet", "--checkpoint", folder, "--image",
                               scratch("a.png"), "--movie", scratch("a.gif"));
    cr_assert_str_eq(outcome_hash(&o, MASS_FAILED), hash_without_checkpoints());
    cr_assert_null(json_object_get(outcome_json(&o), "checkpoint"));
    cr_assert(file_exists(scratch("a.png")) && file_exists(scratch("a.gif")));
    cr_assert_eq(line_count(o.err), 1, "%s", o.err);
    cr_assert_not_null(strstr(o.err, "mass-engine: cannot write checkpoint"), "%s", o.err);
}

Test(disk, too_small_for_a_picture)
{
    const char *folder = scratch("small");
    if (!mount_small(folder, "4k")) cr_skip_test("no small disk can be mounted here");
    const outcome o = RUN(LIFE, "--quiet", "--image", scratch("small/a.png"));
    cr_assert_str_eq(outcome_hash(&o, MASS_FAILED), hash_without_checkpoints());
    cr_assert_eq(line_count(o.err), 1, "%s", o.err);
    cr_assert_not_null(strstr(o.err, "a.png: No space left"), "%s", o.err);
    REFUSED(RUN(LIFE, "--quiet", "--movie", scratch("small/a.gif")), MASS_FAILED, "a.gif", "No space left");
    cr_assert_eq(folder_count(folder), 0, "a half-written picture was left");
}

Test(disk, too_small_for_a_movie)
{
    const char *folder = scratch("small");
    if (!mount_small(folder, "40k")) cr_skip_test("no small disk can be mounted here");
    const outcome o = RUN(LIFE, "--quiet", "--checkpoint", scratch("out"), "--movie", scratch("small/a.gif"));
    cr_assert_str_eq(outcome_hash(&o, MASS_FAILED), hash_without_checkpoints());
    cr_assert_not_null(json_object_get(outcome_json(&o), "checkpoint"));
    cr_assert_eq(line_count(o.err), 2, "%s", o.err);
    cr_assert_not_null(strstr(o.err, "mass-engine: no movie: cannot write "), "%s", o.err);
    cr_assert_not_null(strstr(o.err, "a.gif: No space left on device; the run goes on\nmass-engine: cannot write "));
    cr_assert_eq(folder_count(folder), 0, "a half-written movie was left");
}

/* Each is a line, and the others come all the same. */
Test(disk, too_small_for_a_checkpoint_and_a_picture)
{
    const char *folder = scratch("small");
    if (!mount_small(folder, "4k")) cr_skip_test("no small disk can be mounted here");
    const outcome o = RUN_WITH(IN(.prepare = forgive_leaks), LIFE, "--quiet", "--checkpoint", folder, "--image",
                               scratch("small/a.png"), "--movie", scratch("a.gif"), "--fields", scratch("out"));
    cr_assert_str_eq(outcome_hash(&o, MASS_FAILED), hash_without_checkpoints());
    cr_assert_eq(line_count(o.err), 2, "%s", o.err);
    cr_assert_eq(strncmp(o.err, "mass-engine: cannot write checkpoint ", 37), 0, "%s", o.err);
    cr_assert_not_null(strstr(o.err, "\nmass-engine: cannot write "), "%s", o.err);
    cr_assert_not_null(strstr(o.err, "a.png: No space left on device\n"), "%s", o.err);
    cr_assert_eq(folder_count(folder), 0, "something half-written was left");
    cr_assert(file_exists(scratch("out/fields-000000000040.h5")) && file_exists(scratch("a.gif")));
}

/* ---- time series ---- */

static void fill(const char *ballast)
{
    const int file = open(ballast, O_WRONLY | O_CREAT, 0600);
    static char bytes[1 << 20];
    cr_assert_geq(write(file, bytes, sizeof bytes), 0);
    close(file);
}

static process start_logging(const char *folder, const char *rows)
{
    static const setting forgiving = {.prepare = forgive_leaks};
    process p = command_start(&forgiving, ARGUMENTS("--plugin", bad_plugin("shape"), "--set", "nap=10", "--steps",
        "250", "--json", "--seed", "1", "--checkpoint", folder, "--checkpoint-every", "60", "--log", "n=step",
        "--series", rows));
    command_await_file(&p, path_of("%s/ckpt-000000000060.h5", folder));
    return p;
}

/* On a disk that is full from the first checkpoint on. */
static process log_until_full(const char *folder, const char *rows)
{
    if (!mount_small(folder, "400k")) cr_skip_test("no small disk can be mounted here");
    process p = start_logging(folder, rows);
    fill(scratch("small/ballast"));
    command_await(&p, "No space left on device; the run goes on, and its rows wait");
    return p;
}

static void assert_all_rows(const char *rows)
{
    const char *text = (const char *)file_read(rows).bytes;
    cr_assert_eq(line_count(text), 252);
    for (int i = 0; i <= 250; i++) {
        text = strchr(text, '\n') + 1;
        cr_assert_eq(strncmp(text, path_of("%d,%d\n", i, i), strlen(path_of("%d,%d\n", i, i))), 0);
    }
}

static void assert_whole_series(const char *path)
{
    double n[251];
    hsize_t rows[2] = {0};
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, "/series/n", H5P_DEFAULT);
    const hid_t space = H5Dget_space(set);
    cr_assert(H5Sget_simple_extent_dims(space, rows, NULL) == 2 && rows[0] == 251, "%d rows", (int)rows[0]);
    cr_assert_geq(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, n), 0);
    for (int i = 0; i <= 250; i++) cr_assert_eq(n[i], i);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

Test(disk, that_is_full_for_a_while_as_a_run_logs)
{
    const char *folder = scratch("small"), *rows = scratch("small/rows.csv");
    process p = log_until_full(folder, rows);
    const content text = file_read(rows);
    cr_assert_eq(text.bytes[text.size - 1], '\n', "half a row");
    unlink(scratch("small/ballast"));
    DONE(command_finish(&p));
    assert_all_rows(rows);
    assert_whole_series(scratch("small/series.h5"));
    cr_assert_eq(unfinished_files(folder), 0);
}

Test(disk, that_stays_full_as_a_run_logs)
{
    static const char waits[] = "series.h5: No space left on device; the run goes on, and its rows wait";
    const char *folder = scratch("small"), *rows = scratch("small/rows.csv");
    process p = log_until_full(folder, rows);
    const outcome o = command_finish(&p);
    assert_done(&o, MASS_FAILED);
    const char *said = strstr(o.err, waits);
    cr_assert(said && !strstr(said + 1, waits), "not once, while rows.csv still takes rows: %s", o.err);
    cr_assert_not_null(strstr(o.out, "\"steps\": 250"), "the report: %s", o.out);
    cr_assert_not_null(strstr(o.err, "\nmass-engine: cannot write "), "the last one: %s", o.err);
    cr_assert_not_null(strstr(o.err, "\nmass-engine: no checkpoint of step 250, as its rows could not be written\n"),
                       "%s", o.err);
    cr_assert_eq(unfinished_files(folder), 0);
    const content text = file_read(rows);
    cr_assert_eq(text.bytes[text.size - 1], '\n', "half a row");
    unlink(scratch("small/ballast"));
    DONE(RUN("--resume", folder, "--plugin", bad_plugin("shape"), "--series", rows));
    assert_all_rows(rows);
    assert_whole_series(scratch("small/series.h5"));
}

Test(disk, too_full_to_log_at_all)
{
    const char *folder = scratch("small");
    if (!mount_small(folder, "8k")) cr_skip_test("no small disk can be mounted here");
    const outcome o = RUN_WITH(IN(.prepare = forgive_leaks), LIFE, "--checkpoint", folder, "--log", "births");
    REFUSED(o, MASS_FAILED, "series.h5: No space left on device");
    cr_assert_eq(folder_count(folder), 0);
}

/* ---- fields ---- */

static process start_fields(const char *folder)
{
    static const setting forgiving = {.prepare = forgive_leaks};
    process p = command_start(&forgiving, ARGUMENTS("--plugin", bad_plugin("shape"), "--size", "64x64", "--set",
        "nap=10", "--steps", "201", "--seed", "1", "--json", "--fields", folder, "--fields-every", "20"));
    command_await_file(&p, path_of("%s/fields-000000000020.h5", folder));
    return p;
}

/* The index names what is there, and nothing is half-written. */
static void assert_whole_fields(const char *folder)
{
    const char *index = (const char *)file_read(path_of("%s/fields.xmf", folder)).bytes, *at = index;
    int count = 0;
    for (; (at = strstr(at, "<Time Value=")); at++, count++) {
        const char *path = path_of("%s/fields-%012d.h5", folder, atoi(at + 13));
        const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, "/places/grid/value",
                                                                                      H5P_DEFAULT);
        uint8_t values[64 * 64];
        cr_assert_geq(H5Dread(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0, "%s", path);
        H5Dclose(set);
        H5Fclose(file);
    }
    cr_assert_not_null(strstr(index, "</Xdmf>\n"));
    cr_assert_eq(folder_count(folder), count + 1);
    cr_assert_eq(unfinished_files(folder), 0);
}

Test(disk, that_is_full_for_a_while_as_a_run_writes_fields)
{
    const char *folder = scratch("small");
    if (!mount_small(folder, "800k")) cr_skip_test("no small disk can be mounted here");
    process p = start_fields(folder);
    fill(scratch("small/ballast"));
    command_await(&p, "No space left on device; the run goes on");
    unlink(scratch("small/ballast"));
    DONE(command_finish(&p));
    cr_assert(file_exists(scratch("small/fields-000000000201.h5")));
    assert_whole_fields(folder);
}

Test(disk, that_stays_full_as_a_run_writes_fields)
{
    const char *folder = scratch("small");
    if (!mount_small(folder, "800k")) cr_skip_test("no small disk can be mounted here");
    process p = start_fields(folder);
    fill(scratch("small/ballast"));
    const outcome o = command_finish(&p);
    assert_done(&o, MASS_FAILED);
    cr_assert_not_null(strstr(o.out, "\"steps\": 201"), "the report: %s", o.out);
    cr_assert_not_null(strstr(o.err, "mass-engine: no fields of step "), "%s", o.err);
    cr_assert_not_null(strstr(o.err, ", nor of the 3 before: "), "%s", o.err);
    cr_assert_leq(line_count(o.err), 12, "a line for each: %s", o.err);
    cr_assert_not_null(strstr(o.err, "\nmass-engine: cannot write "), "the last one: %s", o.err);
    unlink(scratch("small/ballast"));
    assert_whole_fields(folder);
}

Test(disk, too_small_for_fields)
{
    const char *folder = scratch("small");
    if (!mount_small(folder, "8k")) cr_skip_test("no small disk can be mounted here");
    REFUSED(RUN_WITH(IN(.prepare = forgive_leaks), LIFE, "--quiet", "--fields", folder), MASS_FAILED,
            "cannot write", "No space left on device");
    cr_assert_eq(unfinished_files(folder), 0);
}

/* ---- results of a sweep ---- */

static const char *growbacks(void)
{
    const char *table = scratch("table.csv");
    file_write_text(table, "growback,repeat\n1..4,2\n");
    return table;
}

#define SWEEP "sugarscape", "--size", "20", "--steps", "100", "--seed", "1", "--quiet", "--until", "ants < 3", "--sweep"

Test(disk, that_fills_up_between_two_rows_of_a_sweep)
{
    const char *table = growbacks(), *path = scratch("small/r.h5"), *ballast = scratch("small/ballast");
    if (!mount_small(scratch("small"), "1m")) cr_skip_test("no small disk can be mounted here");
    file_write(ballast, kept(calloc(1, 600 << 10)), 600 << 10);
    REFUSED(RUN_WITH(IN(.prepare = forgive_leaks), SWEEP, table, "--log", "ants", "--results", path), MASS_FAILED,
            "small/r.h5: No space left on device");
    cr_assert_eq(folder_count(scratch("small")), 2, "the rows before, and nothing else");
    unlink(ballast);
    const outcome rest = RUN(SWEEP, table, "--log", "ants", "--results", path, "--json");
    cr_assert_eq(json_integer_value(json_object_get(outcome_json(&rest), "done")), 8);
}

/* The new file is the one that was locked: without its lock, another command would take it for one of a dead run. */
Test(disk, with_a_limit_of_file_size_for_a_sweep)
{
    const char *table = growbacks();
    folder_make(scratch("out"));
    REFUSED(RUN_WITH(IN(.prepare = limit_files), SWEEP, table, "--results", scratch("out/r.h5")), MASS_FAILED,
            "r.h5: File too large");
    cr_assert_eq(folder_count(scratch("out")), 0, "a temporary file was left");
}
