/* SPDX-License-Identifier: Apache-2.0 */
/* Space-time diagrams: the past steps of pictures of a line, a row each, while somebody looks at them. Of each step,
 * since a diagram with steps left out shows other patterns; so a run goes step by step meanwhile. Main thread. */
#ifndef MASS_ENGINE_VIEW_HISTORY_H
#define MASS_ENGINE_VIEW_HISTORY_H

#include "view/frame.h"

enum { MASS_HISTORIES = 4, MASS_HISTORY_ROWS = 4096, MASS_HISTORY_COLUMNS = 1 << 14 };

typedef struct mass_history {
    uint32_t picture;
    int32_t world;
    mass_gidx factor;     /* places of a column */
    mass_gidx columns;
    uint64_t first, count; /* steps: rows of steps first to first + count - 1, each at step % MASS_HISTORY_ROWS */
    uint8_t *index;       /* [MASS_HISTORY_ROWS][columns]; NULL: it is free */
    double asked;         /* when somebody last did */
} mass_history;

typedef struct mass_histories {
    mass_history list[MASS_HISTORIES];
} mass_histories;

void mass_histories_free(mass_histories *);

/* Whether somebody has looked at one in the last seconds, so that each step is needed. Cheap. */
bool mass_histories_grow(const mass_histories *);

/* Adds the rows of a step. Where steps are missing before it, older rows are forgotten. */
mass_status mass_histories_add(mass_histories *, mass_domain *d, mass_view_pictures *pictures, uint64_t step,
                               mass_error *error);

/* A frame of q->extent[1] past steps at most, the present one last; the question was clipped. */
mass_status mass_histories_draw(mass_histories *, mass_domain *d, mass_view_pictures *pictures,
                                const mass_view_question *q, uint32_t run, uint64_t step, mass_view_answer *answer,
                                mass_error *error);

#endif
