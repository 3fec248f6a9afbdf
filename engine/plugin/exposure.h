/* SPDX-License-Identifier: Apache-2.0 */
/* Finds plugin files that any user of the machine can change. A user who changes one runs code as the users who load
 * it. */
#ifndef MASS_ENGINE_EXPOSURE_H
#define MASS_ENGINE_EXPOSURE_H

#include <limits.h>
#include <stdbool.h>

/* Returns whether all users may write to the file at `path`, or to a folder on the way to it. The path must be absolute
 * and contain no links. Stores the writable one nearest to the file in `where`, which is undefined if there is none. In
 * a folder with the sticky bit, such as /tmp, files of the user and of root count as safe. Folders whose state cannot
 * be read are skipped; false if that of the file cannot: loading reports why. Any thread. */
bool mass_plugin_is_exposed(const char *path, char where[PATH_MAX]);

#endif
