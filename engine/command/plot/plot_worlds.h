/* SPDX-License-Identifier: Apache-2.0 */
/* Assigns the worlds of a file of series to the lines of a plot, and labels these. */
#ifndef MASS_ENGINE_PLOT_WORLDS_H
#define MASS_ENGINE_PLOT_WORLDS_H

#include "io/series/series.h"

typedef struct mass_plot_worlds {
    const mass_series_set *set; /* borrowed */
    bool mean;                  /* lines are means of their worlds */
    uint32_t *line;  /* [set->worlds]: line of each world */
    uint32_t *size;  /* [count]: number of a line's worlds */
    int32_t *first;  /* [count]: first of a line's worlds */
    bool *shares;    /* [count]: another line has the same parameters */
    uint32_t count;  /* number of lines, in the order of their first worlds */
    bool mixed;      /* a mean is over all worlds, as no two have the same parameters */
} mass_plot_worlds;

/* Assigns worlds to lines. Without `mean`, each world is a line. With it, worlds with the same parameters are one line,
 * or all worlds if no two have the same. The caller frees *out, also on failure. */
mass_status mass_plot_worlds_make(const mass_series_set *set, bool mean, mass_plot_worlds *out, mass_error *error);
void mass_plot_worlds_free(mass_plot_worlds *); /* may be all zero */

/* Writes the label of a line, fit for a terminal:
 * - "growback = 2"; "growback = 2, world 3" if another world has the same parameters;
 * - "world 3" if nothing is swept;
 * - "growback = 2, 4 worlds" for a mean;
 * - "" if there is one world, or the mean is over all. */
void mass_plot_worlds_label(const mass_plot_worlds *w, uint32_t line, char *out, size_t room);

/* Computes means from the values of all worlds, by_row[rows][worlds]. Stores in out[count][3][rows] for each line: the
 * mean of the finite values, and the values one standard deviation of the sample below and above it. The last two are
 * NaN for less than two values. All three are NaN if there is no finite value. */
void mass_plot_worlds_mean(const mass_plot_worlds *w, const double *by_row, size_t rows, double *out);

#endif
