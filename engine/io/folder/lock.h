/* SPDX-License-Identifier: Apache-2.0 */
/* A folder that a run writes to, and that no other run writes to meanwhile. It is held by a lock on the file
 * ".mass-engine.lock" in it, of the open file description (fcntl's F_OFD_SETLK). Such a lock ends with the process
 * however that ends, is one for all PID namespaces, is not dropped by a close of another descriptor, and over NFS is
 * the server's. The file says who holds it, for people. By it, the next run also finds the temporary files that a
 * killed process has left, and removes them.
 *
 * The file is removed under the lock when the folder is let go. A process that gets the lock checks that the file still
 * has its name. If a file system has no locks, that is reported once, and names and renames have to do. */
#ifndef MASS_ENGINE_IO_FOLDER_LOCK_H
#define MASS_ENGINE_IO_FOLDER_LOCK_H

#include "base/error.h"

#include <dirent.h>
#include <stdbool.h>

#define MASS_FOLDER_LOCK ".mass-engine.lock"

typedef struct mass_folder mass_folder;

/* The next entry, as readdir has it; NULL with errno 0 after the last one, and with another if there may be more. */
const struct dirent *mass_folder_next(DIR *entries);

/* Makes the folder if only itself is missing, holds it, and removes the temporary files of processes that are gone.
 * kind, "checkpoint" or "fields", is borrowed: what its option is called. MASS_BAD_USAGE, in one line with who has it
 * and since when, if another process holds it, if files cannot be made there, or if something else has the name of the
 * lock. The caller ends with mass_folder_close. Main thread. */
mass_status mass_folder_open(const char *path, const char *kind, mass_folder **out, mass_error *error);
void mass_folder_close(mass_folder *); /* NULL is fine */

/* Whether a path is that folder. */
bool mass_folder_is(const mass_folder *f, const char *path);

/* Before something is written: that the folder is still held, or again, after somebody took it or its lock away.
 * MASS_FAILED if not. */
mass_status mass_folder_check(mass_folder *f, mass_error *error);

#endif
