/* SPDX-License-Identifier: Apache-2.0 */
/* A chart of Histogram's bins: bars of text. */
#ifndef HISTOGRAM_CHART_H
#define HISTOGRAM_CHART_H

#include <mass/plugin.h>

/* A tally of `bins` bins, each of which is `width` wide; the first begins at `lo`. */
typedef struct chart {
    const char *tally;
    int64_t bins;
    double lo, width;
} chart;

/* Prints the bins from the first to the last one with a count. It combines neighbours so that there are at most `rows`
 * rows, 1 or more. It prints nothing if all counts are 0. */
mass_status chart_say(mass_host *host, const chart *c, int64_t rows);

#endif
