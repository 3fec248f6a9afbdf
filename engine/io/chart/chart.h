/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of numbers: as text with half-block characters, with two pixels in a character; or as a PNG, SVG or PDF, which
 * gnuplot draws. */
#ifndef MASS_ENGINE_IO_CHART_CHART_H
#define MASS_ENGINE_IO_CHART_CHART_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct mass_chart_line {
    const char *label;
    const double *y; /* [count]; numbers that are not finite are left out */
    const double *low, *high; /* [count]: a band around the line, drawn if both are finite; NULL: none */
} mass_chart_line;

typedef enum mass_chart_kind {
    MASS_CHART_LINES, /* lines from point to point */
    MASS_CHART_BARS,  /* of one line: bars from 0 to its points, centred on them */
    MASS_CHART_BINS   /* of one line: such bars of equal width, which together fill x_first to x_last */
} mass_chart_kind;

typedef struct mass_chart {
    const char *x_label, *y_label; /* safe for a terminal: base/escape.h */
    mass_chart_kind kind;
    double x_first, x_last;
    size_t count, line_count; /* count: points of each line */
    const mass_chart_line *lines;
    bool counts; /* numbers are counts, so the y axis does not go below 0 */
    bool y_min_given, y_max_given; /* y_min or y_max is an end of the y axis; points beyond it are not drawn */
    double y_min, y_max; /* at most 1e300 */
} mass_chart;

/* Returns true if the chart has a finite number to draw. */
bool mass_chart_has_numbers(const mass_chart *chart);

/* Draws the chart as lines of text, which the caller frees; NULL: out of memory. The text is at most `columns` wide and
 * `rows` high, but not below a useful size. It includes the legend of several lines, with as many names as fit. With
 * `colour`, ANSI sequences tell lines apart; without it, or if there are more lines than colours, letters do. */
char *mass_chart_draw(const mass_chart *chart, int columns, int rows, bool colour);

/* Writes a chart that has numbers, or several charts of lines one below the other, without those that have none.
 * gnuplot, which has to be installed (else MASS_FAILED), draws them. The ending of the file's name gives the format:
 * one that mass_chart_format_of knows. The file appears complete or not at all. Without `force`, it replaces only a
 * chart or a picture of this program (else MASS_BAD_USAGE). The caller ignores SIGPIPE. */
mass_status mass_chart_write(const mass_chart *charts, size_t count, const char *path, bool force, mass_error *error);

#endif
