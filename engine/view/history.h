/* SPDX-License-Identifier: Apache-2.0 */
/* Space-time diagrams: the past steps of pictures of a line, one row each, while somebody views them. They need every
 * step, as a diagram that leaves steps out shows other patterns. So the run advances by single steps meanwhile. Main
 * thread. */
#ifndef MASS_ENGINE_VIEW_HISTORY_H
#define MASS_ENGINE_VIEW_HISTORY_H

#include "view/frame.h"

enum { MASS_HISTORIES = 4, MASS_HISTORY_ROWS = 4096, MASS_HISTORY_COLUMNS = 1 << 14 };

typedef struct mass_history {
    uint32_t picture;
    int32_t world;
    mass_gidx factor;     /* places of a column */
    mass_gidx columns;
    uint64_t first, count; /* rows of steps first to first + count - 1, each at step % MASS_HISTORY_ROWS */
    uint8_t *index;       /* [MASS_HISTORY_ROWS][columns]; NULL: unused */
    double asked;         /* time of the last request */
} mass_history;

typedef struct mass_histories {
    mass_history list[MASS_HISTORIES];
} mass_histories;

void mass_histories_free(mass_histories *); /* frees what is in it; all are unused afterwards */

/* Returns whether a diagram was requested in the last seconds, so that each step is needed. Cheap. */
bool mass_histories_grow(const mass_histories *);

/* Adds the row of a step to each diagram that was requested in the last seconds, unless it has it. If steps before it
 * are missing, removes older rows. */
mass_status mass_histories_add(mass_histories *, mass_domain *d, mass_view_pictures *pictures, uint64_t step,
                               mass_error *error);

/* Makes a frame of at most q->extent[1] past steps, and q->pixels[1] at most, the current one last. The question is
 * clipped. The caller frees answer->bytes. If its picture has no diagram yet, begins one at this step, which takes the
 * place of the one that was requested least recently. */
mass_status mass_histories_draw(mass_histories *, mass_domain *d, mass_view_pictures *pictures,
                                const mass_view_question *q, uint32_t run, uint64_t step, mass_view_answer *answer,
                                mass_error *error);

#endif
