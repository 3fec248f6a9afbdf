/* SPDX-License-Identifier: Apache-2.0 */
#include "plugin/exposure.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns whether a file's owner is neither root nor this process's user. */
static bool is_of_others(uid_t owner) { return owner != 0 && owner != geteuid(); }

/* Returns whether any user can replace an entry of a folder. `entry` is the owner of the entry that leads to the
 * plugin. */
static bool is_open_folder(const struct stat *folder, uid_t entry)
{
    return (folder->st_mode & S_IWOTH) && (!(folder->st_mode & S_ISVTX) || is_of_others(entry));
}

bool mass_plugin_is_exposed(const char *path, char where[PATH_MAX])
{
    struct stat facts;
    if (strlen(path) >= PATH_MAX || stat(path, &facts) != 0) return false;
    strcpy(where, path);
    if (facts.st_mode & S_IWOTH) return true;
    for (char *slash; (slash = strrchr(where, '/'));) {
        const uid_t entry = facts.st_uid;
        slash[slash == where] = '\0';
        if (stat(where, &facts) == 0 && is_open_folder(&facts, entry)) return true;
        if (slash == where) break;
    }
    return false;
}
