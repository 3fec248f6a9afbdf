/* SPDX-License-Identifier: Apache-2.0 */
/* The standard files and the locale, which a caller may have left out and a plugin may spoil: descriptors 0 to 2 are
 * always open, so that no other file gets their numbers; results and text for people go out through copies of 1 and 2
 * that a plugin does not know; and a number has a point, whatever a plugin sets. Main thread, where nothing else is
 * said. */
#ifndef MASS_ENGINE_PROCESS_STANDARD_H
#define MASS_ENGINE_PROCESS_STANDARD_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* First thing in main. What is closed becomes a file that reads as empty and, for standard output, takes nothing, so
 * that a result that nobody can get is a failure; text for people that nobody can get is none. */
void mass_standard_open(void);

/* Where results are put together: all that --json, --info, --list, --version, --help and plot print. Never NULL. */
FILE *mass_standard_results(void);

/* They go to this open file from here on, from which another process prints them; it stays open. */
void mass_standard_results_to(int file);

/* Prints them, in one piece; MASS_FAILED if standard output does not take all of it. */
mass_status mass_standard_results_end(mass_error *error);

/* Text for people comes to this terminal, be it through another process, and others write there, too: what is said from
 * here on takes the place of what somebody else has drawn in the last line. The file stays open. */
void mass_standard_share_terminal(int file);

/* Text for people goes straight to the terminal from here on, and not through another process, so that what is drawn
 * and what is said keep their order. Whether there is a terminal. */
bool mass_standard_take_terminal(void);

/* Whether people read it in a terminal. */
bool mass_standard_on_terminal(void);

/* The descriptors of standard output and standard error, whatever has become of 1 and 2. Any thread. */
int mass_standard_output(void);
int mass_standard_people(void);

/* Writes text for people. Gives up on a file that takes nothing for a second. Any thread, also in a signal handler. */
void mass_standard_tell(const char *text, size_t size);

/* Around code of a plugin: while it runs, what it prints goes to standard error; after it, 0 to 2 and the locale are as
 * before. A plugin that is lent them for the rest of the program may only be followed by mass_standard_hold. */
void mass_standard_lend(void);
void mass_standard_take_back(void);

/* Opens those of 0 to 2 that a plugin has closed, before other files are opened. */
void mass_standard_hold(void);

/* The C locale for the calling thread, which a new one begins with. Any thread. */
void mass_standard_locale(void);

#endif
