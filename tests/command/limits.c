/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of memory, threads, files and stack. A run succeeds, if need be with fewer threads and a line that says so. Or
 * it fails with one line of the program and an exit status of the manual. It never ends without a message, and never by
 * a signal. */
#include "command.h"
#include "process/sanitized.h"

#include <grp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(limits, SCRATCH);

#define LIFE "--plugin", "life", "--seed", "3", "--steps", "20", "--quiet", "--checkpoint-every", "5"

static const char *ranks; /* as many; NULL: one */
static int limited;
static rlim_t allowed;

static void limit(void)
{
    const struct rlimit both = {allowed, allowed};
    setenv("ASAN_OPTIONS", "abort_on_error=1:detect_leaks=0", 1); /* looking for leaks takes a process and files */
    setrlimit(limited, &both);
}

static outcome run_limited(int resource, rlim_t most, const char *threads)
{
    static int runs;
    const char *folder = scratch(path_of("%d", runs++));
    limited = resource;
    allowed = most;
    return RUN_WITH(IN(.prepare = limit), LIFE, "--size", "64x64", "--threads", threads, "--checkpoint", folder,
                    "--json", ranks ? "--ranks" : NULL, ranks);
}

/* Lines of the program about threads are no failure; what the dynamic loader says, before there is a program,
    is its own. */
static int failures(const char *text)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, "mass-engine: ")); at++)
        count += (at == text || at[-1] == '\n') && !strstr(at, "threads could be started");
    return count;
}

static const char *plentiful(void)
{
    const outcome o = RUN(LIFE, "--size", "64x64", "--json", "--checkpoint", scratch("plenty"));
    return outcome_hash(&o, 0);
}

/* Returns whether the run was done. */
static bool assert_explained(const outcome *o, const char *hash, rlim_t most)
{
    cr_assert(!o->hung && o->signal == 0, "%lu: a hang or signal %d: %s", (unsigned long)most, o->signal, o->err);
    if (o->status == 0) {
        cr_assert_str_eq(outcome_hash(o, 0), hash);
        cr_assert_eq(failures(o->err), 0, "%lu: %s", (unsigned long)most, o->err);
        return true;
    }
    if (o->status == 127 || strstr(o->err, "GnuTLS")) {
        cr_assert_neq(o->err[0], '\0', "%lu: nothing was said", (unsigned long)most);
        return false; /* before main */
    }
    cr_assert(o->status == MASS_FAILED || o->status == MASS_NO_DEVICE, "%lu: status %d: %s", (unsigned long)most,
              o->status,
              o->err);
    cr_assert_eq(line_count(o->err), 1 + (strstr(o->err, "threads could be started") != NULL), "%s", o->err);
    cr_assert_eq(strncmp(o->err, "mass-engine: ", 13), 0, "%s", o->err);
    return false;
}

/* From where the loader gives up to plenty, which one limit after the other allows. */
static void sweep(int resource, rlim_t first, rlim_t last, rlim_t by, const char *needs)
{
    const char *hash = plentiful();
    bool done = false, named = false;
    for (rlim_t most = first; most <= last; most += by) {
        const outcome o = run_limited(resource, most, "16");
        const bool now = assert_explained(&o, hash, most);
        cr_assert(now || !done, "%lu is too little, and less was not: %s", (unsigned long)most, o.err);
        named |= strstr(o.err, needs) != NULL;
        done |= now;
    }
    cr_assert(done && named, "done %d, and '%s' said %d", done, needs, named);
}

Test(limits, of_address_space)
{
    if (MASS_SANITIZED) cr_skip_test("a sanitizer takes all of it");
    sweep(RLIMIT_AS, 24 << 20, 150 << 20, (5 << 20) - 4096 * 17, "KiB of address space (ulimit -v), and ");
}

Test(limits, of_data)
{
    if (MASS_SANITIZED) cr_skip_test("a sanitizer takes all of it");
    sweep(RLIMIT_DATA, 1 << 20, 100 << 20, (6 << 20) - 4096 * 17, "KiB of data (ulimit -d), and ");
}

Test(limits, of_the_stack)
{
    if (MASS_SANITIZED) cr_skip_test("a sanitizer takes more");
    sweep(RLIMIT_STACK, 1 << 18, 4 << 20, 1 << 18, "KiB of stack (ulimit -s), and ");
}

Test(limits, of_files) { sweep(RLIMIT_NOFILE, 5, 30, 1, "open files (ulimit -n), and "); }

