/* SPDX-License-Identifier: Apache-2.0 */
/* The last lines that a run printed, for viewers. */
#ifndef MASS_ENGINE_VIEW_LOG_H
#define MASS_ENGINE_VIEW_LOG_H

#include <pthread.h>
#include <stdint.h>

enum { MASS_VIEW_LINES = 256, MASS_VIEW_LINE_SIZE = 1000 };

typedef struct mass_view_log {
    pthread_mutex_t lock;
    uint64_t count; /* lines so far; the last of them are stored */
    char lines[MASS_VIEW_LINES][MASS_VIEW_LINE_SIZE]; /* line n, from 1 on, at (n - 1) % MASS_VIEW_LINES */
} mass_view_log;

/* Collects the lines that are printed (process/progress.h), from begin to end. The log is all zero before. One log at a
 * time. */
void mass_view_log_begin(mass_view_log *);
void mass_view_log_end(mass_view_log *);

/* Finds the number of the first stored line after line `after`, and that of the last line. There are none if first >
 * last. */
void mass_view_log_range(mass_view_log *, uint64_t after, uint64_t *first, uint64_t *last);
/* Copies line n, which must be stored. */
void mass_view_log_line(mass_view_log *, uint64_t n, char text[MASS_VIEW_LINE_SIZE]);

#endif
