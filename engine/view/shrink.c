/* SPDX-License-Identifier: Apache-2.0 */
#include "view/shrink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INDICES = 256 };

/* A block under way. */
typedef struct block {
    double sum; /* or the largest */
    int64_t count;
} block;

static mass_gidx columns_of(const mass_shrink *s) { return (s->width - 1) / s->factor + 1; }

mass_status mass_shrink_begin(mass_shrink *s, mass_error *error)
{
    const size_t columns = (size_t)columns_of(s);
    const size_t bytes = s->rule == MASS_VIEW_MOST ? columns * INDICES * sizeof(uint32_t) : columns * sizeof(block);
    s->memory = calloc(1, bytes);
    return s->memory ? MASS_OK : mass_error_memory(error, bytes, "a picture");
}

void mass_shrink_end(mass_shrink *s)
{
    free(s->memory);
    s->memory = NULL;
}

static uint8_t index_of(const mass_shrink *s, double value)
{
    const double part = (value - s->low) / (s->high - s->low);
    if (!(part > 0)) return 0;
    return (uint8_t)(part < 1 ? part * s->last + 0.5 : s->last);
}

/* ---- one row of one type ---- */

/* The sum goes from value to value in the order of the row, so that it is the same however rows come. */
#define ADD_ROW(name, T)                                                                              \
    static void add_##name(mass_shrink *s, const char *row)                                           \
    {                                                                                                 \
        block *b = s->memory;                                                                         \
        uint32_t *counts = s->memory;                                                                 \
        double least = s->least, most = s->most;                                                      \
        for (mass_gidx x = 0; x < s->width; b++, counts += INDICES) {                                 \
            const mass_gidx end = s->width - x < s->factor ? s->width : x + s->factor;                \
            for (; x < end; x++) {                                                                    \
                T taken;                                                                              \
                memcpy(&taken, row + (size_t)x * s->stride, sizeof taken);                            \
                const double value = (double)taken;                                                   \
                if (isnan(value)) continue;                                                           \
                least = value < least ? value : least;                                                \
                most = value > most ? value : most;                                                   \
                if (s->rule == MASS_VIEW_MOST) counts[index_of(s, value)]++;                          \
                else if (s->rule == MASS_VIEW_MEAN) b->sum += value, b->count++;                      \
                else if (b->count++ == 0 || value > b->sum) b->sum = value;                           \
            }                                                                                         \
        }                                                                                             \
        s->least = least;                                                                             \
        s->most = most;                                                                               \
    }

ADD_ROW(i8, int8_t)
ADD_ROW(u8, uint8_t)
ADD_ROW(i16, int16_t)
ADD_ROW(u16, uint16_t)
ADD_ROW(i32, int32_t)
ADD_ROW(u32, uint32_t)
ADD_ROW(i64, int64_t)
ADD_ROW(u64, uint64_t)
ADD_ROW(f32, float)
ADD_ROW(f64, double)

static void add_row(mass_shrink *s, const char *row)
{
    switch (s->type) {
    case MASS_I8: add_i8(s, row); break;
    case MASS_U8:
    case MASS_BIT: add_u8(s, row); break;
    case MASS_I16: add_i16(s, row); break;
    case MASS_U16: add_u16(s, row); break;
    case MASS_I32: add_i32(s, row); break;
    case MASS_U32: add_u32(s, row); break;
    case MASS_I64: add_i64(s, row); break;
    case MASS_U64: add_u64(s, row); break;
    case MASS_F32: add_f32(s, row); break;
    default: add_f64(s, row); break;
    }
}

/* ---- rows of blocks ---- */

/* Of several that are as frequent, the lowest. */
static uint8_t most_frequent(const uint32_t *counts)
{
    int best = 0;
    for (int i = 1; i < INDICES; i++)
        if (counts[i] > counts[best]) best = i;
    return (uint8_t)best;
}

static uint8_t index_of_block(const mass_shrink *s, mass_gidx column)
{
    if (s->rule == MASS_VIEW_MOST) return most_frequent((const uint32_t *)s->memory + column * INDICES);
    const block *b = (const block *)s->memory + column;
    if (b->count == 0) return 0;
    return index_of(s, s->rule == MASS_VIEW_MEAN ? b->sum / (double)b->count : b->sum);
}

static void finish_blocks(mass_shrink *s)
{
    const mass_gidx columns = columns_of(s);
    uint8_t *to = s->index + (s->row - 1) / s->factor * columns;
    for (mass_gidx c = 0; c < columns; c++) to[c] = index_of_block(s, c);
    memset(s->memory, 0, (size_t)columns * (s->rule == MASS_VIEW_MOST ? INDICES * sizeof(uint32_t) : sizeof(block)));
}

void mass_shrink_rows(mass_shrink *s, const void *rows, mass_gidx count, size_t pitch)
{
    for (mass_gidx i = 0; i < count; i++) {
        add_row(s, (const char *)rows + (size_t)i * pitch);
        s->row++;
        if (s->row % s->factor == 0 || s->row == s->height) finish_blocks(s);
    }
}
