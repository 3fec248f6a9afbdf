/* SPDX-License-Identifier: Apache-2.0 */
/* Locks a folder that a run writes to, so that no other run writes there. The lock is on the file ".mass-engine.lock"
 * in the folder, and belongs to the open file description (fcntl's F_OFD_SETLK). Such a lock ends with its process,
 * however that ends. It holds across PID namespaces. Closing another descriptor does not drop it. Over NFS, the server
 * holds it.
 *
 * The file names its holder, for people. The next run also uses that name to find and remove temporary files that a
 * killed process has left.
 *
 * The holder removes the file, still locked, when it gives the folder up. A process that gets the lock checks that the
 * file still has its name. If a file system has no locks, the engine reports that once, and relies on unique names and
 * renames. */
#ifndef MASS_ENGINE_IO_FOLDER_LOCK_H
#define MASS_ENGINE_IO_FOLDER_LOCK_H

#include "base/error.h"

#include <dirent.h>
#include <stdbool.h>

#define MASS_FOLDER_LOCK ".mass-engine.lock"

typedef struct mass_folder mass_folder;

/* Returns the next entry, as readdir does. NULL: errno is 0 after the last one, and else an error that hides
 * entries. */
const struct dirent *mass_folder_next(DIR *entries);

/* Creates the folder if its parent exists, locks it, and removes the temporary files of processes that have ended.
 * `kind`, "checkpoint" or "fields", is the name of its option; borrowed. MASS_BAD_USAGE if another process holds the
 * folder (the message says which, and since when), if files cannot be created there, or if a foreign file has the
 * lock's name. The caller ends with mass_folder_close. Main thread. */
mass_status mass_folder_open(const char *path, const char *kind, mass_folder **out, mass_error *error);
void mass_folder_close(mass_folder *); /* NULL is allowed */

/* Returns true if a path is that folder, perhaps by another name. */
bool mass_folder_is(const mass_folder *f, const char *path);

/* Checks that the folder is still locked, and locks it again if somebody has removed it or its lock. MASS_FAILED if
 * that fails. Without locks in the file system, checks nothing. Call it before writing. */
mass_status mass_folder_check(mass_folder *f, mass_error *error);

#endif
