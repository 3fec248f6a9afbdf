/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal that standard error may be: how large it is, and its cursor, which comes back however the program
 * ends, other than by SIGKILL. */
#ifndef MASS_ENGINE_PROCESS_TERMINAL_H
#define MASS_ENGINE_PROCESS_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

/* Characters of the terminal that a file is: as it says itself, else as COLUMNS and LINES do, else 80 and 24. */
void mass_terminal_size(int file, int *columns, int *rows);

/* Whether this program is the one in front, to which the terminal belongs: it was not sent to the background. */
bool mass_terminal_in_front(void);

/* It belongs to that process, which started this one and has the say for it. Main thread. */
void mass_terminal_belongs_to(pid_t process);

/* From here on, signals that end or stop the program give the terminal back first. Main thread. */
void mass_terminal_guard(void);

/* Says that the terminal is about to be drawn on, and hides the cursor, but not that of another process, which may stop
 * this one with no time to show it. Returns whether that is new: for the first time, or after the terminal was given
 * back or the program was stopped. Any thread. */
bool mass_terminal_take(void);
bool mass_terminal_taken(void);

/* Shows the cursor and ends colours, if the terminal is taken; what is below the cursor is erased. Any thread, also in
 * a signal handler. Never waits for a terminal that takes nothing. */
void mass_terminal_give_back(void);

#endif
