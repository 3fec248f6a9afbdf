/* SPDX-License-Identifier: Apache-2.0 */
/* What a launcher and the ranks that it starts write to standard error. Until the ranks have found each other, lines of
 * mass-engine are passed on, and others are kept: of a start that fails, the user gets one line, which names a file of
 * these. From then on, all is passed on as it comes, but for what Open MPI's library for events says of ranks that have
 * ended. Main thread, but for what the words' own thread does. */
#ifndef MASS_ENGINE_COMM_LAUNCH_WORDS_H
#define MASS_ENGINE_COMM_LAUNCH_WORDS_H

#include <limits.h>
#include <stdbool.h>

typedef struct mass_launch_words mass_launch_words;

/* NULL: there is no memory, descriptor or thread for it, and the launcher writes to standard error itself. Signals that
 * are blocked stay so in its thread. */
mass_launch_words *mass_launch_words_begin(void);

/* In the child that becomes the launcher: its standard error. NULL is fine, here and below. */
void mass_launch_words_take(mass_launch_words *);

/* In the parent, once there is that child. */
void mass_launch_words_started(mass_launch_words *);

/* The ranks have found each other: what was kept is passed on, and so is all that comes. */
void mass_launch_words_release(mass_launch_words *);

/* The launcher has ended: takes what it has written, and ends the thread. */
void mass_launch_words_end(mass_launch_words *);

/* Whether a rank has said why it ends. */
bool mass_launch_words_said(mass_launch_words *);

/* Writes the lines that are kept to a file of its own. False: there are none, or no file takes them. */
bool mass_launch_words_keep(mass_launch_words *, char path[PATH_MAX]);

void mass_launch_words_free(mass_launch_words *);

#endif
