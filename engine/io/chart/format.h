/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of chart files: PNG, SVG and PDF. Each file has a mark of this program: a PNG as pictures have it, the
 * others as a comment at their end. */
#ifndef MASS_ENGINE_IO_CHART_FORMAT_H
#define MASS_ENGINE_IO_CHART_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mass_chart_format {
    const char *ending;   /* ".svg" */
    const char *name;     /* "SVG" */
    const char *terminal; /* gnuplot's terminal; a gnuplot may lack it */
    const char *options;  /* of the terminal, a printf format: takes the height for a width of 1,200, times `scale` */
    double scale;
    const char *mark;     /* appended to the file; NULL: mass_png_mark, inserted after the first chunk */
} mass_chart_format;

/* Returns the format of a file name's ending; NULL: none has it. */
const mass_chart_format *mass_chart_format_of(const char *path);

/* Returns true if a file that gnuplot wrote is complete. gnuplot may report success although a write failed. */
bool mass_chart_is_whole(const mass_chart_format *format, const unsigned char *bytes, size_t size);

/* Decides for mass_publish: true if *force, or if the file is a chart or a picture of this program. If not, errno is
 * EEXIST, or the reason why the file cannot be read. */
bool mass_chart_may_replace(const void *force, const char *path);

#endif
