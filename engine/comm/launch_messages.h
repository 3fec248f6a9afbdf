/* SPDX-License-Identifier: Apache-2.0 */
/* Standard error of the launcher and its ranks. Until the ranks are connected, lines of mass-engine are printed and all
 * others are kept. If the start fails, the user gets one line, which names a file with the kept ones. After the start
 * all is printed as it comes, except warnings of Open MPI's event library about ended ranks. Main thread; an own thread
 * reads. */
#ifndef MASS_ENGINE_COMM_LAUNCH_MESSAGES_H
#define MASS_ENGINE_COMM_LAUNCH_MESSAGES_H

#include <limits.h>
#include <stdbool.h>

typedef struct mass_launch_words mass_launch_words;

/* Starts reading. NULL: memory, descriptors or threads are short, and the launcher writes to standard error itself. The
 * thread blocks all signals that are blocked in the caller. */
mass_launch_words *mass_launch_words_begin(void);

/* Connects standard error of the child that becomes the launcher. NULL is allowed, here and below. */
void mass_launch_words_take(mass_launch_words *);

/* Closes the parent's copy of the writing end, once the child exists. */
void mass_launch_words_started(mass_launch_words *);

/* Prints the kept lines, and from now on all that comes. The ranks are connected. */
void mass_launch_words_release(mass_launch_words *);

/* Reads the rest and ends the thread. The launcher has ended. */
void mass_launch_words_end(mass_launch_words *);

/* Returns whether a rank has reported why it ends before the release. NULL: false. */
bool mass_launch_words_said(mass_launch_words *);

/* Writes the kept lines to a new file, after mass_launch_words_end, and its path to `path`. Returns false if there are
 * none, or no file could be written. */
bool mass_launch_words_keep(mass_launch_words *, char path[PATH_MAX]);

void mass_launch_words_free(mass_launch_words *);

#endif
