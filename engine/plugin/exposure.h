/* SPDX-License-Identifier: Apache-2.0 */
/* Whether everybody on a machine can change what a plugin's file is: whoever can runs code as those who load it. */
#ifndef MASS_ENGINE_EXPOSURE_H
#define MASS_ENGINE_EXPOSURE_H

#include <limits.h>
#include <stdbool.h>

/* True if the file at `path`, which is absolute and has no links in it, or a folder on the way to it is writable by
 * all; `where` becomes the one nearest to the file. In a folder with the sticky bit, such as /tmp, files of the user
 * and of root count as safe. What cannot be looked at is passed over: loading it says why. Any thread. */
bool mass_plugin_is_exposed(const char *path, char where[PATH_MAX]);

#endif
