/* SPDX-License-Identifier: Apache-2.0 */
#include "io/folder/temporary.h"

#include "base/identity.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NAME_BYTES = 200 /* of the target's name, so that the temporary name is not too long */ };

/* Returns the part of a path after the last slash. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Locks a whole file for its descriptor, without waiting. Returns 0 or an errno. */
static int lock_file(int file)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    while (fcntl(file, F_OFD_SETLK, &all) != 0)
        if (errno != EINTR) return errno;
    return 0;
}

/* Returns true for the name of a temporary file, with any ending, whose target's name begins with `start`, of `length`
 * bytes. */
static bool is_for(const char *name, const char *start, size_t length)
{
    if (name[0] != '.' || strncmp(name + 1, start, length) != 0 || name[1 + length] != '.') return false;
    const char *rest = name + length + 2;
    if (!mass_is_hex(rest, MASS_WRITER_SIZE - 1) || rest[MASS_WRITER_SIZE - 1] != '-') return false;
    rest += MASS_WRITER_SIZE;
    rest += strspn(rest, "0123456789");
    return strcmp(rest, ".tmp") == 0 || (strncmp(rest, ".tmp.", 5) == 0 && !strchr(rest + 5, '.'));
}

/* Returns true if a temporary file's writer has ended: its lock is free. Without locks, if it is a day old. */
static bool is_left(int folder, const char *name)
{
    struct stat facts;
    const int file = openat(folder, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return false;
    bool left = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    const int cause = left ? lock_file(file) : 0;
    if (cause == EAGAIN || cause == EACCES) left = false;
    else if (cause) left = left && time(NULL) - facts.st_mtime > 24 * 60 * 60;
    close(file);
    return left;
}

/* Removes the temporary files that dead writers have left for a target, next to it. Failures are ignored. */
static void sweep(const char *target)
{
    const char *name = name_of(target);
    const size_t length = strnlen(name, NAME_BYTES);
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", name > target ? (int)(name - target) : 1, name > target ? target : ".");
    DIR *entries = opendir(folder);
    for (const struct dirent *e; entries && (e = readdir(entries));)
        if (is_for(e->d_name, name, length) && is_left(dirfd(entries), e->d_name))
            unlinkat(dirfd(entries), e->d_name, 0);
    if (entries) closedir(entries);
}

/* Locks a new file. Returns false if another process took it for abandoned before that, and removed it. */
static bool lock_new(int file)
{
    struct stat facts;
    const int cause = lock_file(file);
    return cause != EAGAIN && cause != EACCES && fstat(file, &facts) == 0 && facts.st_nlink > 0;
}

bool mass_temporary_make(const char *target, mass_temporary *out) { return mass_temporary_make_as(target, "", out); }

bool mass_temporary_make_as(const char *target, const char *ending, mass_temporary *out)
{
    const char *name = name_of(target);
    const size_t room = strlen(target) + MASS_WRITER_SIZE + strlen(ending) + 24;
    *out = (mass_temporary){malloc(room), -1};
    if (!out->path) return false;
    sweep(target);
    for (unsigned n = 0; n < 1000; n++) { /* a process may write two at once */
        snprintf(out->path, room, "%.*s.%.*s.%s-%u.tmp%s", (int)(name - target), target, NAME_BYTES, name,
                 mass_writer(), n, ending);
        out->file = open(out->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (out->file >= 0 && lock_new(out->file)) return true;
        if (out->file < 0 && errno != EEXIST) break;
        if (out->file >= 0) {
            unlink(out->path);
            close(out->file);
            errno = EEXIST;
        }
    }
    const int cause = errno;
    free(out->path);
    *out = (mass_temporary){.file = -1};
    errno = cause;
    return false;
}

void mass_temporary_end(mass_temporary *t)
{
    struct stat ours, there;
    if (t->file >= 0 && fstat(t->file, &ours) == 0 && lstat(t->path, &there) == 0 && ours.st_dev == there.st_dev &&
        ours.st_ino == there.st_ino)
        unlink(t->path);
    if (t->file >= 0) close(t->file);
    free(t->path);
    *t = (mass_temporary){.file = -1};
}
