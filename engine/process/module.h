/* SPDX-License-Identifier: Apache-2.0 */
/* Modules of this program: what it opens only where somebody asks for it, so that it starts where their libraries are
 * missing. They lie in ../lib/mass/backends beside the executable. Any thread. */
#ifndef MASS_ENGINE_PROCESS_MODULE_H
#define MASS_ENGINE_PROCESS_MODULE_H

#include <limits.h>
#include <stdbool.h>

/* Where "cuda.so" would be; false: that cannot be said. */
bool mass_module_path(const char *file, char path[PATH_MAX]);

/* Whether it is installed. */
bool mass_module_is_there(const char *file);

/* Opens it for the rest of the program, since the libraries that modules stand on do not unload, and returns what
 * `symbol` names in it, or NULL. Then *reason says why it could not be opened, until the next call, or is NULL where
 * it has no such symbol. */
const void *mass_module_open(const char *file, const char *symbol, const char **reason);

#endif