/* What of MPI dies without a word, or waits for ever, has a limit of its own. */
Test(limits, of_several_ranks)
{
    static const struct { int resource; rlim_t least, by; const char *needs; } of[] = {
        {RLIMIT_NOFILE, 48, 8, "2 ranks need at least 48 open files (ulimit -n), and "},
        {RLIMIT_AS, 124928 << 10, 40 << 20, "2 ranks need at least 124928 KiB of address space (ulimit -v), and "},
        {RLIMIT_DATA, 32 << 20, 6 << 20, "2 ranks need at least 32768 KiB of data (ulimit -d), and "}};
    if (MASS_SANITIZED || !ranks_can_run()) cr_skip_test("there is no MPI here, or a sanitizer takes all of it");
    const char *hash = plentiful();
    ranks = "2";
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        for (rlim_t most = of[i].least - 1; most > of[i].least / 3; most -= of[i].by) {
            const outcome o = run_limited(of[i].resource, most, "1");
            cr_assert(!assert_explained(&o, hash, most) && strstr(o.err, of[i].needs), "%lu: %s", (unsigned long)most,
                      o.err);
        }
        const outcome o = run_limited(of[i].resource, of[i].least, "1");
        cr_assert(assert_explained(&o, hash, of[i].least), "%s", o.err);
    }
}

/* Larger states, to the end of what fits: what does not is refused by its size. */
Test(limits, of_address_space_for_larger_spaces)
{
    if (MASS_SANITIZED) cr_skip_test("a sanitizer takes all of it");
    for (rlim_t most = 38 << 20; most < 100 << 20; most += (9 << 20) + 4096) {
        limited = RLIMIT_AS;
        allowed = most;
        const char *folder = scratch(path_of("larger-%lu", (unsigned long)most));
        const outcome o = RUN_WITH(IN(.prepare = limit), LIFE, "--size", "1500x1500", "--threads", "4",
                                   "--checkpoint", folder);
        cr_assert(o.signal == 0 && (o.status == 0 || o.status == MASS_NO_DEVICE), "%lu: %d %d: %s", (unsigned long)most,
                  o.status, o.signal, o.err);
        cr_assert_eq(failures(o.err), o.status != 0, "%s", o.err);
    }
}

/* ---- memory that a system would give, and then end who uses it ---- */

static bool show_little_memory(void)
{
    return unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount(scratch("meminfo"), "/proc/meminfo", NULL, MS_BIND, NULL) == 0;
}

static void have_little_memory(void)
{
    if (!show_little_memory()) _exit(125);
}

/* Entries of 140,000 words take 16 MiB, and before that 8. */
Test(limits, of_memory_that_is_left_for_words)
{
    enum { WORDS = 140000, LENGTH = 12 };
    char *text = malloc(WORDS * LENGTH + 1);
    for (int i = 0; i < WORDS; i++) sprintf(text + i * LENGTH, "%011d ", i);
    file_write_text(scratch("text"), text);
    free(text);
    for (int mib = 22; mib <= 100; mib += 78) {
        file_write_text(scratch("meminfo"), path_of("MemTotal: 999999 kB\nMemAvailable: %d kB\n", mib << 10));
        const outcome o = RUN_WITH(IN(.prepare = have_little_memory), "--plugin", "histogram", "--set", "mode=words",
                                   "--set", path_of("input=%s", scratch("text")), "--quiet", "--device", "cpu",
                                   "--threads", "1");
        if (o.status == 125) cr_skip_test("only root can show a program less memory than there is");
        if (mib == 100) DONE(o);
        else REFUSED(o, MASS_NO_DEVICE, "counting by key needs 16.0 MiB, which the machine, or what this process may "
                     "take of it, does not have free");
    }
}

/* ---- threads ---- */

/* A user of its own, as root has no such limit and another user may run programs here. */
static void limit_processes(void)
{
    const uid_t user = geteuid() == 0 ? 54321 + (uid_t)(getpid() % 10000) : geteuid();
    if (geteuid() == 0 && (setgroups(0, NULL) != 0 || setgid(user) != 0 || setuid(user) != 0)) _exit(125);
    limited = RLIMIT_NPROC;
    limit();
}

Test(limits, of_threads)
{
    const char *hash = plentiful();
    if (geteuid() != 0) cr_skip_test("only root can become a user that runs nothing else");
    folder_make(scratch("any"));
    chmod(scratch("any"), 0777);
    for (allowed = 1; allowed < 12; allowed += allowed < 4 ? 1 : 4) {
        const char *folder = scratch(path_of("any/%lu", (unsigned long)allowed));
        const outcome o = RUN_WITH(IN(.prepare = limit_processes, .folder = "/"), LIFE, "--size", "64x64",
                                   "--threads", "8", "--json",
                                   "--checkpoint", folder);
        if (o.status == 126 || o.status == 127) cr_skip_test("another user cannot run the command from here");
        if (allowed == 1) {
            REFUSED(o, MASS_FAILED, "cannot start a child process: Resource temporarily unavailable");
            continue;
        }
        cr_assert_str_eq(outcome_hash(&o, 0), hash);
        if (allowed >= 8) cr_assert_str_empty(o.err, "%s", o.err);
        else cr_assert_not_null(strstr(o.err, path_of("mass-engine: only %lu of 8 threads could be started: Resource "
                                                      "temporarily unavailable", (unsigned long)allowed)), "%s", o.err);
        cr_assert_eq(folder_count(folder), 3, "checkpoints are written without a thread of their own, too");
    }
}
