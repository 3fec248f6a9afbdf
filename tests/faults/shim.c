/* SPDX-License-Identifier: Apache-2.0 */
#include "shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct record {
    char name[32];
    _Atomic uint64_t calls, chosen;
} record;

#define NAME_IT(NAME) #NAME,
static const char *const names[] = {FILE_KINDS(NAME_IT) PROCESS_KINDS(NAME_IT) CUDA_KINDS(NAME_IT)};
#undef NAME_IT

static record unnamed[KIND_COUNT], *records = unnamed; /* or those of MASS_FAULT_COUNTS, shared by all processes */
static bool judging;
static char folder[PATH_MAX];
static uintptr_t program_begin, program_end;
static struct {
    kind kind; /* KIND_COUNT: nothing fails */
    uint64_t number;
    int error;
    bool on, shorten, kill, crash, spoil, hang, doze;
} chosen = {.kind = KIND_COUNT};

/* ---- what was asked for ---- */

static void choose(const char *what)
{
    char name[32], how[32];
    unsigned long number;
    if (!what || sscanf(what, "%31s %lu %d %31s", name, &number, &chosen.error, how) != 4) return;
    for (int k = 0; k < KIND_COUNT; k++)
        if (strcmp(name, names[k]) == 0) chosen.kind = (kind)k;
    chosen.number = number;
    chosen.on = strcmp(how, "on") == 0;
    chosen.shorten = strcmp(how, "short") == 0;
    chosen.kill = strcmp(how, "kill") == 0;
    chosen.crash = strcmp(how, "crash") == 0;
    chosen.spoil = strcmp(how, "spoil") == 0;
    chosen.hang = strcmp(how, "hang") == 0;
    chosen.doze = strcmp(how, "doze") == 0;
}

static void share_records(const char *path)
{
    const int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    void *memory = MAP_FAILED;
    if (syscall(SYS_ftruncate, file, sizeof unnamed) == 0)
        memory = (void *)syscall(SYS_mmap, NULL, sizeof unnamed, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (memory == MAP_FAILED) return;
    records = memory;
    for (int k = 0; k < KIND_COUNT; k++) strcpy(records[k].name, names[k]);
}

/* The first object is the program. */
static int find_program(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X)) continue;
        program_begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        program_end = program_begin + info->dlpi_phdr[i].p_memsz;
    }
    return 1;
}

/* Descriptors that a child got are looked at before it gives up the right to look. */
static void look_at_inherited(void)
{
    for (int file = 0; file < 16; file++) is_ours(file);
}

/* Whether this process is the one that is meant; once it is known, for those that it starts. */
static bool is_meant(const char *process)
{
    static const char child[] = "MASS_FAULT_IS_CHILD", of_rank[] = "MASS_FAULT_IS_OF_RANK";
    const char *own = getenv("OMPI_COMM_WORLD_RANK");
    const bool is_child = getenv(child) != NULL, is_rank = own && !getenv(of_rank);
    setenv(child, "1", 1);
    if (own) setenv(of_rank, "1", 1);
    if (process && strncmp(process, "rank ", 5) == 0) return is_rank && strcmp(process + 5, own) == 0;
    return is_child == (process && strcmp(process, "child") == 0);
}

static void set_up(void)
{
    const char *below = getenv("MASS_FAULT_FOLDER");
    if (!is_meant(getenv("MASS_FAULT_PROCESS"))) return;
    if (below) snprintf(folder, sizeof folder, "%s", below);
    dl_iterate_phdr(find_program, NULL);
    choose(getenv("MASS_FAULT"));
    share_records(getenv("MASS_FAULT_COUNTS"));
    look_at_inherited();
    judging = true;
}

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
static main_function *true_main;

static int main_that_counts(int count, char **arguments, char **environment)
{
    set_up();
    return true_main(count, arguments, environment);
}

EXPORT start_function __libc_start_main;
EXPORT int __libc_start_main(main_function *f, int count, char **arguments, void (*begin)(void), void (*end)(void),
                             void (*unload)(void), void *stack)
{
    start_function *next = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
    true_main = f;
    return next(main_that_counts, count, arguments, begin, end, unload, stack);
}

/* ---- each call ---- */

void stop_judging(void) { judging = false; }

bool is_program(const void *caller)
{
    return (uintptr_t)caller >= program_begin && (uintptr_t)caller < program_end;
}

static bool is_chosen(kind k, uint64_t number)
{
    return k == chosen.kind && (chosen.on ? number >= chosen.number : number == chosen.number);
}

static bool is_of_any(kind k) { return k < KIND_first_of_process || k >= KIND_first_of_cuda; }
const char *name_of_kind(kind k) { return names[k]; }

/* Whose child of vfork lives on is in the state "D", as who waits for a disk. */
static void hang(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    if (vfork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) pause();
    }
}

verdict judge(kind k)
{
    if (!judging) return GO_ON;
    bool fails = is_chosen(k, ++records[k].calls);
    if (fails) records[k].chosen++;
    if (is_of_any(k) && is_chosen(KIND_any, ++records[KIND_any].calls)) {
        fails = true;
        records[KIND_any].chosen++;
    }
    if (!fails) return GO_ON;
    if (chosen.kill) raise(SIGKILL);
    if (chosen.crash) raise(SIGSEGV);
    if (chosen.hang) hang();
    while (chosen.doze) pause();
    if (chosen.spoil) return SPOIL;
    errno = chosen.error;
    return chosen.shorten ? SHORTEN : FAIL;
}

/* ---- which files ---- */

enum { DESCRIPTORS = 1024 };
static _Atomic signed char known[DESCRIPTORS]; /* 0: not looked at; 1: below the folder; -1: not */

static bool is_below(const char *path)
{
    const size_t length = strlen(folder);
    return length > 0 && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* 0: there is no such descriptor yet. */
static signed char look_at(const char *link)
{
    char path[PATH_MAX];
    const ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = '\0';
    return is_below(path) ? 1 : -1;
}

bool is_ours(int file)
{
    char link[64];
    if (!folder[0] || file < 0 || file >= DESCRIPTORS) return false;
    if (known[file] == 0) {
        const int saved = errno;
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        known[file] = look_at(link);
        errno = saved;
    }
    return known[file] > 0;
}

void forget(int file)
{
    if (file >= 0 && file < DESCRIPTORS) known[file] = 0;
}

bool is_our_path(int at, const char *path)
{
    if (!folder[0] || !path) return false;
    const int saved = errno;
    const bool descriptor = strncmp(path, "/proc/self/fd/", 14) == 0;
    const bool ours = path[0] == '/' ? is_below(path) || (descriptor && look_at(path) > 0)
                    : at == AT_FDCWD ? look_at("/proc/self/cwd") > 0 : is_ours(at);
    errno = saved;
    return ours;
}
