/* SPDX-License-Identifier: Apache-2.0 */
/* The values that tallies had, as charts show them: of the first MASS_VIEW_WORLDS_MOST worlds, at steps from the first
 * one to the last that was added. When there are too many, every second one goes, and those that follow come half as
 * often, so that they lie evenly in time. Main thread. */
#ifndef MASS_ENGINE_VIEW_ROWS_H
#define MASS_ENGINE_VIEW_ROWS_H

#include "domain/domain.h"
#include "view/question.h"

enum { MASS_VIEW_ROWS_MOST = 4096 };

typedef struct mass_view_rows {
    uint32_t *tallies;   /* [columns] which of the model's: those that are one number, and shown */
    uint32_t columns;
    int32_t worlds;
    uint32_t row;        /* numbers in it: columns x worlds */
    uint64_t *steps;     /* [count] ascending */
    double *values;      /* [count][columns][worlds]; NAN: none */
    uint32_t count;
    double interval;     /* seconds from row to row, at least; the last one is exempt */
    double kept, last;   /* when the last row but one was added, and the last */
    int64_t *words;      /* the accumulator that is read */
} mass_view_rows;

mass_status mass_view_rows_create(const mass_model *m, int32_t worlds, mass_view_rows *out, mass_error *error);
void mass_view_rows_free(mass_view_rows *);

/* Reads the tallies of a step, and adds a row if it is a later one. */
mass_status mass_view_rows_add(mass_view_rows *r, mass_domain *d, uint64_t step, mass_error *error);

#endif
