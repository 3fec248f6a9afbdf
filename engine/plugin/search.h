/* SPDX-License-Identifier: Apache-2.0 */
/* From what the user calls a plugin to the file it is in. A bare name is looked up in
 *   1. the absolute folders of MASS_PLUGIN_PATH, a list with colons; others in it are passed over,
 *   2. ../lib/mass/plugins, seen from the folder of the running program,
 *   3. $HOME/.local/lib/mass/plugins,
 *   4. the folder that the engine was built to install plugins in,
 * and never in the working directory. The first folder that has it decides. A program with raised
 * privileges trusts neither variable. */
#ifndef MASS_ENGINE_SEARCH_H
#define MASS_ENGINE_SEARCH_H

#include "base/error.h"

#include <limits.h>
#include <stdbool.h>

/* Resolves "life" or "life.so" as above, and anything with a '/' as the path it is. Every refusal
 * of a name or path is MASS_BAD_PLUGIN; on failure `path` is untouched. Any thread, as long as none
 * changes the environment. */
mass_status mass_plugin_find(const char *name_or_path, char path[PATH_MAX], mass_error *error);

/* Told of one file; `path` is valid during the call. `shadowed`: the same name in an earlier folder
 * is what a lookup by name finds. */
typedef void mass_plugin_visit(void *context, const char *path, bool shadowed);

/* Visits every *.so of those folders, sorted by file name and then in the order of the search. A
 * folder that is missing or may not be read is passed over. Fails only for want of memory, before
 * the first visit. */
mass_status mass_plugin_list(mass_plugin_visit *visit, void *context, mass_error *error);

#endif
