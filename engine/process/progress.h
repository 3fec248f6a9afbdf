/* SPDX-License-Identifier: Apache-2.0 */
/* Prints text for people on standard error: single lines, and a progress line that rewrites itself on a terminal. Main
 * thread. */
#ifndef MASS_ENGINE_PROCESS_PROGRESS_H
#define MASS_ENGINE_PROCESS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { MASS_PROGRESS_TEXT = 200 };

typedef struct mass_progress {
    bool on; /* the line is drawn: standard error is a terminal, and not --quiet */
    uint64_t first, last;
    double places;    /* updated per step, for the rate; 0: unknown */
    const char *what; /* unit of `places`: "places", or "items" of a stream */
    double agents;    /* updated so far, for the rate; 0: none, or not counted */
    double start, shown;
} mass_progress;

/* Fills *p and starts its clock; draws nothing yet. Stays off if quiet or if standard error is no terminal. first:
 * steps that are done; last: the step with which the run ends. */
void mass_progress_begin(mass_progress *p, uint64_t first, uint64_t last, double places, const char *what,
                         bool quiet);
void mass_progress_update(mass_progress *p, uint64_t step); /* at most ten times a second, not at step `first` */
/* Redraws the line during a step that reads a stream. step: the last complete one; given: items read so far, 0: draws
 * nothing; of: all items, 0 if unknown. */
void mass_progress_items(mass_progress *p, uint64_t step, uint64_t given, uint64_t of);
/* Redraws the line while a file with edges is read. bytes: read so far, 0 when it begins, which starts the clock of *p;
 * of: all, 0 if unknown. At the end, says what follows. A file that is read in a moment draws nothing. */
void mass_progress_edges(mass_progress *p, const char *file, uint64_t bytes, uint64_t of, uint64_t edges);
void mass_progress_end(mass_progress *p); /* erases the line, and draws no more */

/* Formats the line: "step 20 of 100 (20 %), 512 steps/s, 33.6 million places/s, 0 s left". At step `first` only "step 0
 * of 100". */
void mass_progress_text(const mass_progress *p, uint64_t step, char text[MASS_PROGRESS_TEXT]);

/* Sets a function that mass_progress_say calls before it prints a line, to clear the place where the line will appear.
 * NULL: none. */
void mass_progress_make_room(void (*make_room)(void *context), void *context);

/* Prints one line of any length, above the progress line if there is one. Everything that a terminal would act on is
 * escaped (base/escape.h). A line that is longer than two paths and a sentence is cut and ends in "..." if memory is
 * short. */
void mass_progress_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a last line before the engine ends the process, as mass_progress_say does, but always on standard error: also
 * for a program that gets the other lines by calls. Ends what mass_progress_divert has set. */
void mass_progress_say_last(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Sets a function that gets each line that mass_progress_say prints, escaped and without its newline, on the thread
 * that prints it. NULL: none. */
void mass_progress_listen(void (*hear)(void *context, const char *line), void *context);

/* Sets a function that gets those lines in place of standard error, for a program of which the engine is a library.
 * NULL: standard error gets them again. */
void mass_progress_divert(void (*hear)(void *context, const char *line), void *context);

/* Returns the seconds of a clock that never goes back. */
double mass_seconds(void);

#endif
