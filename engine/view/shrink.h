/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of values become the indices of pixels, row after row: by their mean, by the index that most of them have, or
 * by the largest. The mean gives the pixels of mass_raster_rows (io/picture/image.h). One thread at a time. */
#ifndef MASS_ENGINE_VIEW_SHRINK_H
#define MASS_ENGINE_VIEW_SHRINK_H

#include "io/picture/image.h"
#include "view/question.h"

typedef struct mass_shrink {
    mass_view_rule rule;
    mass_gidx width, height; /* in values; the last block of a row and of a column may be smaller, of */
    mass_gidx factor;        /* this side */
    double low, high;        /* as of a palette, */
    int last;                /* of which only these are used */
    uint32_t type;           /* mass_type of the values */
    size_t stride;           /* bytes from value to value of a row */
    uint8_t *index;          /* the pixels [(height - 1) / factor + 1][(width - 1) / factor + 1] */
    double least, most;      /* of all values so far that are numbers: set to INFINITY and -INFINITY before */
    mass_gidx row;           /* the next one */
    void *memory;            /* of the blocks under way; owned */
} mass_shrink;

/* Of a shrink whose members are set up to `most`. */
mass_status mass_shrink_begin(mass_shrink *s, mass_error *error);
/* The next rows, `pitch` bytes apart. */
void mass_shrink_rows(mass_shrink *s, const void *rows, mass_gidx count, size_t pitch);
void mass_shrink_end(mass_shrink *s);

#endif
