/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int to = -2; /* -1: nothing is recorded; -2: that is not known yet */

/* Above what the program opens, so that its descriptors are those that it would have. */
static void open_log(void)
{
    const char *path = getenv("MASS_FAULT_LOG");
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
    const int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0600) : -1;
    to = file < 0 ? -1 : (int)syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, 900);
    if (file >= 0) syscall(SYS_close, file);
}

bool recording_begin(void)
{
    pthread_mutex_lock(&lock);
    if (to == -2) open_log();
    if (to < 0) pthread_mutex_unlock(&lock);
    return to >= 0;
}

void recording_end(void) { pthread_mutex_unlock(&lock); }

static void put(const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t now = syscall(SYS_write, to, (const char *)bytes + done, size - done);
        if (now <= 0) abort();
        done += (size_t)now;
    }
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    char line[2 * PATH_MAX + 64];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    put(line, (size_t)length);
}

static unsigned long inode_of(int file)
{
    struct stat facts;
    return fstat(file, &facts) == 0 ? facts.st_ino : 0;
}

static void absolute(int folder, const char *path, char out[PATH_MAX])
{
    char link[64], start[PATH_MAX / 2];
    if (path[0] == '/') {
        snprintf(out, PATH_MAX, "%s", path);
        return;
    }
    snprintf(link, sizeof link, folder == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", folder);
    const ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, start, sizeof start - 1);
    start[length < 0 ? 0 : length] = '\0';
    snprintf(out, PATH_MAX, "%s/%s", start, path);
}

void record_create(int file, int folder, const char *path)
{
    char name[PATH_MAX];
    absolute(folder, path, name);
    say("create\t%lu\t%s\n", inode_of(file), name);
}

void record_write(int file, off_t offset, ssize_t size, const void *bytes)
{
    say("write\t%lu\t%lld\t%zd\n", inode_of(file), (long long)offset, size);
    put(bytes, (size_t)size);
}

void record_content(int file, off_t offset, ssize_t size)
{
    char link[64], *bytes = malloc((size_t)size);
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const int from = (int)syscall(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC);
    if (!bytes || from < 0 || syscall(SYS_pread64, from, bytes, size, offset) != size) abort();
    syscall(SYS_close, from);
    record_write(file, offset, size, bytes);
    free(bytes);
}

void record_size(int file)
{
    struct stat facts;
    if (fstat(file, &facts) == 0) say("truncate\t%lu\t%lld\n", (unsigned long)facts.st_ino, (long long)facts.st_size);
}

void record_sync(int file)
{
    struct stat facts;
    char link[64], path[PATH_MAX] = "";
    if (fstat(file, &facts) != 0) return;
    if (!S_ISDIR(facts.st_mode)) {
        say("sync\t%lu\n", (unsigned long)facts.st_ino);
        return;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1) > 0) say("syncdir\t%s\n", path);
}

void record_path(const char *what, int folder, const char *path, int to_folder, const char *to_path)
{
    char name[PATH_MAX], other[PATH_MAX];
    absolute(folder, path, name);
    if (to_path) absolute(to_folder, to_path, other);
    if (to_path) say("%s\t%s\t%s\n", what, name, other);
    else say("%s\t%s\n", what, name);
}
