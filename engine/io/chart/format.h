/* SPDX-License-Identifier: Apache-2.0 */
/* What a chart may be written as: a PNG, an SVG or a PDF. Each says whose it is: a PNG as pictures do, the others in a
 * comment at their end. */
#ifndef MASS_ENGINE_IO_CHART_FORMAT_H
#define MASS_ENGINE_IO_CHART_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mass_chart_format {
    const char *ending;   /* ".svg" */
    const char *name;     /* "SVG" */
    const char *terminal; /* of gnuplot, which may lack it */
    const char *options;  /* of that, with the height of the chart for one of 1,200 wide, by `scale` */
    double scale;
    const char *mark;     /* what is put at the end of the file; NULL: mass_png_mark stands after its first chunk */
} mass_chart_format;

/* By the ending of a file's name; NULL: it is none of them. */
const mass_chart_format *mass_chart_format_of(const char *path);

/* Whether a file that gnuplot wrote is complete: it ends well though a disk did not take what it wrote. */
bool mass_chart_is_whole(const mass_chart_format *format, const unsigned char *bytes, size_t size);

/* For mass_publish: *force, or the file is a chart or a picture of this program. */
bool mass_chart_may_replace(const void *force, const char *path);

#endif
