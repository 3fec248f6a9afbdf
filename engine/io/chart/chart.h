/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of numbers: as text with half-block characters, two pixels to a character, or as a PNG, an SVG or a PDF
 * by gnuplot. */
#ifndef MASS_ENGINE_IO_CHART_CHART_H
#define MASS_ENGINE_IO_CHART_CHART_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct mass_chart_line {
    const char *label;
    const double *y; /* [count]; what is not finite is left out */
    const double *low, *high; /* [count]: a band around the line, where both are finite; NULL: none */
} mass_chart_line;

typedef enum mass_chart_kind {
    MASS_CHART_LINES, /* from point to point */
    MASS_CHART_BARS,  /* of one line, from 0 on, around their points */
    MASS_CHART_BINS   /* ... which share out what lies between x_first and x_last */
} mass_chart_kind;

typedef struct mass_chart {
    const char *x_label, *y_label; /* fit for a terminal: base/escape.h */
    mass_chart_kind kind;
    double x_first, x_last;
    size_t count, line_count; /* count: points of each line */
    const mass_chart_line *lines;
    bool counts; /* that are never below 0: neither is the y axis */
    bool y_min_given, y_max_given; /* where the y axis begins and ends; what is beyond it is not drawn */
    double y_min, y_max; /* at most 1e300 */
} mass_chart;

/* Whether there is anything to draw. */
bool mass_chart_has_numbers(const mass_chart *chart);

/* The chart as lines of text, which the caller frees; NULL without memory. It is at most `columns` wide and `rows`
 * high, with the legend of several lines, which names as many as have room; but no smaller than is of use. Lines are
 * told apart by ANSI sequences in colour, and by letters without, or where there are more of them than colours. */
char *mass_chart_draw(const mass_chart *chart, int columns, int rows, bool colour);

/* Writes a chart with numbers, or several of lines one below the other, by gnuplot, which has to be installed
 * (MASS_FAILED): as what the name of the file ends like, which mass_chart_format_of knows. The file appears complete or
 * not at all. SIGPIPE has to be ignored. */
mass_status mass_chart_write(const mass_chart *charts, size_t count, const char *path, bool force, mass_error *error);

#endif
