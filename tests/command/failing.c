/* SPDX-License-Identifier: Apache-2.0 */
/* Stands before the C library (LD_PRELOAD): reads of the file that FAIL_READ names fail after FAIL_AFTER bytes, and its
 * fsync, if FAIL_SYNC names it, once after FAIL_AFTER times. LOG_SYNCS is told of every fsync, with the file's size,
     and
 * of every rename. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *last_part(const char *path) { return strrchr(path, '/') ? strrchr(path, '/') + 1 : path; }

static const char *name_of(int file)
{
    static _Thread_local char path[PATH_MAX];
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    return last_part(path);
}

static bool is_named(int file, const char *variable)
{
    const char *name = getenv(variable);
    return name && strcmp(name, name_of(file)) == 0;
}

static long fail_after(void) { return getenv("FAIL_AFTER") ? atol(getenv("FAIL_AFTER")) : 0; }

static void tell(const char *what, const char *name, long long size)
{
    char line[PATH_MAX + 64];
    const char *path = getenv("LOG_SYNCS");
    const int to = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (to < 0) return;
    const int length = snprintf(line, sizeof line, "%s %s %lld\n", what, name, size);
    if (write(to, line, (size_t)length) != length) abort();
    close(to);
}

ssize_t read(int file, void *to, size_t size)
{
    ssize_t (*const next)(int, void *, size_t) = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    if (!is_named(file, "FAIL_READ")) return next(file, to, size);
    const long left = fail_after() - (long)lseek(file, 0, SEEK_CUR);
    if (left > 0) return next(file, to, size < (size_t)left ? size : (size_t)left);
    errno = EIO;
    return -1;
}

int fsync(int file)
{
    static long calls;
    int (*const next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    struct stat facts = {0};
    fstat(file, &facts);
    tell("fsync", name_of(file), facts.st_size);
    if (!is_named(file, "FAIL_SYNC") || calls++ != fail_after()) return next(file);
    errno = EIO;
    return -1;
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned how)
{
    int (*const next)(int, const char *, int, const char *, unsigned) =
        (int (*)(int, const char *, int, const char *, unsigned))dlsym(RTLD_NEXT, "renameat2");
    const int failed = next(from_folder, from, to_folder, to, how);
    if (!failed) tell("rename", last_part(to), 0);
    return failed;
}

int rename(const char *from, const char *to)
{
    int (*const next)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    tell("rename", last_part(to), 0);
    return next(from, to);
}
