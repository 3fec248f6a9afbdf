/* SPDX-License-Identifier: Apache-2.0 */
#include "view/log.h"
#include "process/progress.h"

#include <stdio.h>

/* Stores a line of progress, in place of the oldest, and cuts it off if it is too long. Any thread. */
static void hear(void *context, const char *line)
{
    mass_view_log *l = context;
    pthread_mutex_lock(&l->lock);
    snprintf(l->lines[l->count++ % MASS_VIEW_LINES], MASS_VIEW_LINE_SIZE, "%s", line);
    pthread_mutex_unlock(&l->lock);
}

void mass_view_log_begin(mass_view_log *l)
{
    pthread_mutex_init(&l->lock, NULL);
    mass_progress_listen(hear, l);
}

void mass_view_log_end(mass_view_log *l)
{
    mass_progress_listen(NULL, NULL);
    pthread_mutex_destroy(&l->lock);
}

void mass_view_log_range(mass_view_log *l, uint64_t after, uint64_t *first, uint64_t *last)
{
    pthread_mutex_lock(&l->lock);
    const uint64_t kept = l->count > MASS_VIEW_LINES ? l->count - MASS_VIEW_LINES : 0;
    *first = (after > kept ? after : kept) + 1;
    *last = l->count;
    pthread_mutex_unlock(&l->lock);
}

void mass_view_log_line(mass_view_log *l, uint64_t n, char text[MASS_VIEW_LINE_SIZE])
{
    pthread_mutex_lock(&l->lock);
    snprintf(text, MASS_VIEW_LINE_SIZE, "%s", l->lines[(n - 1) % MASS_VIEW_LINES]);
    pthread_mutex_unlock(&l->lock);
}
