/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal on standard error: its size and its cursor. The cursor is shown again however the program ends, except
 * by SIGKILL. */
#ifndef MASS_ENGINE_PROCESS_TERMINAL_H
#define MASS_ENGINE_PROCESS_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

/* Sets the size of a file's terminal in characters: as the terminal reports, else from COLUMNS and LINES, else 80 by
 * 24. */
void mass_terminal_size(int file, int *columns, int *rows);

/* Returns true if the process that the terminal belongs to, by default this one, is in the terminal's foreground, or if
 * the terminal does not control it. */
bool mass_terminal_in_front(void);

/* Declares that the terminal belongs to `process`, which started this one and manages the cursor. Ignores SIGTTOU from
 * then on. Main thread. */
void mass_terminal_belongs_to(pid_t process);

/* Makes SIGQUIT, SIGALRM and SIGTSTP give the terminal back before they end or stop the program. signals.h and crash.h
 * do so for theirs. After SIGCONT it is not taken. A signal without its default action keeps what it does. Main
 * thread. */
void mass_terminal_guard(void);

/* Call this before drawing on the terminal. It hides the cursor, unless the terminal belongs to another process: that
 * one could not show it again if it is stopped. Returns true if the terminal was not taken: at first, after it was
 * given back, and after the program was stopped. Any thread. */
bool mass_terminal_take(void);
bool mass_terminal_taken(void); /* returns whether it is taken now */

/* If the terminal is taken, shows the cursor, ends colours and erases everything below the cursor. Does not wait for a
 * terminal that takes no output. Any thread, also in a signal handler. */
void mass_terminal_give_back(void);

#endif
