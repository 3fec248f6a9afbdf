/* SPDX-License-Identifier: Apache-2.0 */
/* A folder is held by one at a time, and given up by those who are gone. */
#include "io/folder/lock.h"

#include "../checkpoint/folder.h"
#include "base/identity.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

TestSuite(folder, .init = make_folder, .fini = remove_folder);

static mass_folder *opened(const char *path)
{
    mass_folder *f = NULL;
    mass_error e = {0};
    cr_assert_eq(mass_folder_open(path, "checkpoint", &f, &e), MASS_OK, "%s", e.text);
    return f;
}

static void assert_refused(const char *path, const char *words)
{
    mass_folder *f = NULL;
    mass_error e = {0};
    cr_assert_eq(mass_folder_open(path, "checkpoint", &f, &e), MASS_BAD_USAGE, "%s", e.text);
    cr_assert_not_null(strstr(e.text, words), "%s", e.text);
    cr_assert_not_null(strstr(e.text, path), "%s", e.text);
}

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

Test(folder, is_made_and_left_empty)
{
    char path[128];
    snprintf(path, sizeof path, "%s/new", folder);
    mass_folder_close(opened(path));
    cr_assert_eq(rmdir(path), 0);
    snprintf(path, sizeof path, "%s/not/there", folder);
    assert_refused(path, "No such file");
}

Test(folder, is_no_file)
{
    touch("file");
    assert_refused(in_folder("file"), "is not a folder");
}

Test(folder, is_held_by_one)
{
    char host[65], process[40];
    mass_folder *first = opened(folder);
    gethostname(host, sizeof host);
    snprintf(process, sizeof process, "process %ld, since 2", (long)getpid());
    assert_refused(folder, process);
    assert_refused(folder, host);
    cr_assert(is_there(MASS_FOLDER_LOCK));
    mass_folder_close(first);
    mass_folder_close(opened(folder));
    cr_assert_eq(files_in_folder(), 0);
}

/* A fork has the description too, and the lock with it; a killed process has nothing. */
static pid_t start_holder(void)
{
    int ends[2];
    char ready;
    cr_assert_eq(pipe(ends), 0);
    const pid_t id = fork();
    if (id == 0) {
        mass_folder *f;
        mass_error e = {0};
        if (mass_folder_open(folder, "checkpoint", &f, &e) != MASS_OK || write(ends[1], "", 1) != 1) _exit(1);
        for (;;) pause();
    }
    cr_assert_eq(read(ends[0], &ready, 1), 1);
    return id;
}

static void kill_holder(pid_t id)
{
    kill(id, SIGKILL);
    cr_assert_eq(waitpid(id, NULL, 0), id);
}

Test(folder, of_a_killed_process_is_free_at_once)
{
    const pid_t id = start_holder();
    assert_refused(folder, "in use");
    kill_holder(id);
    cr_assert(is_there(MASS_FOLDER_LOCK));
    mass_folder_close(opened(folder));
    cr_assert_eq(files_in_folder(), 0);
}

/* Many come at once, each lets go at once, and none ever holds it with another: the lock's file comes and goes. */
Test(folder, is_never_held_by_two)
{
    enum { PROCESSES = 6, ROUNDS = 60 };
    pid_t ids[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        ids[i] = fork();
        if (ids[i] != 0) continue;
        for (int got = 0; got < ROUNDS;) {
            mass_folder *f;
            mass_error e = {0};
            if (mass_folder_open(folder, "checkpoint", &f, &e) != MASS_OK) continue;
            const int alone = open(in_folder("alone"), O_CREAT | O_EXCL | O_WRONLY, 0600);
            if (alone < 0) _exit(1);
            usleep(100);
            close(alone);
            unlink(in_folder("alone"));
            mass_folder_close(f);
            got++;
        }
        _exit(0);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int how;
        cr_assert_eq(waitpid(ids[i], &how, 0), ids[i]);
        cr_assert(WIFEXITED(how) && WEXITSTATUS(how) == 0, "two held it");
    }
    cr_assert_eq(files_in_folder(), 0);
}

Test(folder, with_something_else_in_place_of_the_lock)
{
    static const char said[] = MASS_FOLDER_LOCK " is not a lock of this program";
    const char *lock = in_folder(MASS_FOLDER_LOCK);
    char path[256];
    snprintf(path, sizeof path, "%s", lock);
    cr_assert_eq(mkdir(path, 0700), 0);
    assert_refused(folder, said);
    cr_assert_eq(rmdir(path), 0);
    touch("victim");
    cr_assert_eq(symlink("victim", path), 0);
    assert_refused(folder, said);
    unlink(path);
    cr_assert_eq(mkfifo(path, 0600), 0);
    assert_refused(folder, said);
    unlink(path);
    FILE *to = fopen(path, "w");
    fputs("notes of mine\n", to);
    fclose(to);
    assert_refused(folder, said);
    cr_assert_eq(truncate(path, 0), 0); /* as a loss of power leaves it */
    mass_folder_close(opened(folder));
    cr_assert_not(is_there(MASS_FOLDER_LOCK));
}

