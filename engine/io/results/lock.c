/* SPDX-License-Identifier: Apache-2.0 */
/* The lock on a file of results. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* F_OFD_SETLK */
#endif
#include "io/results/results.h"
#include "io/folder/names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns whether the open file still has its name: its last holder may have removed it. */
static bool has_name(int file, const char *path)
{
    struct stat own, named;
    if (fstat(file, &own) != 0 || stat(path, &named) != 0) return false;
    return own.st_ino == named.st_ino && own.st_dev == named.st_dev;
}

/* Opens and locks a file. Returns its descriptor; -1 with errno, EAGAIN if another process has the lock. Without locks
 * in the file system, there is none. */
static int open_locked(const char *path)
{
    for (;;) {
        struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (file < 0) return -1;
        const bool held = fcntl(file, F_OFD_SETLK, &all) != 0 && (errno == EAGAIN || errno == EACCES);
        if (!held && has_name(file, path)) return file;
        close(file);
        errno = EAGAIN;
        if (held) return -1;
    }
}

mass_status mass_results_lock(const char *path, mass_results_lock_file *out, mass_error *error)
{
    char why[MASS_WHY_NOT_MADE];
    *out = (mass_results_lock_file){.file = -1};
    if (asprintf(&out->path, "%s.lock", path) < 0) {
        out->path = NULL;
        return mass_error_memory(error, strlen(path), "a name");
    }
    out->file = open_locked(out->path);
    if (out->file >= 0) return MASS_OK;
    if (errno == EAGAIN)
        return mass_error_set(error, MASS_BAD_USAGE, "another command adds to --results %s now: wait for its end, or "
                              "give another name", path);
    return mass_error_set(error, errno == ENOMEM ? MASS_FAILED : MASS_BAD_USAGE, "cannot write --results %s: %s", path,
                          mass_folder_why_not_made(path, errno, why));
}

void mass_results_unlock(mass_results_lock_file *l)
{
    if (l->file >= 0) {
        unlink(l->path);
        close(l->file);
    }
    free(l->path);
    *l = (mass_results_lock_file){.file = -1};
}
