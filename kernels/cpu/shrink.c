/* SPDX-License-Identifier: Apache-2.0 */
/* Turns blocks of places into pixels on a CPU (shrink.h). Small integers are summed down the columns first, several
 * columns at once: their order makes no difference. */
#include "cpu/shrink_rows.h"

#include <mass/types.h>

#include <math.h>
#include <string.h>

enum {
    INDICES = 256,
    SHORT_ROWS = 255,     /* rows of bytes whose sum fits into 16 bits */
    TABLE_MOST = 1 << 16, /* most sums with a precomputed index */
    SLACK = 16            /* bytes after memory that is read in words */
};

/* The state of a pixel while rows are added. */
typedef struct block {
    double sum; /* or the largest value */
    int64_t count;
} block;

/* Returns whether pixels are means of contiguous values with a known range. */
static bool is_short(const mass_shrink_work *w)
{
    return w->rule == MASS_SHRINK_MEAN && w->ranged && !w->bits && w->stride == 1;
}

/* Returns the larger of two sizes. */
static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* Returns the bytes for the sums of a row of blocks. Bytes have one sum a column; bits have bit planes, as many as the
 * binary number of a block's rows. */
static size_t sums_size(const mass_shrink_work *w)
{
    return ((size_t)w->width * sizeof(uint32_t) + (size_t)SLACK * 32 + 63) / 64 * 64;
}

size_t mass_cpu_shrink_memory(const mass_shrink_work *w)
{
    const size_t columns = (size_t)mass_shrink_columns(w);
    const size_t blocks = columns * (w->rule == MASS_SHRINK_MOST ? INDICES * sizeof(uint32_t) : sizeof(block));
    return larger(blocks, sums_size(w) + TABLE_MOST);
}

/* ---- any type, value by value ---- */

/* Adds a value to its block and to the range of all values. Ignores NaN. */
static void put(shrink *s, double value, block *b, uint32_t *counts)
{
    if (isnan(value)) return;
    s->least = value < s->least ? value : s->least;
    s->most = value > s->most ? value : s->most;
    if (s->work->rule == MASS_SHRINK_MOST) counts[index_of(s->work, value)]++;
    else if (s->work->rule == MASS_SHRINK_MEAN) b->sum += value, b->count++;
    else if (b->count++ == 0 || value > b->sum) b->sum = value;
}

