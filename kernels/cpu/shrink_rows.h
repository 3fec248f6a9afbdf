/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of mass_cpu_shrink: the state of a call, rows and indices. */
#ifndef MASS_KERNELS_CPU_SHRINK_ROWS_H
#define MASS_KERNELS_CPU_SHRINK_ROWS_H

#include "cpu/kernels.h"

typedef struct shrink {
    const mass_shrink_work *work;
    void *memory;
    const uint8_t *table; /* the index of each sum of table_places places; or NULL */
    int64_t table_places;
    double least, most;
} shrink;

/* Returns the colour index of a value: 0 to w->last, in proportion to its position from w->low to w->high. NaN: 0. */
static inline uint8_t index_of(const mass_shrink_work *w, double value)
{
    const double part = (value - w->low) / (w->high - w->low);
    if (!(part > 0)) return 0;
    return (uint8_t)(part < 1 ? part * w->last + 0.5 : w->last);
}

/* Returns row y of the box, which one of the parts holds. */
static inline const char *row_at(const mass_shrink_work *w, int64_t y)
{
    const mass_shrink_part *p = w->parts;
    while (y >= p->first + p->rows) p++;
    return (const char *)p->base + (y - p->first) * p->pitch;
}

/* Returns the end of the block of columns that begins at x; the box may cut it off. */
static inline int64_t block_end(const mass_shrink_work *w, int64_t x)
{
    return w->width - x < w->factor ? w->width : x + w->factor;
}

/* Returns the index of the mean of `places` values, from the table if that has it. */
static inline uint8_t index_of_sum(const shrink *s, int64_t sum, int64_t places)
{
    return s->table && places == s->table_places ? s->table[sum] : index_of(s->work, (double)sum / (double)places);
}

/* Puts a row of pixels: the indices of the means of bits of rows `first` to `end` - 1. */
void mass_shrink_bits(shrink *s, int64_t first, int64_t end, uint8_t *to);

#endif
