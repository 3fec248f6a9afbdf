/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "process/confine.h"

#include "process/sanitized.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WRITE_LAST = 3 }; /* highest writable descriptor: the standard files, and a subprocess's report */

/* ---- seccomp: a system call that is not in the list fails with EPERM ---- */

/* Calls for memory, time, waiting and ending, for open files, and for information on this process. */
static const int allowed[] = {
    SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(readv), SCMP_SYS(preadv), SCMP_SYS(lseek), SCMP_SYS(_llseek),
    SCMP_SYS(fstat), SCMP_SYS(fstat64), SCMP_SYS(close), SCMP_SYS(fadvise64), SCMP_SYS(brk), SCMP_SYS(munmap),
    SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep), SCMP_SYS(restart_syscall),
    SCMP_SYS(sched_yield), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getrandom), SCMP_SYS(getrusage),
    SCMP_SYS(sysinfo), SCMP_SYS(uname), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(exit),
    SCMP_SYS(exit_group)};

/* A sanitizer reads its memory map and its own path to describe what it found. */
static const int allowed_to_sanitizers[] = {SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(sched_getaffinity),
                                            SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(pipe2)};

/* Adds a rule that allows a system call with any arguments. */
static bool allow(scmp_filter_ctx c, int call) { return seccomp_rule_add(c, SCMP_ACT_ALLOW, call, 0) == 0; }

/* Adds a rule that allows a system call if one argument meets the condition. Returns false if that fails. */
static bool allow_if(scmp_filter_ctx c, int call, struct scmp_arg_cmp condition)
{
    return seccomp_rule_add(c, SCMP_ACT_ALLOW, call, 1, condition) == 0;
}

/* Allows opening files only for reading, without creating or truncating them. Returns false if that fails. */
static bool allow_to_read(scmp_filter_ctx c)
{
    const uint64_t changes = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND;
    return allow_if(c, SCMP_SYS(open), SCMP_A1(SCMP_CMP_MASKED_EQ, changes, O_RDONLY)) &&
           allow_if(c, SCMP_SYS(openat), SCMP_A2(SCMP_CMP_MASKED_EQ, changes, O_RDONLY));
}

/* Adds the rules of all allowed calls to the filter, which is not yet in force. False if one cannot be added. */
static bool add_rules(scmp_filter_ctx c)
{
    bool good = true;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) good = good && allow(c, allowed[i]);
    for (size_t i = 0; MASS_SANITIZED && i < sizeof allowed_to_sanitizers / sizeof *allowed_to_sanitizers; i++)
        good = good && allow(c, allowed_to_sanitizers[i]);
    const struct scmp_arg_cmp no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    const struct scmp_arg_cmp report = SCMP_A0(SCMP_CMP_LE, WRITE_LAST, 0);
    return good && allow_if(c, SCMP_SYS(mmap), no_code) && allow_if(c, SCMP_SYS(mmap2), no_code) &&
           allow_if(c, SCMP_SYS(mprotect), no_code) && allow_if(c, SCMP_SYS(write), report) &&
           allow_if(c, SCMP_SYS(writev), report) &&
           allow_if(c, SCMP_SYS(newfstatat), SCMP_A3(SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH, AT_EMPTY_PATH)) &&
           allow_if(c, SCMP_SYS(statx), SCMP_A2(SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH, AT_EMPTY_PATH)) &&
           allow_if(c, SCMP_SYS(prlimit64), SCMP_A2(SCMP_CMP_EQ, 0, 0)) &&
           allow_if(c, SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid(), 0)) &&
           (!MASS_SANITIZED || allow_to_read(c));
}

/* Puts the filter of system calls in force for this process, for good; other calls then fail with EPERM. Returns false
 * if that fails. */
static bool limit_calls(void)
{
    scmp_filter_ctx c = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!c) return false;
    const bool limited = add_rules(c) && seccomp_load(c) == 0;
    seccomp_release(c);
    return limited;
}

/* ---- Landlock: grants nothing. The struct is declared here, since system headers have only a part of it ---- */

typedef struct ruleset {
    uint64_t files, ports, processes; /* rights to restrict, one a bit */
} ruleset;

/* Returns the rights over files of a Landlock version: 13 in the first, and one more in some later ones. */
static uint64_t file_rights(int version)
{
    const int count = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    const uint64_t all = ((uint64_t)1 << count) - 1, read_file = (uint64_t)1 << 2, read_folder = (uint64_t)1 << 3;
    return MASS_SANITIZED ? all & ~(read_file | read_folder) : all;
}

/* Takes rights to files from this process for good, through Landlock. Returns Landlock's version, or 0 if nothing was
 * taken. */
static int forbid_files(void)
{
#ifdef __NR_landlock_create_ruleset
    const int version = (int)syscall(__NR_landlock_create_ruleset, NULL, 0, 1u);
    if (version < 1) return 0;
    const ruleset r = {file_rights(version), 3, 3};
    const size_t size = version >= 6 ? sizeof r : version >= 4 ? offsetof(ruleset, processes) : sizeof r.files;
    const int rules = (int)syscall(__NR_landlock_create_ruleset, &r, size, 0u);
    if (rules < 0) return 0;
    const bool taken = syscall(__NR_landlock_restrict_self, rules, 0u) == 0;
    close(rules);
    return taken ? version : 0;
#else
    return 0;
#endif
}

/* ---- both ---- */

/* Stops new descriptors even if the kernel has neither seccomp nor Landlock. Not in builds with a sanitizer. */
static void limit_descriptors(void)
{
    if (!MASS_SANITIZED) setrlimit(RLIMIT_NOFILE, &(const struct rlimit){0, 0});
}

mass_confinement mass_confine(void)
{
    mass_confinement c = {0};
    const bool settled = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    if (settled) c.landlock = forbid_files();
    limit_descriptors();
    if (settled) c.seccomp = limit_calls();
    return c;
}

mass_confinement mass_confinement_available(void)
{
    int how = 0;
    const pid_t id = fork();
    if (id == 0) {
        const mass_confinement c = mass_confine();
        _exit((c.seccomp ? 1 : 0) | c.landlock << 1);
    }
    if (id < 0 || waitpid(id, &how, 0) != id || !WIFEXITED(how)) return (mass_confinement){0};
    return (mass_confinement){(WEXITSTATUS(how) & 1) != 0, WEXITSTATUS(how) >> 1};
}
