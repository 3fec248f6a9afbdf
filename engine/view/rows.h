/* SPDX-License-Identifier: Apache-2.0 */
/* The data of charts: every tally that is one number, and the size of every population, from the first step on. Each
 * column has pens. With one world there is one pen. With several there is one for each of the first
 * MASS_VIEW_WORLDS_MOST worlds, and then the mean, the lowest and the highest of all that are counted.
 *
 * A row has the least, the greatest and the last value of `width` consecutive steps. If rows become too many, each two
 * neighbours are joined, so that no peak is lost. Main thread. */
#ifndef MASS_ENGINE_VIEW_ROWS_H
#define MASS_ENGINE_VIEW_ROWS_H

#include "state/domain.h"
#include "view/question.h"

enum {
    MASS_VIEW_ROWS_MOST = 1024, /* most rows with one world */
    MASS_VIEW_ROWS_OF_WORLDS = 512,
    MASS_VIEW_WORLDS_COUNTED = 1024 /* most worlds in the mean and the band */
};

/* A pen in a row; NAN: it has no value. */
typedef struct mass_view_span {
    double low, high, last;
} mass_view_span;

typedef struct mass_view_rows {
    uint32_t *tallies;     /* [tally_count] indexes of the tallies that are one number and not hidden */
    uint32_t *populations; /* [columns - tally_count] populations whose size no tally counts */
    uint32_t tally_count, columns;
    int32_t worlds, counted; /* worlds with a pen; worlds in the mean and the band */
    uint32_t pens, row;    /* pens of a column; of a row: columns x pens */
    uint64_t first, width; /* first step of row 0; steps of a row */
    uint32_t most, count;
    bool gaps;             /* some steps are in no row */
    uint64_t *steps;       /* [count] last step of each row, ascending */
    mass_view_span *spans; /* [count][columns][pens] */
    int64_t *words;        /* what is read of a step: all tallies if `whole`, */
    bool whole;            /* else one tally of one world */
    uint64_t *sizes;       /* [worlds of the run] of a population */
    double *now;           /* [counted] values of a column in a step */
} mass_view_rows;

/* Makes the data for the run of d, at step `first`. On failure *out is unchanged. The caller frees *out. */
mass_status mass_view_rows_create(const mass_domain *d, uint64_t first, mass_view_rows *out, mass_error *error);
void mass_view_rows_free(mass_view_rows *r);

/* Add a step, if it is later than the last: with the tallies that the domain has, or with the given
 * [tallies][worlds][words]. The second leaves the sizes of populations without a value, so it is for models without
 * agents. */
mass_status mass_view_rows_add(mass_view_rows *r, mass_domain *d, uint64_t step, mass_error *error);
void mass_view_rows_put(mass_view_rows *r, const mass_domain *d, uint64_t step, const int64_t *tallies);

/* Returns the population of a column after those of tallies. */
static inline uint32_t mass_view_rows_population(const mass_view_rows *r, uint32_t column)
{
    return r->populations[column - r->tally_count];
}

#endif