/* ---- what is left ---- */

static void touch_by(const char *start, const char *writer)
{
    char name[160];
    snprintf(name, sizeof name, "%s.%s-%s.tmp", start, "0123456789abcdef0123456789abcdef", writer);
    touch(name);
}

static bool is_there_by(const char *start, const char *writer)
{
    char name[160];
    snprintf(name, sizeof name, "%s.%s-%s.tmp", start, "0123456789abcdef0123456789abcdef", writer);
    return is_there(name);
}

/* Only what the former holder left goes: another may write without a lock, from where there is none. */
Test(folder, is_swept_of_what_its_former_holder_left)
{
    static const char *const starts[] = {".ckpt-000000000100", ".series", ".fields-000000000100"};
    char former[17] = "";
    const pid_t id = start_holder();
    FILE *from = fopen(in_folder(MASS_FOLDER_LOCK), "r");
    cr_assert_eq(fscanf(from, "mass-engine lock writer %16[0-9a-f]", former), 1);
    fclose(from);
    for (int i = 0; i < 3; i++) touch_by(starts[i], former), touch_by(starts[i], "00112233445566ff");
    kill_holder(id);
    touch(".mine.tmp"), touch("ckpt-000000000100.h5");
    mass_folder *f = opened(folder);
    for (int i = 0; i < 3; i++) {
        cr_assert_not(is_there_by(starts[i], former), "%s", starts[i]);
        cr_assert(is_there_by(starts[i], "00112233445566ff"), "%s", starts[i]);
    }
    cr_assert(is_there(".mine.tmp") && is_there("ckpt-000000000100.h5"));
    mass_folder_close(f);
}

Test(folder, is_swept_of_what_is_a_day_old)
{
    char path[256];
    touch_by(".ckpt-000000000100", "00112233445566ff");
    snprintf(path, sizeof path, "%s/.ckpt-000000000100.0123456789abcdef0123456789abcdef-00112233445566ff.tmp", folder);
    cr_assert_eq(utime(path, &(struct utimbuf){1000, 1000}), 0);
    mass_folder_close(opened(folder));
    cr_assert_eq(files_in_folder(), 0);
}

static pid_t dead_process(void)
{
    const pid_t id = fork();
    if (id == 0) _exit(0);
    waitpid(id, NULL, 0);
    return id;
}

/* Earlier versions named processes and machines. */
Test(folder, is_swept_of_what_dead_processes_of_earlier_versions_left)
{
    char dead[200], alive[200], other[200], host[65] = "";
    gethostname(host, 64);
    snprintf(dead, sizeof dead, ".ckpt-000000000100.%d.%s.tmp", dead_process(), host);
    snprintf(alive, sizeof alive, ".ckpt-000000000100.%d.%s.tmp", getppid(), host);
    snprintf(other, sizeof other, ".ckpt-000000000100.%d.%s-b.tmp", dead_process(), host);
    touch(dead), touch(alive), touch(other);
    mass_folder_close(opened(folder));
    cr_assert_not(is_there(dead));
    cr_assert(is_there(alive) && is_there(other));
}

/* ---- while it is held ---- */

Test(folder, whose_lock_was_removed_is_locked_again)
{
    mass_error e = {0};
    mass_folder *f = opened(folder);
    unlink(in_folder(MASS_FOLDER_LOCK));
    cr_assert_eq(mass_folder_check(f, &e), MASS_OK, "%s", e.text);
    cr_assert(is_there(MASS_FOLDER_LOCK));
    assert_refused(folder, "in use");
    mass_folder_close(f);
    cr_assert_eq(files_in_folder(), 0);
}

Test(folder, that_another_took_is_not_written)
{
    mass_error e = {0};
    mass_folder *f = opened(folder);
    unlink(in_folder(MASS_FOLDER_LOCK));
    const pid_t id = start_holder();
    cr_assert_eq(mass_folder_check(f, &e), MASS_FAILED);
    cr_assert_not_null(strstr(e.text, "was taken away"), "%s", e.text);
    mass_folder_close(f);
    cr_assert(is_there(MASS_FOLDER_LOCK), "the other's lock is gone");
    kill_holder(id);
}

Test(folder, that_was_removed_is_not_made_again)
{
    char path[128];
    mass_error e = {0};
    snprintf(path, sizeof path, "%s/new", folder);
    mass_folder *f = opened(path);
    unlink(in_folder("new/" MASS_FOLDER_LOCK));
    cr_assert_eq(rmdir(path), 0);
    cr_assert_eq(mass_folder_check(f, &e), MASS_FAILED);
    cr_assert_not_null(strstr(e.text, "No such file"), "%s", e.text);
    mass_folder_close(f);
}
