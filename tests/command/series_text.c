/* SPDX-License-Identifier: Apache-2.0 */
/* --series of a run that is resumed: it goes on with a file of its own, and leaves every other one alone. */
#include "../extended.h"
#include "command.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(series_text, SCRATCH);

#define LIFE "--plugin", "life", "--size", "32x32", "--seed", "3"

typedef struct kind {
    const char *name, *worlds;
} kind;
static const kind kinds[] = {{"rows.csv", "1"}, {"rows.jsonl", "1"}, {"rows.csv", "3"}, {"rows.jsonl", "3"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A run to step 20 with a checkpoint there, in a folder of its own; returns the path of its rows. */
static const char *run_to_20(int k)
{
    const char *folder = folder_make(scratch(path_of("%d", k)));
    DONE(RUN_WITH(IN(.folder = folder), LIFE, "--worlds", kinds[k].worlds, "--steps", "20", "--log", "half=births/2",
                  "--log-every", "2", "--checkpoint", "out", "--series", kinds[k].name, "--quiet"));
    return path_of("%s/%s", folder, kinds[k].name);
}

static outcome resume(int k, const char *rows)
{
    return RUN_WITH(IN(.folder = scratch(path_of("%d", k))), "--resume", "out/ckpt-000000000020.h5", "--steps", "30",
                    "--series", rows, "--checkpoint", path_of("on-%d", k), "--quiet");
}

static bool is(const content *wanted, const char *path)
{
    const content found = file_read(path);
    return found.size == wanted->size && memcmp(found.bytes, wanted->bytes, found.size) == 0;
}

static content end_to_end(int k)
{
    DONE(resume(k, kinds[k].name));
    return file_read(scratch(path_of("%d/%s", k, kinds[k].name)));
}

static content record_of(const char *rows) { return file_read(path_of("%s.run", rows)); }
static void write_record(const char *rows, const content *record)
{
    file_write(path_of("%s.run", rows), record->bytes, record->size);
}

static void write_two(const char *path, const content *a, const void *more, size_t size)
{
    char *both = kept(malloc(a->size + size + 1));
    memcpy(both, a->bytes, a->size);
    memcpy(both + a->size, more, size);
    file_write(path, both, a->size + size);
}

/* What came after the checkpoint, or the beginning of it, or what a loss of power left of it, makes no difference. */
Test(series_text, goes_on_from_an_equal_or_longer_file)
{
    static const char zeros[5000];
    for (int k = 0; k < KINDS; k += unsanitized(3, 1)) {
        const char *path = run_to_20(k);
        const content at_20 = file_read(path), record = record_of(path), at_30 = end_to_end(k);
        cr_assert_gt(at_30.size, at_20.size);
        for (size_t size = at_20.size; size <= at_30.size; size += 1 + at_30.size / 9) {
            file_write(path, at_30.bytes, size);
            write_record(path, &record);
            DONE(resume(k, path));
            cr_assert(is(&at_30, path), "%s, %s worlds, %zu bytes", kinds[k].name, kinds[k].worlds, size);
        }
        write_two(path, &at_20, zeros, sizeof zeros);
        write_record(path, &record);
        DONE(resume(k, path));
        cr_assert(is(&at_30, path), "zeros behind %s", kinds[k].name);
        write_two(path, &at_20, "\0\0\0\n24,5\n", 9);
        write_record(path, &record);
        DONE(resume(k, path));
        cr_assert(is(&at_30, path), "zeros and a line behind %s", kinds[k].name);
    }
}

static void refuse(int k, const char *path, const void *bytes, size_t size, const char *why)
{
    const content before = {(uint8_t *)(uintptr_t)bytes, size};
    file_write(path, bytes, size);
    REFUSED(resume(k, path), MASS_BAD_INPUT, path, why);
    cr_assert(is(&before, path), "it was touched: %.60s", (const char *)bytes);
}

Test(series_text, that_is_shorter_is_left_alone)
{
    for (int k = 0; k < KINDS; k += unsanitized(3, 1)) {
        const char *path = run_to_20(k);
        const content at_20 = file_read(path);
        for (size_t size = 1; size < at_20.size; size += 1 + at_20.size / 5) refuse(k, path, at_20.bytes, size,
            "give another --series");
        file_write(path, "", 0);
        DONE(resume(k, path));
    }
}

Test(series_text, of_others_is_left_alone)
{
    for (int k = 0; k < KINDS; k += unsanitized(3, 1)) {
        const char *path = run_to_20(k);
        const content at_20 = file_read(path);
        static const char *const others[] = {"no newline", "a line\n", "\n", "step,half", "step,half\n", "{}\n",
                                             "\xff\xfe\n",
            "step,births\n20,1\n", "{\"step\": 20, \"births\": 1}\n", "PK\003\004", "2,0\n4,0\n"};
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            refuse(k, path, others[i], strlen(others[i]), "give another --series");
        refuse(k, path, "\0\0\0\0\n", 5, "give another --series");
        /* Any one byte that is another. */
        uint8_t *changed = kept(malloc(at_20.size));
        uint64_t random = 1;
        for (int trial = 0; trial < 12; trial++) {
            memcpy(changed, at_20.bytes, at_20.size);
            const size_t at = next_random(&random) % at_20.size;
            if (changed[at] >= '0' && changed[at] <= '9') changed[at] = changed[at] == '9' ? '1' : changed[at] + 1;
            else changed[at] = changed[at] == 'x' ? 'y' : 'x';
            refuse(k, path, changed, at_20.size, "give another --series");
        }
        for (size_t end = 14; end <= 15; end++) {
            write_two(path, &at_20, "a note of mine\n", end);
            const content noted = file_read(path);
            refuse(k, path, noted.bytes, noted.size, "give another --series");
        }
    }
}

Test(series_text, rows_out_of_order)
{
    const char *path = run_to_20(0);
    char *text = (char *)file_read(path).bytes;
    char *four = strstr(text, "\n4,");
    four[1] = '6';
    refuse(0, path, text, strlen(text), "line 4: its row of step 6 is out of order");
}

/* ---- whose a file is ---- */

/* The rows of run k, as `resume` has it, or any other, on to step 30. */
static outcome resume_forced(int k, const char *rows)
{
    return RUN_WITH(IN(.folder = scratch(path_of("%d", k))), "--resume", "out/ckpt-000000000020.h5", "--steps", "30",
                    "--series", rows, "--checkpoint", path_of("on-%d", k), "--quiet", "--force");
}

/* Refused with these words about it, and as it was. */
static void refuse_as_it_is(int k, const char *path, const char *why)
{
    const content before = file_read(path);
    REFUSED(resume(k, path), MASS_BAD_INPUT, path, why, "give another --series, or --force to go on with it");
    cr_assert(is(&before, path), "it was touched");
}

/* A run with the same columns that goes further; returns the path of its rows. */
static const char *run_another(int k, const char *seed, const char *set)
{
    const char *folder = folder_make(scratch(path_of("other-%d", k)));
    DONE(RUN_WITH(IN(.folder = folder), "--plugin", "life", "--size", "32x32", "--seed", seed, "--set", set,
                  "--worlds", kinds[k].worlds, "--steps", "90", "--log", "half=births/2", "--log-every", "2",
                  "--checkpoint", "out", "--series", kinds[k].name, "--quiet"));
    return path_of("%s/%s", folder, kinds[k].name);
}

Test(series_text, of_another_run_is_left_alone)
{
    for (int k = 0; k < KINDS; k += 3) {
        run_to_20(k);
        const char *others = run_another(k, "4", "density=0.25");
        refuse_as_it_is(k, others, "belongs to another run, with seed 4, and this has 3");
        const content before = file_read(others);
        unlink(scratch(path_of("%d/out/series.h5", k)));
        REFUSED(RUN_WITH(IN(.folder = scratch(path_of("%d", k))), "--resume", "out", "--steps", "30", "--log",
                         "half=births/2", "--log-every", "2", "--series", others),
                MASS_BAD_INPUT, "belongs to another run, with seed 4, and this has 3");
        cr_assert(is(&before, others), "it was touched");
    }
}

/* As versions before left FILE.run, which say less. */
static void forget_what_it_is_made_of(const char *rows)
{
    char *record = (char *)record_of(rows).bytes, *made = strstr(record, "\nplugin - ");
    cr_assert_not_null(made, "%s", record);
    made[1] = '\0';
    *strchr(record, '2') = '1';
    file_write_text(path_of("%s.run", rows), record);
}

Test(series_text, of_a_run_with_other_parameters_is_left_alone)
{
    for (int k = 0; k < KINDS; k += 3) {
        run_to_20(k);
        const char *others = run_another(k, "3", "edge=dead");
        refuse_as_it_is(k, others, "belongs to another run, with edge=dead, and this has edge=torus:");
        forget_what_it_is_made_of(others);
        refuse_as_it_is(k, others, "belongs to another run, with other parameters");
        char *record = (char *)record_of(others).bytes;
        *strchr(record, '1') = '2'; /* says that it tells, and does not */
        file_write_text(path_of("%s.run", others), record);
        refuse_as_it_is(k, others, "belongs to another run, with other parameters");
    }
}

Test(series_text, of_versions_before_is_gone_on_with)
{
    const char *path = run_to_20(0);
    const content at_20 = file_read(path), record = record_of(path), at_30 = end_to_end(0);
    file_write(path, at_20.bytes, at_20.size);
    write_record(path, &record);
    forget_what_it_is_made_of(path);
    DONE(resume(0, path));
    cr_assert(is(&at_30, path));
}

/* Its rows up to the checkpoint are the same, so that they say nothing. */
Test(series_text, of_another_run_that_began_alike_is_left_alone)
{
    run_to_20(0);
    refuse_as_it_is(0, run_another(0, "3", "density=0.25"),
                    "belongs to another run, which this one does not go on from");
}

/* As versions before left it, or as it is moved without what stands beside it. */
Test(series_text, whose_nobody_knows_is_left_alone_without_force)
{
    for (int k = 0; k < KINDS; k += 3) {
        const char *path = run_to_20(k);
        const content at_20 = file_read(path), at_30 = end_to_end(k);
        unlink(path_of("%s.run", path));
        refuse_as_it_is(k, path, path_of("is not known to be this run's, as %s.run is not there", path));
        DONE(resume_forced(k, path));
        cr_assert(is(&at_30, path));
        DONE(resume(k, path));
        cr_assert(is(&at_30, path));
        file_write(path_of("%s.run", path), at_20.bytes, at_20.size);
        refuse_as_it_is(k, path, path_of("is not known to be this run's, as %s.run does not say so", path));
    }
}

Test(series_text, that_is_moved_with_what_stands_beside_it_is_gone_on_with)
{
    const char *path = run_to_20(0), *moved = scratch("0/moved.csv");
    cr_assert_eq(rename(path, moved), 0);
    cr_assert_eq(rename(path_of("%s.run", path), path_of("%s.run", moved)), 0);
    DONE(resume(0, moved));
    cr_assert_not_null(strstr((char *)file_read(moved).bytes, "\n30,"));
}

/* Another run's in its place, or a number that was mended by hand, behind the row that is resumed. */
Test(series_text, that_was_changed_is_left_alone)
{
    const char *path = run_to_20(0);
    const content at_30 = end_to_end(0);
    char *text = (char *)at_30.bytes, *last = strstr(text, "\n28,");
    last[4] = last[4] == '7' ? '8' : '7';
    file_write(path, at_30.bytes, at_30.size);
    refuse_as_it_is(0, path, "is not as this run wrote it");
    file_write(path, at_30.bytes, (size_t)(last + 1 - text));
    refuse_as_it_is(0, path, "is not as this run wrote it");
}

#define ONCE LIFE, "--steps", "4", "--log", "births", "--series", "rows.csv", "--quiet"

/* Only a run that can be resumed leaves a file beside its rows, and it replaces none but such a one. */
Test(series_text, another_file_beside_it_is_left_alone)
{
    const char *folder = folder_make(scratch("run")), *rows = scratch("run/rows.csv");
    const char *beside = path_of("%s.run", rows);
    DONE(RUN_WITH(IN(.folder = folder), ONCE));
    cr_assert(!file_exists(beside));
    unlink(rows);
    file_write(beside, "a note", 6);
    const content note = file_read(beside);
    REFUSED(RUN_WITH(IN(.folder = folder), ONCE, "--checkpoint", "out"), MASS_BAD_USAGE, "rows.csv.run exists, and",
            "--force to replace it");
    cr_assert(is(&note, beside) && !file_exists(rows));
    DONE(RUN_WITH(IN(.folder = folder), ONCE, "--checkpoint", "out", "--force"));
    cr_assert(!is(&note, beside));
    unlink(rows); /* and what is left beside it does not matter */
    DONE(RUN_WITH(IN(.folder = folder), ONCE, "--checkpoint", "out"));
    unlink(rows); /* nor is the next file said to be that run's */
    DONE(RUN_WITH(IN(.folder = folder), ONCE));
    cr_assert(!file_exists(beside));
}

/* ---- errors of the disk, by the library of tests/faults ---- */

static void use_shim(void)
{
    setenv("LD_PRELOAD", MASS_FAULT_SHIM, 1);
    setenv("ASAN_OPTIONS", "abort_on_error=1:detect_leaks=0", 1);
}

/* In a folder, with a fault, or a record, of what is done to a file or below a folder: tests/faults/shim.h. */
static outcome run_with_shim(const char *folder, const char *of, const char *variable, const char *value,
                             const char *const arguments[])
{
    setenv("MASS_FAULT_FOLDER", of, 1);
    setenv(variable, value, 1);
    return command_run(&(const setting){.folder = folder, .prepare = use_shim}, arguments);
}

Test(series_text, that_cannot_be_read_to_its_end_is_left_alone)
{
    for (int k = 0; k < KINDS; k++) {
        const char *path = run_to_20(k);
        const content at_20 = file_read(path);
        const outcome o = run_with_shim(scratch(path_of("%d", k)), path, "MASS_FAULT", "read 2 5 on", /* EIO */
                                        ARGUMENTS("--resume", "out", "--steps", "30", "--series", kinds[k].name,
                                                  "--quiet"));
        REFUSED(o, MASS_BAD_INPUT, "cannot read", kinds[k].name, "Input/output error");
        cr_assert(is(&at_20, path), "it was touched");
    }
}

/* How many bytes of a file had come to disk when a checkpoint got its name, by the record of what was done to files. */
static size_t synced_before(const content *record, const char *file, const char *checkpoint)
{
    unsigned long inode = 0, of;
    long long offset, size, written = 0, synced = 0;
    char path[4096];
    for (const char *at = (const char *)record->bytes, *end = at + record->size; at < end;) {
        const char *next = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
        if (sscanf(at, "create\t%lu\t%4095[^\n]", &of, path) == 2 && strcmp(path, file) == 0) inode = of;
        else if (sscanf(at, "write\t%lu\t%lld\t%lld\n", &of, &offset, &size) == 3) {
            if (of == inode && offset + size > written) written = offset + size;
            next += size;
        } else if (sscanf(at, "sync\t%lu\n", &of) == 1 && of == inode) synced = written;
        else if (sscanf(at, "rename\t%*[^\t]\t%4095[^\n]", path) == 1 && strstr(path, checkpoint))
            return (size_t)synced;
        at = next;
    }
    cr_assert_fail("%s got no name", checkpoint);
    return 0;
}

Test(series_text, is_on_disk_before_the_checkpoint_that_counts_on_it)
{
    const char *folder = folder_make(scratch("run")), *log = scratch("log"), *rows = scratch("run/rows.csv");
    DONE(run_with_shim(folder, folder, "MASS_FAULT_LOG", log,
                       ARGUMENTS(LIFE, "--steps", "20", "--log", "births", "--checkpoint", "out", "--checkpoint-every",
                                 "5", "--series", "rows.csv", "--quiet", "--keep", "0")));
    const content record = file_read(log), whole = file_read(rows);
    for (int step = 5; step <= 20; step += 5) {
        const size_t size = synced_before(&record, rows, path_of("ckpt-%012d.h5", step));
        const char *row = path_of("\n%d,", step);
        cr_assert(size <= whole.size && memmem(whole.bytes, size, row, strlen(row)),
                  "the row of step %d is not among the %zu bytes", step, size);
    }
}

/* A checkpoint whose rows are not on disk is not written, and the next one is. */
Test(series_text, that_cannot_be_synced_costs_a_checkpoint)
{
    const char *folder = folder_make(scratch("run"));
    const outcome o = run_with_shim(folder, path_of("%s/rows.csv", folder), "MASS_FAULT", "fsync 3 5 once", /* EIO */
                                    ARGUMENTS(LIFE, "--steps", "20", "--log", "births", "--checkpoint", "out",
                                              "--checkpoint-every", "5", "--series", "rows.csv", "--quiet", "--keep",
                                              "0"));
    DONE(o);
    cr_assert_not_null(strstr(o.err, "mass-engine: no checkpoint of step 10: cannot write rows.csv: Input/output "
                              "error; the run goes on\n"), "%s", o.err);
    cr_assert_eq(line_count(o.err), 1, "%s", o.err);
    cr_assert(!file_exists(scratch("run/out/ckpt-000000000010.h5")));
    cr_assert(file_exists(scratch("run/out/ckpt-000000000015.h5")));
    cr_assert_eq(line_count((char *)file_read(scratch("run/rows.csv")).bytes), 22);
}

/* ---- what is no regular file ---- */

Test(series_text, a_link_leads_to_the_file)
{
    const char *path = run_to_20(0);
    const content at_20 = file_read(path), record = record_of(path), at_30 = end_to_end(0);
    file_write(scratch("0/behind"), at_20.bytes, at_20.size);
    write_record(scratch("0/behind"), &record);
    unlink(path);
    cr_assert_eq(symlink("behind", path), 0);
    DONE(resume(0, path));
    cr_assert(is(&at_30, scratch("0/behind")));
    struct stat facts;
    cr_assert(lstat(path, &facts) == 0 && S_ISLNK(facts.st_mode), "the link is gone");
}

/* A run that was killed before its first checkpoint is begun again by the same command. One with another seed leaves
 * what there is, and so does one beside the run that still writes. */
Test(series_text, of_a_run_that_was_killed_before_its_first_checkpoint)
{
    const char *rows = scratch("rows.csv");
#define BEGIN(SEED, STEPS, FOLDER) ARGUMENTS("--plugin", "life", "--size", "32x32", "--seed", SEED, "--log", "births", \
    "--steps", STEPS, "--series", rows, "--checkpoint", scratch(FOLDER), "--quiet")
    process p = command_start(NULL, BEGIN("3", "100000000", "out"));
    command_await_file(&p, scratch("out/series.h5"));
    const outcome beside = command_run(NULL, BEGIN("3", "10", "beside"));
    REFUSED(beside, MASS_BAD_USAGE, "rows.csv exists");
    kill(p.id, SIGKILL);
    command_finish(&p);
    REFUSED(command_run(NULL, BEGIN("4", "10", "other")), MASS_BAD_USAGE, "rows.csv exists");
    DONE(command_run(NULL, BEGIN("3", "10", "out")));
    cr_assert_eq(line_count((const char *)file_read(rows).bytes), 12);
    REFUSED(command_run(NULL, BEGIN("3", "10", "again")), MASS_BAD_USAGE, "rows.csv exists");
}

/* What a kill leaves just before the first checkpoint, when FILE.run says that all rows are on disk; and what one
 * leaves between the file and FILE.run. */
Test(series_text, of_a_run_that_was_killed_while_its_first_checkpoint_was_written)
{
    const char *rows = scratch("rows.csv");
    DONE(command_run(NULL, BEGIN("3", "10", "out")));
    REFUSED(command_run(NULL, BEGIN("3", "10", "out")), MASS_BAD_USAGE, "rows.csv exists"); /* it has a checkpoint */
    cr_assert_eq(unlink(scratch("out/ckpt-000000000010.h5")), 0);
    REFUSED(command_run(NULL, BEGIN("3", "10", "other")), MASS_BAD_USAGE, "rows.csv exists");
    DONE(command_run(NULL, BEGIN("3", "10", "out")));
    cr_assert_eq(line_count((const char *)file_read(rows).bytes), 12);
    cr_assert_eq(unlink(scratch("out/ckpt-000000000010.h5")), 0);
    cr_assert_eq(unlink(scratch("rows.csv.run")), 0);
    REFUSED(command_run(NULL, BEGIN("3", "10", "out")), MASS_BAD_USAGE, "rows.csv exists"); /* anybody's rows */
    cr_assert_eq(truncate(rows, 0), 0);
    DONE(command_run(NULL, BEGIN("3", "10", "out")));
    cr_assert_eq(line_count((const char *)file_read(rows).bytes), 12);
}

static process start_piped(void)
{
    cr_assert_eq(mkfifo(scratch("rows.csv"), 0600), 0);
    return command_start(&(const setting){.seconds = 20}, ARGUMENTS(LIFE, "--steps", "20000", "--log", "births",
        "--series",
                                                                    scratch("rows.csv"), "--checkpoint",
                                                                        scratch("out"), "--quiet"));
}

Test(series_text, a_pipe_without_a_reader_ends_with_a_signal)
{
    process p = start_piped();
    command_await_file(&p, scratch("out"));
    usleep(100000);
    kill(p.id, SIGINT);
    REFUSED(command_finish(&p), MASS_INTERRUPTED, "interrupted while it was set up");
}

Test(series_text, a_pipe_whose_reader_takes_nothing_ends_with_a_signal)
{
    process p = start_piped();
    const int reader = open(scratch("rows.csv"), O_RDONLY | O_CLOEXEC);
    for (int before = 0, all = 0, same = 0; same < 50; usleep(10000), before = all) { /* until it is full */
        cr_assert_eq(ioctl(reader, FIONREAD, &all), 0);
        same = all > 60000 && all == before ? same + 1 : 0;
    }
    kill(p.id, SIGTERM);
    const outcome o = command_finish(&p);
    assert_done(&o, MASS_FAILED);
    cr_assert_not_null(strstr(o.err, "cannot write "), "%s", o.err);
    cr_assert_eq(folder_count(scratch("out")), 2, "the checkpoint, and series.h5");
    close(reader);
}

Test(series_text, a_pipe_whose_reader_leaves_costs_no_checkpoint)
{
    process p = start_piped();
    const int reader = open(scratch("rows.csv"), O_RDONLY | O_CLOEXEC);
    char some[2000];
    for (ssize_t got = 0, all = 0; all < 4000; all += got) cr_assert_gt(got = read(reader, some, sizeof some), 0);
    close(reader);
    const outcome o = command_finish(&p);
    assert_done(&o, MASS_FAILED);
    cr_assert_not_null(strstr(o.err, "Broken pipe"), "%s", o.err);
    cr_assert(file_exists(scratch("out/ckpt-000000020000.h5")), "%s", o.err);
}
