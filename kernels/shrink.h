/* SPDX-License-Identifier: Apache-2.0 */
/* Turns blocks of places into pixels. A block has factor x factor values, fewer at the far edges of a box. Each block
 * becomes one index of a palette. The mean gives the same pixels as a PNG of the same box (--image): it adds in double,
 * row by row, so every device gets the same bits. */
#ifndef MASS_KERNELS_SHRINK_H
#define MASS_KERNELS_SHRINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum mass_shrink_rule {
    MASS_SHRINK_MEAN, /* the index of the mean without NaN; 0 if there is no number */
    MASS_SHRINK_MOST, /* the most frequent index, the lowest of several */
    MASS_SHRINK_LARGEST
} mass_shrink_rule;

/* Rows of a box that one array holds. */
typedef struct mass_shrink_part {
    const void *base;    /* the box's first column in row `first`; for bits, the byte that holds it */
    int64_t first, rows; /* of the box */
    int64_t pitch;       /* bytes between rows */
} mass_shrink_part;

typedef struct mass_shrink_work {
    const mass_shrink_part *parts; /* [part_count] in the order of their rows, without gaps */
    int32_t part_count;
    uint32_t type;                 /* mass_type of the values */
    bool bits;                     /* values are bits, eight a byte, lowest first */
    int32_t bit;                   /* of the first column, in its byte */
    int64_t stride;                /* bytes between columns; not for bits */
    int64_t width, height, factor; /* of the box, in places; places along a side of a block */
    mass_shrink_rule rule;
    double low, high; /* the values that become index 0 and index `last` */
    int last;
    bool ranged;      /* false: the caller also wants the least and the greatest value */
} mass_shrink_work;

/* Return the pixels along each side of the frame. */
static inline int64_t mass_shrink_columns(const mass_shrink_work *w) { return (w->width - 1) / w->factor + 1; }
static inline int64_t mass_shrink_rows(const mass_shrink_work *w) { return (w->height - 1) / w->factor + 1; }

#endif
