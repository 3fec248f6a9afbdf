/* SPDX-License-Identifier: Apache-2.0 */
/* Modules: libraries that the program opens only when it needs them, so that it also starts where their dependencies
 * are missing. They are installed in ../lib/mass/backends, relative to the executable's folder. Any thread. */
#ifndef MASS_ENGINE_PROCESS_MODULE_H
#define MASS_ENGINE_PROCESS_MODULE_H

#include <limits.h>
#include <stdbool.h>

/* Writes the path where the module `file`, such as "cuda.so", belongs. Returns false if the path is unknown or too
 * long. */
bool mass_module_path(const char *file, char path[PATH_MAX]);

/* Returns true if the module is installed and readable. */
bool mass_module_is_there(const char *file);

/* Opens a module for the rest of the program, since the libraries that modules need do not unload. Returns the address
 * of `symbol` in it, or NULL. If the module cannot be opened, *reason says why, until the next call. If only the symbol
 * is missing, *reason is NULL. */
const void *mass_module_open(const char *file, const char *symbol, const char **reason);

/* Writes the path of the file that has a function of this program or of a library. Returns false if it is unknown. */
bool mass_module_of(void (*function)(void), char path[PATH_MAX]);

/* Returns true if the system has the library `name`, such as a driver's. Then it stays loaded. */
bool mass_module_finds_library(const char *name);

#endif
