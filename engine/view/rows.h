/* SPDX-License-Identifier: Apache-2.0 */
/* What charts show: of every tally that is one number, and of every population's size, the values from the first step
 * on, each of them in a line of its own, or pen: of one world; of several, one for each of the first
 * MASS_VIEW_WORLDS_MOST, and behind them the mean, the lowest and the highest of all that are counted. A row has the
 * least, the greatest and the last value of `width` steps that follow each other: when rows become too many, neighbours
 * become one, so that no peak is ever lost. Main thread. */
#ifndef MASS_ENGINE_VIEW_ROWS_H
#define MASS_ENGINE_VIEW_ROWS_H

#include "state/domain.h"
#include "view/question.h"

enum {
    MASS_VIEW_ROWS_MOST = 1024, /* of one world */
    MASS_VIEW_ROWS_OF_WORLDS = 512,
    MASS_VIEW_WORLDS_COUNTED = 1024 /* in the mean and the band, at most */
};

/* Of a pen in a row; NAN: there was none. */
typedef struct mass_view_span {
    double low, high, last;
} mass_view_span;

typedef struct mass_view_rows {
    uint32_t *tallies;     /* [tally_count] which of the model's: those that are one number, and shown */
    uint32_t *populations; /* [columns - tally_count] of which no tally tells the size */
    uint32_t tally_count, columns;
    int32_t worlds, counted; /* that have a pen; that are in the mean and the band */
    uint32_t pens, row;    /* of a column; of a row: columns x pens */
    uint64_t first, width; /* row 0 begins at step `first`; steps of a row */
    uint32_t most, count;
    bool gaps;             /* there are steps between them that are in no row */
    uint64_t *steps;       /* [count] the last one of each, ascending */
    mass_view_span *spans; /* [count][columns][pens] */
    int64_t *words;        /* what is read of a step: all tallies, or */
    bool whole;            /* ... one of them in one world */
    uint64_t *sizes;       /* [worlds of the run] of a population */
    double *now;           /* [counted] a column of a step */
} mass_view_rows;

/* d: whose run it is, at step `first`. On failure *out is untouched. */
mass_status mass_view_rows_create(const mass_domain *d, uint64_t first, mass_view_rows *out, mass_error *error);
void mass_view_rows_free(mass_view_rows *r);

/* Adds a step, if it is a later one: with the tallies that the domain has, or with those that are given,
 * [tallies][worlds][words]. */
mass_status mass_view_rows_add(mass_view_rows *r, mass_domain *d, uint64_t step, mass_error *error);
void mass_view_rows_put(mass_view_rows *r, const mass_domain *d, uint64_t step, const int64_t *tallies);

/* The population of a column behind those of tallies. */
static inline uint32_t mass_view_rows_population(const mass_view_rows *r, uint32_t column)
{
    return r->populations[column - r->tally_count];
}

#endif
