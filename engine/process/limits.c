/* SPDX-License-Identifier: Apache-2.0 */
#include "process/limits.h"

#include <dirent.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB ((uint64_t)1 << 20)

/* Bytes and files that a run of 64 x 64 places with checkpoints takes. BEYOND: on top of what is mapped at the
 * start. */
static const uint64_t BEYOND = 2 * MIB + MASS_LIMITS_KEPT, STACK = 2 * MIB, FILES = 16;
static const char A_RUN[] = "a run needs";

/* Needs of Open MPI 4.1's launcher, and what each rank adds. Each rank maps memory that it shares with all others. */
static const uint64_t LAUNCHER_FILES = 40, RANK_FILES = 4;
static const uint64_t LAUNCHER_SPACE = 108 * MIB, RANK_SPACE = 7 * MIB, LAUNCHER_HEAP = 32 * MIB;

/* Bytes of a file that ranks share; threads and processes of the launcher and this process; and those of each rank
 * before its run begins. */
static const uint64_t SHARED_FILE = 4100 * 1024, LAUNCHER_TASKS = 6, RANK_TASKS = 3;

static const size_t THREAD_STACK = 2 * MIB; /* if memory is limited; glibc's choice if the main stack has no limit */

/* Reads the bytes that the program maps: all of them, and those of data and stack. Returns false if they are not
 * known. */
static bool read_pages(uint64_t *all, uint64_t *data)
{
    unsigned long long size, of_data;
    FILE *file = fopen("/proc/self/statm", "re");
    const bool known = file && fscanf(file, "%llu %*s %*s %*s %*s %llu", &size, &of_data) == 2;
    if (file) fclose(file);
    if (!known) return false;
    *all = size * (uint64_t)sysconf(_SC_PAGESIZE);
    *data = of_data * (uint64_t)sysconf(_SC_PAGESIZE);
    return true;
}

/* Returns a resource's soft limit; UINT64_MAX if there is none or it cannot be read. */
static uint64_t limit_of(int resource)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : UINT64_MAX;
}

/* Checks one limit in bytes. `who` begins the message, as in "a run needs", and `what` names the limit. Fails if it is
 * lower, and names both. */
static mass_status need(int resource, uint64_t bytes, const char *who, const char *what, mass_error *error)
{
    const uint64_t limit = limit_of(resource);
    if (limit >= bytes) return MASS_OK;
    return mass_error_set(error, MASS_FAILED, "%s at least %llu KiB of %s, and %llu are allowed", who,
                          (unsigned long long)(bytes + 1023) / 1024, what, (unsigned long long)limit / 1024);
}

/* Refuses, naming ulimit -n, if fewer open files are allowed than needed. Changes no limit. */
static mass_status need_files(uint64_t files, const char *who, mass_error *error)
{
    const uint64_t limit = limit_of(RLIMIT_NOFILE);
    if (limit >= files) return MASS_OK;
    return mass_error_set(error, MASS_FAILED, "%s at least %llu open files (ulimit -n), and %llu are allowed", who,
                          (unsigned long long)files, (unsigned long long)limit);
}

/* Returns the number of threads of all processes of this user that /proc shows. */
static uint64_t count_tasks(void)
{
    DIR *all = opendir("/proc");
    char path[32 + NAME_MAX];
    struct stat facts;
    uint64_t tasks = 0;
    for (const struct dirent *e; all && (e = readdir(all));) {
        snprintf(path, sizeof path, "/proc/%s/task", e->d_name);
        if (e->d_name[0] >= '1' && e->d_name[0] <= '9' && stat(path, &facts) == 0 && facts.st_uid == getuid())
            tasks += facts.st_nlink - 2;
    }
    if (all) closedir(all);
    return tasks;
}

/* Checks that this user may have `more` processes and threads than now. Root has no limit. Fails if the limit is too
 * low. */
static mass_status need_tasks(uint64_t more, const char *who, mass_error *error)
{
    const uint64_t limit = limit_of(RLIMIT_NPROC), tasks = geteuid() == 0 || limit == UINT64_MAX ? 0 : count_tasks();
    if (geteuid() == 0 || limit == UINT64_MAX || tasks + more <= limit) return MASS_OK;
    return mass_error_set(error, MASS_FAILED, "%s at least %llu processes and threads (ulimit -u) in addition to the "
                          "%llu of this user, and %llu are allowed in all", who, (unsigned long long)more,
                          (unsigned long long)tasks, (unsigned long long)limit);
}

/* Refuses, naming the ulimit, if the address space or the data is limited below the need. */
static mass_status need_memory(uint64_t space, uint64_t heap, const char *who, mass_error *error)
{
    const mass_status status = need(RLIMIT_AS, space, who, "address space (ulimit -v)", error);
    return status == MASS_OK ? need(RLIMIT_DATA, heap, who, "data (ulimit -d)", error) : status;
}

/* Limits malloc to one arena and the stacks of threads to THREAD_STACK. By default, each thread that allocates maps
 * 64 MiB, and its stack is as large as the main stack's limit. */
static void save_memory(void)
{
    pthread_attr_t kind;
    size_t stack;
    mallopt(M_ARENA_MAX, 1);
    if (pthread_getattr_default_np(&kind) != 0) return;
    if (pthread_attr_getstacksize(&kind, &stack) == 0 && stack > THREAD_STACK &&
        pthread_attr_setstacksize(&kind, THREAD_STACK) == 0)
        pthread_setattr_default_np(&kind);
    pthread_attr_destroy(&kind);
}

mass_status mass_limits_check(mass_error *error)
{
    uint64_t all = 0, data = 0;
    mass_status status = need_files(FILES, A_RUN, error);
    if (status == MASS_OK) status = need(RLIMIT_STACK, STACK, A_RUN, "stack (ulimit -s)", error);
    if (status == MASS_OK && read_pages(&all, &data)) status = need_memory(all + BEYOND, data + BEYOND, A_RUN, error);
    if (status == MASS_OK && mass_limits_left() != SIZE_MAX) save_memory();
    return status;
}

mass_status mass_limits_check_ranks(int32_t ranks, mass_error *error)
{
    const uint64_t n = (uint64_t)ranks;
    char who[32];
    snprintf(who, sizeof who, "%d ranks need", ranks);
    mass_status status = need_files(LAUNCHER_FILES + n * RANK_FILES, who, error);
    if (status == MASS_OK) status = need(RLIMIT_FSIZE, SHARED_FILE, who, "one file (ulimit -f)", error);
    if (status == MASS_OK) status = need_tasks(LAUNCHER_TASKS + n * RANK_TASKS, who, error);
    return status == MASS_OK ? need_memory(LAUNCHER_SPACE + n * RANK_SPACE, LAUNCHER_HEAP, who, error) : status;
}

size_t mass_limits_left(void)
{
    const uint64_t space = limit_of(RLIMIT_AS), heap = limit_of(RLIMIT_DATA);
    uint64_t all = 0, data = 0;
    if ((space == UINT64_MAX && heap == UINT64_MAX) || !read_pages(&all, &data)) return SIZE_MAX;
    const uint64_t of_space = space > all ? space - all : 0, of_heap = heap > data ? heap - data : 0;
    return of_space < of_heap ? of_space : of_heap;
}
