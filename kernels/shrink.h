/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of places become pixels: the values of a block, factor x factor of them and fewer at the far edges of a box,
 * become one index of a palette. The mean gives the pixels of a PNG of the same box (--image): it adds in
 * double, row by row, so that it is the same bits wherever it is computed. */
#ifndef MASS_KERNELS_SHRINK_H
#define MASS_KERNELS_SHRINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum mass_shrink_rule {
    MASS_SHRINK_MEAN, /* the index of the mean, NaN left out; 0 where there is no number */
    MASS_SHRINK_MOST, /* the index that most values have, the lowest of several */
    MASS_SHRINK_LARGEST
} mass_shrink_rule;

/* Some rows of a box that lie in one array. */
typedef struct mass_shrink_part {
    const void *base;    /* of the box's first column in row `first`; of bits, of the byte that has it */
    int64_t first, rows; /* of the box */
    int64_t pitch;       /* bytes from row to row */
} mass_shrink_part;

typedef struct mass_shrink_work {
    const mass_shrink_part *parts; /* [part_count] in the order of their rows, without a gap */
    int32_t part_count;
    uint32_t type;                 /* mass_type of the values */
    bool bits;                     /* eight a byte, the lowest first */
    int32_t bit;                   /* the first column's in its byte */
    int64_t stride;                /* bytes from column to column; not of bits */
    int64_t width, height, factor; /* of the box, and of a block, in places */
    mass_shrink_rule rule;
    double low, high; /* become index 0, and */
    int last;
    bool ranged;      /* nobody wants to know what the values lie between */
} mass_shrink_work;

/* Pixels along each side of the frame. */
static inline int64_t mass_shrink_columns(const mass_shrink_work *w) { return (w->width - 1) / w->factor + 1; }
static inline int64_t mass_shrink_rows(const mass_shrink_work *w) { return (w->height - 1) / w->factor + 1; }

#endif