/* Defines add_NAME(): adds a row of values of type T to the blocks of pixels. */
#define ADD_ROW(name, T)                                                      \
    static void add_##name(shrink *s, const char *row)                        \
    {                                                                         \
        const mass_shrink_work *w = s->work;                                  \
        block *b = s->memory;                                                 \
        uint32_t *counts = s->memory;                                         \
        for (int64_t x = 0; x < w->width; b++, counts += INDICES)             \
            for (const int64_t end = block_end(w, x); x < end; x++) {         \
                T value;                                                      \
                memcpy(&value, row + x * w->stride, sizeof value);            \
                put(s, (double)value, b, counts);                             \
            }                                                                 \
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

/* Adds a row of bits to the pixels' blocks. */
static void add_bits(shrink *s, const char *row)
{
    const mass_shrink_work *w = s->work;
    block *b = s->memory;
    uint32_t *counts = s->memory;
    for (int64_t x = 0; x < w->width; b++, counts += INDICES)
        for (const int64_t end = block_end(w, x); x < end; x++)
            put(s, row[(w->bit + x) / 8] >> (w->bit + x) % 8 & 1, b, counts);
}

/* Adds a row of values of any type to the pixels' blocks and to the range. */
static void add_row(shrink *s, const char *row)
{
    if (s->work->bits) {
        add_bits(s, row);
        return;
    }
    switch (s->work->type) {
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

/* Returns the index that most values of a block have; of equal ones, the lowest. */
static uint8_t most_frequent(const uint32_t *counts)
{
    int best = 0;
    for (int i = 1; i < INDICES; i++)
        if (counts[i] > counts[best]) best = i;
    return (uint8_t)best;
}

/* Returns the index of a finished block; 0 if all its values are NaN. */
static uint8_t index_of_block(const shrink *s, int64_t column)
{
    const mass_shrink_work *w = s->work;
    if (w->rule == MASS_SHRINK_MOST) return most_frequent((const uint32_t *)s->memory + column * INDICES);
    const block *b = (const block *)s->memory + column;
    if (b->count == 0) return 0;
    return index_of(w, w->rule == MASS_SHRINK_MEAN ? b->sum / (double)b->count : b->sum);
}

/* Puts a row of pixels: the indices of blocks of rows `first` to `end` - 1. Any type and rule; extends the range. */
static void shrink_values(shrink *s, int64_t first, int64_t end, uint8_t *to)
{
    const int64_t columns = mass_shrink_columns(s->work);
    memset(s->memory, 0, (size_t)columns * (s->work->rule == MASS_SHRINK_MOST ? INDICES * sizeof(uint32_t)
                                                                              : sizeof(block)));
    for (int64_t y = first; y < end; y++) add_row(s, row_at(s->work, y));
    for (int64_t c = 0; c < columns; c++) to[c] = index_of_block(s, c);
}

/* ---- the mean of bytes ---- */

/* Computes the index of each byte value once, and looks them up. */
static void look_up(const mass_shrink_work *w, const uint8_t *row, uint8_t *to)
{
    uint8_t table[INDICES];
    for (int i = 0; i < INDICES; i++) table[i] = index_of(w, w->type == MASS_I8 ? (double)(int8_t)i : (double)i);
    for (int64_t x = 0; x < w->width; x++) to[x] = table[row[x]];
}

/* Computes the index of each sum that a whole block can have, if there are fewer sums than blocks: sets s->table and
 * s->table_places. rows: of pixels that are drawn. */
static void make_table(shrink *s, int64_t rows)
{
    const mass_shrink_work *w = s->work;
    const int64_t places = w->factor < INDICES ? w->factor * w->factor : TABLE_MOST;
    const int64_t least = w->bits || w->type != MASS_I8 ? 0 : -128 * places;
    const int64_t sums = w->bits ? places + 1 : 255 * places + 1;
    if (sums > TABLE_MOST || sums > rows * mass_shrink_columns(w)) return;
    uint8_t *table = (uint8_t *)s->memory + sums_size(w);
    for (int64_t i = 0; i < sums; i++) table[i] = index_of(w, (double)(least + i) / (double)places);
    s->table = table - least;
    s->table_places = places;
}

/* Defines sum_NAME(): adds a row of bytes to a sum for each column. */
#define SUM_ROW(name, T, S)                                                              \
    static void sum_##name(const uint8_t *restrict row, int64_t width, S *restrict sums) \
    {                                                                                    \
        for (int64_t x = 0; x < width; x++) sums[x] = (S)(sums[x] + (T)row[x]);          \
    }

SUM_ROW(short_i8, int8_t, int16_t)
SUM_ROW(short_u8, uint8_t, uint16_t)
SUM_ROW(i8, int8_t, int32_t)
SUM_ROW(u8, uint8_t, uint32_t)

/* Defines put_NAME(): writes the pixels of a row of blocks from the sums of the columns. */
#define PUT_SUMS(name, S)                                                                   \
    static void put_##name(const shrink *s, const S *sums, int64_t rows, uint8_t *to)       \
    {                                                                                       \
        const mass_shrink_work *w = s->work;                                                \
        for (int64_t x = 0; x < w->width; to++) {                                           \
            const int64_t from = x, last = block_end(w, x);                                 \
            int64_t sum = 0;                                                                \
            for (; x < last; x++) sum += sums[x];                                           \
            *to = index_of_sum(s, sum, (last - from) * rows);                               \
        }                                                                                   \
    }

PUT_SUMS(short_i8, int16_t)
PUT_SUMS(short_u8, uint16_t)
PUT_SUMS(i8, int32_t)
PUT_SUMS(u8, uint32_t)

/* Defines shrink_NAME(): makes a row of pixels from the rows `first` to `end`, with sums of type S. */
#define SHRINK_ROWS(name, S)                                                                             \
    static void shrink_##name(shrink *s, int64_t first, int64_t end, uint8_t *to)                        \
    {                                                                                                    \
        const mass_shrink_work *w = s->work;                                                             \
        S *sums = s->memory;                                                                             \
        memset(sums, 0, (size_t)w->width * sizeof *sums);                                                \
        for (int64_t y = first; y < end; y++) sum_##name((const uint8_t *)row_at(w, y), w->width, sums); \
        put_##name(s, sums, end - first, to);                                                            \
    }

SHRINK_ROWS(short_i8, int16_t)
SHRINK_ROWS(short_u8, uint16_t)
SHRINK_ROWS(i8, int32_t)
SHRINK_ROWS(u8, uint32_t)

/* Puts a row of pixels: the indices of the means of bytes of rows `first` to `end` - 1. */
static void shrink_bytes(shrink *s, int64_t first, int64_t end, uint8_t *to)
{
    const mass_shrink_work *w = s->work;
    const bool few = end - first <= SHORT_ROWS;
    if (w->factor == 1) look_up(w, (const uint8_t *)row_at(w, first), to);
    else if (w->type == MASS_I8) (few ? shrink_short_i8 : shrink_i8)(s, first, end, to);
    else (few ? shrink_short_u8 : shrink_u8)(s, first, end, to);
}

void mass_cpu_shrink(const mass_shrink_work *w, int64_t first, int64_t count, void *memory, uint8_t *index,
                     double range[2])
{
    shrink s = {.work = w, .memory = memory, .least = range[0], .most = range[1]};
    const bool bytes = w->type == MASS_U8 || w->type == MASS_I8 || w->type == MASS_BIT, small = bytes && is_short(w);
    const bool bits = w->bits && w->rule == MASS_SHRINK_MEAN && w->ranged;
    if (small || bits) make_table(&s, count);
    for (int64_t row = first; row < first + count; row++) {
        const int64_t from = row * w->factor, end = w->height - from < w->factor ? w->height : from + w->factor;
        uint8_t *to = index + row * mass_shrink_columns(w);
        if (small) shrink_bytes(&s, from, end, to);
        else if (bits) mass_shrink_bits(&s, from, end, to);
        else shrink_values(&s, from, end, to);
    }
    range[0] = s.least;
    range[1] = s.most;
}
