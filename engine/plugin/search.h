/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the file of a plugin. A bare name is looked up in these folders, and never in the working directory. The first
 * folder that contains it is used.
 * - The absolute folders of MASS_PLUGIN_PATH, a list with colons. Others in it, and those with "..", are ignored.
 * - ../lib/mass/plugins, relative to the folder of the running program.
 * - $HOME/.local/lib/mass/plugins.
 * - The folder that the engine was built to install plugins in.
 *
 * A program with raised privileges ignores both variables. */
#ifndef MASS_ENGINE_SEARCH_H
#define MASS_ENGINE_SEARCH_H

#include "base/error.h"

#include <limits.h>
#include <stdbool.h>

/* Resolves a name such as "life" or "life.so" as above, and anything with a '/' as a path. `path` becomes absolute and
 * has no links. Every refusal returns MASS_BAD_PLUGIN; on failure `path` is unchanged. Any thread, while no thread
 * changes the environment. */
mass_status mass_plugin_find(const char *name_or_path, char path[PATH_MAX], mass_error *error);

/* Receives one file. `path` is valid during the call. `shadowed`: a lookup by name finds a file of this name in an
 * earlier folder. */
typedef void mass_plugin_visit(void *context, const char *path, bool shadowed);

/* Visits every *.so of those folders, sorted by file name and then by folder. Skips folders that are missing or cannot
 * be read. Fails only if memory is short, before the first visit. */
mass_status mass_plugin_list(mass_plugin_visit *visit, void *context, mass_error *error);

#endif
