/* SPDX-License-Identifier: Apache-2.0 */
/* The program of the engine: the file that subprocesses execute, and next to which plugins and modules are looked for.
 * It is this process's own file, unless the engine is a library of another program. */
#ifndef MASS_ENGINE_PROCESS_PROGRAM_H
#define MASS_ENGINE_PROCESS_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

/* Sets the file of the command mass-engine, an absolute path, for a process that is another program. Main thread,
 * before the functions below. */
void mass_program_set(const char *path);

/* Writes the program's path. Returns false if it is not known. Any thread. */
bool mass_program_path(char path[PATH_MAX]);

/* Returns the path to execute. It stays valid. Any thread, also between fork and exec. */
const char *mass_program_file(void);

#endif
