/* SPDX-License-Identifier: Apache-2.0 */
/* Which worlds of a file of series are one line of a plot, and what the line is called. */
#ifndef MASS_ENGINE_PLOT_WORLDS_H
#define MASS_ENGINE_PLOT_WORLDS_H

#include "io/series/series.h"

typedef struct mass_plot_worlds {
    const mass_series_set *set; /* borrowed */
    bool mean;                  /* lines are means of their worlds */
    uint32_t *line;  /* [set->worlds]: of each world */
    uint32_t *size;  /* [count]: worlds that a line is of */
    int32_t *first;  /* [count]: the first of them */
    bool *shares;    /* [count]: another line has the same parameters */
    uint32_t count;  /* lines, in the order of their first worlds */
    bool mixed;      /* a mean is of all worlds, as no two have the same parameters */
} mass_plot_worlds;

/* Without `mean`, each world is a line. With it, worlds of the same parameters are one, or all of them where no two
 * have the same. The caller frees it, also on failure. */
mass_status mass_plot_worlds_make(const mass_series_set *set, bool mean, mass_plot_worlds *out, mass_error *error);
void mass_plot_worlds_free(mass_plot_worlds *); /* all zero is fine */

/* "growback = 2", "growback = 2, world 3" where another world has the same, "world 3" where nothing is swept, or of a
 * mean "growback = 2, 4 worlds"; "" where there is one world, or the mean is of all. Fit for a terminal. */
void mass_plot_worlds_label(const mass_plot_worlds *w, uint32_t line, char *out, size_t room);

/* From the values of all worlds, by_row[rows][worlds], out[count][3][rows]: of each line the mean of what is finite,
 * and what is one standard deviation of the sample below and above it, which is no number for less than two values. */
void mass_plot_worlds_mean(const mass_plot_worlds *w, const double *by_row, size_t rows, double *out);

#endif
