/* SPDX-License-Identifier: Apache-2.0 */
/* Text for people: a progress line that rewrites itself on a terminal, and lines beside it. All of it
 * goes to standard error. Main thread. */
#ifndef MASS_ENGINE_PROCESS_PROGRESS_H
#define MASS_ENGINE_PROCESS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { MASS_PROGRESS_TEXT = 200 };

typedef struct mass_progress {
    bool on; /* people read it in a terminal, and not --quiet */
    uint64_t first, last;
    double places;    /* updated a step, for the rate; 0: not known */
    const char *what; /* they are: "places", or "items" of a stream */
    double agents;    /* gone through so far; 0: there are none, or nobody counts them */
    double start, shown;
} mass_progress;

void mass_progress_begin(mass_progress *p, uint64_t first, uint64_t last, double places, const char *what,
                         bool quiet);
void mass_progress_update(mass_progress *p, uint64_t step); /* redraws at most ten times a second */
/* In a step that reads a stream: items of `of` in all, 0 where that is not known. */
void mass_progress_items(mass_progress *p, uint64_t step, uint64_t given, uint64_t of);
void mass_progress_end(mass_progress *p);

/* "step 20 of 100 (20 %), 512 steps/s, 33.6 million places/s, 0 s left" */
void mass_progress_text(const mass_progress *p, uint64_t step, char text[MASS_PROGRESS_TEXT]);

/* From here on, make_room is called before a line is said, and clears what it would come to stand in; NULL: nothing
 * has to be. */
void mass_progress_make_room(void (*make_room)(void *context), void *context);

/* One line of any length, above the progress line if there is one; what a terminal would act on is escaped
 * (base/escape.h). Without memory for one that is longer than two paths and a sentence, its beginning and "...". */
void mass_progress_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From here on, each line that is said, without its end, goes to `hear` too, on the thread that says it; NULL: no more.
 */
void mass_progress_listen(void (*hear)(void *context, const char *line), void *context);

/* Seconds of a clock that only goes forward. */
double mass_seconds(void);

#endif
