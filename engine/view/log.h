/* SPDX-License-Identifier: Apache-2.0 */
/* The last lines that a run said, for who looks at it. */
#ifndef MASS_ENGINE_VIEW_LOG_H
#define MASS_ENGINE_VIEW_LOG_H

#include <pthread.h>
#include <stdint.h>

enum { MASS_VIEW_LINES = 256, MASS_VIEW_LINE_SIZE = 1000 };

typedef struct mass_view_log {
    pthread_mutex_t lock;
    uint64_t count; /* lines that came; the last of them are kept */
    char lines[MASS_VIEW_LINES][MASS_VIEW_LINE_SIZE]; /* line n, from 1 on, at (n - 1) % MASS_VIEW_LINES */
} mass_view_log;

/* From now on it gets what is said (process/progress.h), until end. One at a time. */
void mass_view_log_begin(mass_view_log *);
void mass_view_log_end(mass_view_log *);

/* The serial number of the first line after line `after` that is kept, and of the last one; none where the first is
 * greater. */
void mass_view_log_range(mass_view_log *, uint64_t after, uint64_t *first, uint64_t *last);
/* One of these lines. */
void mass_view_log_line(mass_view_log *, uint64_t n, char text[MASS_VIEW_LINE_SIZE]);

#endif
