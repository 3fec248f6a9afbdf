/* SPDX-License-Identifier: Apache-2.0 */
/* Protects the standard files and the locale from callers that leave them closed and plugins that change them.
 * Descriptors 0 to 2 are always open, so that no other file gets their numbers. The engine writes results and text for
 * people to copies of 1 and 2 that plugins do not know. The decimal separator is a point, whatever a plugin sets. Main
 * thread, unless a comment says otherwise. */
#ifndef MASS_ENGINE_PROCESS_STANDARD_H
#define MASS_ENGINE_PROCESS_STANDARD_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Call this first in main. Opens a placeholder for each closed standard file. It reads as empty. Standard output's
 * placeholder refuses writes, so that a lost result is a failure; standard error's drops them. */
void mass_standard_open(void);

/* Declares that the standard files belong to another program, of which the engine is a library: from now on the engine
 * leaves them as they are. Call it instead of mass_standard_open. */
void mass_standard_leave(void);

/* Returns the stream that collects results in memory: the output of --json, --info, --list, --version, --help and plot.
 * Never NULL. */
FILE *mass_standard_results(void);

/* Sends results to this open file from now on; another process prints them from there. The file stays open. */
void mass_standard_results_to(int file);

/* Writes the collected results at once. Call it only after mass_standard_results. MASS_FAILED if standard output does
 * not take all of them. */
mass_status mass_standard_results_end(mass_error *error);

/* Declares that text for people reaches this terminal, directly or through another process, and that other processes
 * draw there too. From now on each text first erases the line that another process may have drawn. The file stays
 * open. */
void mass_standard_share_terminal(int file);

/* Writes text for people straight to the shared terminal from now on, so that drawings and lines keep their order.
 * Returns true if there is a terminal. */
bool mass_standard_take_terminal(void);

/* Returns true if text for people goes to a terminal. */
bool mass_standard_on_terminal(void);

/* Return the descriptors that reach standard output and standard error, whatever plugins did to 1 and 2. Any thread. */
int mass_standard_output(void);
int mass_standard_people(void);

/* Writes text for people. Gives up if the file takes nothing for a second. Writes to 2 if a plugin closed the file.
 * Keeps errno. Any thread, also in a signal handler. */
void mass_standard_tell(const char *text, size_t size);

/* Lend before plugin code, and take back after it. While the code runs, its standard output goes to standard error.
 * Taking back restores 0 to 2 and the locale. If a plugin keeps them for the rest of the program, call only
 * mass_standard_hold after lending. */
void mass_standard_lend(void);
void mass_standard_take_back(void);

/* Reopens each of 0 to 2 that a plugin has closed, 1 as standard error, and resets the locale. Call it before opening
 * other files. */
void mass_standard_hold(void);

/* Sets the C locale for the calling thread. New threads call it first. Any thread. */
void mass_standard_locale(void);

#endif
