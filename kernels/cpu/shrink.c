/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of places become pixels on a CPU (shrink.h). Sums of small integers go down the columns first, several at
 * once, since their order makes no difference. */
#include "cpu/kernels.h"

#include <mass/types.h>

#include <math.h>
#include <string.h>

enum { INDICES = 256 };

/* Of a pixel under way. */
typedef struct block {
    double sum; /* or the largest */
    int64_t count;
} block;

typedef struct shrink {
    const mass_shrink_work *work;
    void *memory;
    double least, most;
} shrink;

static bool is_short(const mass_shrink_work *w)
{
    return w->rule == MASS_SHRINK_MEAN && w->ranged && !w->bits && w->stride == 1;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

size_t mass_cpu_shrink_memory(const mass_shrink_work *w)
{
    const size_t columns = (size_t)mass_shrink_columns(w);
    const size_t blocks = columns * (w->rule == MASS_SHRINK_MOST ? INDICES * sizeof(uint32_t) : sizeof(block));
    return larger(blocks, (size_t)w->width * sizeof(uint32_t));
}

static uint8_t index_of(const mass_shrink_work *w, double value)
{
    const double part = (value - w->low) / (w->high - w->low);
    if (!(part > 0)) return 0;
    return (uint8_t)(part < 1 ? part * w->last + 0.5 : w->last);
}

static const char *row_at(const mass_shrink_work *w, int64_t y)
{
    const mass_shrink_part *p = w->parts;
    while (y >= p->first + p->rows) p++;
    return (const char *)p->base + (y - p->first) * p->pitch;
}

static int64_t block_end(const mass_shrink_work *w, int64_t x)
{
    return w->width - x < w->factor ? w->width : x + w->factor;
}

/* ---- any type, value by value ---- */

static void put(shrink *s, double value, block *b, uint32_t *counts)
{
    if (isnan(value)) return;
    s->least = value < s->least ? value : s->least;
    s->most = value > s->most ? value : s->most;
    if (s->work->rule == MASS_SHRINK_MOST) counts[index_of(s->work, value)]++;
    else if (s->work->rule == MASS_SHRINK_MEAN) b->sum += value, b->count++;
    else if (b->count++ == 0 || value > b->sum) b->sum = value;
}

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

static void add_bits(shrink *s, const char *row)
{
    const mass_shrink_work *w = s->work;
    block *b = s->memory;
    uint32_t *counts = s->memory;
    for (int64_t x = 0; x < w->width; b++, counts += INDICES)
        for (const int64_t end = block_end(w, x); x < end; x++)
            put(s, row[(w->bit + x) / 8] >> (w->bit + x) % 8 & 1, b, counts);
}

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

static uint8_t most_frequent(const uint32_t *counts)
{
    int best = 0;
    for (int i = 1; i < INDICES; i++)
        if (counts[i] > counts[best]) best = i;
    return (uint8_t)best;
}

static uint8_t index_of_block(const shrink *s, int64_t column)
{
    const mass_shrink_work *w = s->work;
    if (w->rule == MASS_SHRINK_MOST) return most_frequent((const uint32_t *)s->memory + column * INDICES);
    const block *b = (const block *)s->memory + column;
    if (b->count == 0) return 0;
    return index_of(w, w->rule == MASS_SHRINK_MEAN ? b->sum / (double)b->count : b->sum);
}

static void shrink_values(shrink *s, int64_t first, int64_t end, uint8_t *to)
{
    const int64_t columns = mass_shrink_columns(s->work);
    memset(s->memory, 0, (size_t)columns * (s->work->rule == MASS_SHRINK_MOST ? INDICES * sizeof(uint32_t)
                                                                              : sizeof(block)));
    for (int64_t y = first; y < end; y++) add_row(s, row_at(s->work, y));
    for (int64_t c = 0; c < columns; c++) to[c] = index_of_block(s, c);
}

/* ---- the mean of bytes and bits ---- */

/* Each index is found once. */
static void look_up(const mass_shrink_work *w, const uint8_t *row, uint8_t *to)
{
    uint8_t table[INDICES];
    for (int i = 0; i < INDICES; i++) table[i] = index_of(w, w->type == MASS_I8 ? (double)(int8_t)i : (double)i);
    for (int64_t x = 0; x < w->width; x++) to[x] = table[row[x]];
}

static void sum_bytes(const mass_shrink_work *w, const uint8_t *row, uint32_t *sums)
{
    if (w->type == MASS_I8)
        for (int64_t x = 0; x < w->width; x++) sums[x] += (uint32_t)(int32_t)(int8_t)row[x];
    else
        for (int64_t x = 0; x < w->width; x++) sums[x] += row[x];
}

static void shrink_bytes(shrink *s, int64_t first, int64_t end, uint8_t *to)
{
    const mass_shrink_work *w = s->work;
    uint32_t *sums = s->memory;
    if (w->factor == 1) {
        look_up(w, (const uint8_t *)row_at(w, first), to);
        return;
    }
    memset(sums, 0, (size_t)w->width * sizeof *sums);
    for (int64_t y = first; y < end; y++) sum_bytes(w, (const uint8_t *)row_at(w, y), sums);
    for (int64_t x = 0; x < w->width; to++) {
        const int64_t from = x, last = block_end(w, x);
        int64_t sum = 0;
        for (; x < last; x++) sum += (int32_t)sums[x];
        *to = index_of(w, (double)sum / (double)((last - from) * (end - first)));
    }
}

/* How many of `count` bits from number `at` on are 1. */
static int64_t count_bits(const uint8_t *row, int64_t at, int64_t count)
{
    int64_t found = 0;
    while (count > 0) {
        uint64_t word = 0;
        const int64_t skipped = at % 8, taken = count < 64 - skipped ? count : 64 - skipped;
        memcpy(&word, row + at / 8, (size_t)(skipped + taken + 7) / 8);
        word = word >> skipped;
        found += __builtin_popcountll(taken < 64 ? word & (((uint64_t)1 << taken) - 1) : word);
        at += taken;
        count -= taken;
    }
    return found;
}

static void shrink_bits(shrink *s, int64_t first, int64_t end, uint8_t *to)
{
    const mass_shrink_work *w = s->work;
    const int64_t columns = mass_shrink_columns(w);
    uint32_t *sums = s->memory;
    memset(sums, 0, (size_t)columns * sizeof *sums);
    for (int64_t y = first; y < end; y++) {
        const uint8_t *row = (const uint8_t *)row_at(w, y);
        for (int64_t c = 0; c < columns; c++) {
            const int64_t x = c * w->factor;
            sums[c] += (uint32_t)count_bits(row, w->bit + x, block_end(w, x) - x);
        }
    }
    for (int64_t c = 0; c < columns; c++) {
        const int64_t x = c * w->factor, places = (block_end(w, x) - x) * (end - first);
        to[c] = index_of(w, (double)sums[c] / (double)places);
    }
}

void mass_cpu_shrink(const mass_shrink_work *w, int64_t first, int64_t count, void *memory, uint8_t *index,
                     double range[2])
{
    shrink s = {w, memory, range[0], range[1]};
    for (int64_t row = first; row < first + count; row++) {
        const int64_t from = row * w->factor, end = w->height - from < w->factor ? w->height : from + w->factor;
        uint8_t *to = index + row * mass_shrink_columns(w);
        const bool bytes = w->type == MASS_U8 || w->type == MASS_I8 || w->type == MASS_BIT;
        if (bytes && is_short(w)) shrink_bytes(&s, from, end, to);
        else if (w->bits && w->rule == MASS_SHRINK_MEAN && w->ranged) shrink_bits(&s, from, end, to);
        else shrink_values(&s, from, end, to);
    }
    range[0] = s.least;
    range[1] = s.most;
}
