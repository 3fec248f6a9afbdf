/* SPDX-License-Identifier: Apache-2.0 */
#include "io/folder/publish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns true if both paths are the same file; links are not followed. */
static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return lstat(a, &x) == 0 && lstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Links a second name, which also works over NFS. If the server's answer is lost, a retry gets EEXIST for its own link:
 * that is success. */
static bool link_new(const char *temporary, const char *path)
{
    if (link(temporary, path) != 0 && !(errno == EEXIST && same_file(temporary, path))) return false;
    unlink(temporary);
    return true;
}

/* Renames to a name that does not exist; else fails with EEXIST. File systems with neither way get a check before a
 * plain rename. Returns false with errno. */
static bool rename_new(const char *temporary, const char *path)
{
    struct stat facts;
    if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0) return true;
    if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) return false;
    if (link_new(temporary, path)) return true;
    if (errno == EEXIST || errno == ENOENT) return false;
    if (lstat(path, &facts) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(temporary, path) == 0;
}

bool mass_publish(const char *temporary, const char *path, mass_may_replace *may, const void *context)
{
    if (rename_new(temporary, path)) return true;
    if (errno != EEXIST) return false;
    return may(context, path) && rename(temporary, path) == 0;
}
