/* SPDX-License-Identifier: Apache-2.0 */
/* The bins of Histogram as bars of text. */
#ifndef HISTOGRAM_CHART_H
#define HISTOGRAM_CHART_H

#include <mass/plugin.h>

/* A tally of `bins` bins, from `lo` on and so wide each. */
typedef struct chart {
    const char *tally;
    int64_t bins;
    double lo, width;
} chart;

/* Prints from the first bin that counts anything to the last one, so many together that there are at most `rows`, 1 or
 * more. Prints nothing where nothing is counted. */
mass_status chart_say(mass_host *host, const chart *c, int64_t rows);

#endif
