/* SPDX-License-Identifier: Apache-2.0 */
/* Which bin an item falls into: compiled for the CPU, and for CUDA where nvcc is found. */
#include "kernels.h"

#include <mass/mass.h>

#define BYTES(FIELD)                       \
    FIELD(item,   uint8_t, READ, item)     \
    FIELD(counts, int64_t, BINS, counts)

MASS_MAP(histogram_bytes, BYTES) { COUNT_IN(counts, IN(item)); }

/* Bin i holds lo + i * (hi - lo) / bins and what is above, up to the next; the last one hi too. Where all of that is
 * below 2^32: `first` is lo, `last` the last number that is below hi, `closed` 1 if hi itself can be. */
#define SHIFT(FIELD, TYPE)                 \
    FIELD(item,   TYPE,    READ,  item)    \
    FIELD(first,  int64_t, PARAM, first)   \
    FIELD(last,   int64_t, PARAM, last)    \
    FIELD(closed, int64_t, PARAM, closed)  \
    FIELD(shift,  int64_t, PARAM, shift)   \
    FIELD(counts, int64_t, BINS,  counts)  \
    FIELD(apart,  int64_t, BINS,  apart)

#define SHIFT_BODY                                                                                    \
    {                                                                                                 \
        const uint32_t span = (uint32_t)PARAM(last) - (uint32_t)PARAM(first);                         \
        const uint32_t from_lo = (uint32_t)IN(item) - (uint32_t)PARAM(first);                         \
        const uint32_t at = from_lo - ((from_lo == span + 1) & (uint32_t)PARAM(closed));              \
        COUNT_IN(counts, at <= span ? at >> PARAM(shift) : UINT32_MAX);                               \
        if (at > span) COUNT_IN(apart, IN(item) < PARAM(first) ? APART_BELOW : APART_ABOVE);          \
    }

#define U16_SHIFT(FIELD) SHIFT(FIELD, uint16_t)
#define U32_SHIFT(FIELD) SHIFT(FIELD, uint32_t)
MASS_MAP(histogram_u16_shift, U16_SHIFT) SHIFT_BODY
MASS_MAP(histogram_u32_shift, U32_SHIFT) SHIFT_BODY

#define SCALE(FIELD, TYPE)                 \
    FIELD(item,   TYPE,    READ,  item)    \
    FIELD(lo,     double,  PARAM, begin)   \
    FIELD(hi,     double,  PARAM, end)     \
    FIELD(width,  double,  PARAM, width)   \
    FIELD(scale,  double,  PARAM, scale)   \
    FIELD(last,   int64_t, PARAM, last)    \
    FIELD(counts, int64_t, BINS,  counts)  \
    FIELD(apart,  int64_t, BINS,  apart)

/* Any others. An item falls into the bin whose beginning is nearest to it, or into the one before: rounding moves
 * neither by as much as half a bin, for bins that are too narrow are refused. */
#define SCALE_BODY                                                                                    \
    {                                                                                                 \
        const double v = (double)IN(item);                                                            \
        const int inside = (v >= PARAM(lo)) & (v <= PARAM(hi));                                       \
        const int32_t nearest = mass_i32_f64((v - PARAM(lo)) * PARAM(scale) + 0.5);                   \
        const int64_t bin = (int64_t)nearest - (v < PARAM(lo) + nearest * PARAM(width));              \
        COUNT_IN(counts, !inside ? -1 : bin < PARAM(last) ? bin : PARAM(last));                       \
        if (!inside)                                                                                  \
            COUNT_IN(apart, v != v ? APART_NAN : v - v != 0 ? APART_INFINITE                          \
                            : v < PARAM(lo) ? APART_BELOW : APART_ABOVE);                             \
    }

#define U16_SCALE(FIELD) SCALE(FIELD, uint16_t)
#define U32_SCALE(FIELD) SCALE(FIELD, uint32_t)
#define F32_SCALE(FIELD) SCALE(FIELD, float)
MASS_MAP(histogram_u16, U16_SCALE) SCALE_BODY
MASS_MAP(histogram_u32, U32_SCALE) SCALE_BODY
MASS_MAP(histogram_f32, F32_SCALE) SCALE_BODY

/* ---- words: as long as they can be, of bytes that are no space ---- */

MASS_FN int is_space(uint8_t byte) { return (byte >= 0x09 && byte <= 0x0d) | (byte == 0x20); }

#define FOLD(FIELD) FIELD(item, uint8_t, UPDATE, item)

MASS_MAP(histogram_fold, FOLD) { OUT(item) = (uint8_t)(OUT(item) + ((OUT(item) >= 'A') & (OUT(item) <= 'Z')) * 32); }

#ifndef __CUDACC__
/* How many of eight bytes come before the first space, without a branch: where words end surprises a processor. */
MASS_FN int64_t before_space(const uint8_t bytes[8])
{
    const uint64_t ones = 0x0101010101010101u, high = 0x80 * ones;
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    const uint64_t low = word & ~high, blank = ~((low ^ 0x20 * ones) + 0x7f * ones);
    const uint64_t control = (low + 0x77 * ones) & ~(low + 0x72 * ones); /* 9 to 13 */
    const uint64_t spaces = (blank | control) & ~word & high;
    return spaces ? __builtin_ctzll(spaces) / 8 : 8;
}
#endif

/* The bytes of a word that begins at text, which holds `most`. */
MASS_FN int64_t word_length(const uint8_t *text, int64_t most)
{
    int64_t length = 0;
#ifndef __CUDACC__
    while (most - length >= 8) {
        const int64_t found = before_space(text + length);
        length += found;
        if (found < 8) return length;
    }
#endif
    while (length < most && !is_space(text[length])) length++;
    return length;
}

#define WORDS(FIELD)                       \
    FIELD(text,   uint8_t, ITEMS, item)    \
    FIELD(counts, int64_t, KEYS,  counts)

/* Pieces end between words, so that a word is whole in its piece. */
MASS_MAP(histogram_words, WORDS)
{
    if (is_space(ITEM(text, 0)) || (ITEMS_BEFORE > 0 && !is_space(ITEM(text, -1)))) return;
    COUNT_TEXT(counts, ITEMS_AT(text), word_length(ITEMS_AT(text), ITEMS_LEFT));
}

#define STARTS(FIELD)                      \
    FIELD(text,  uint8_t, ITEMS, item)     \
    FIELD(total, int64_t, SUM,   total)

MASS_MAP(histogram_word_starts, STARTS)
{
    const int after_space = ITEMS_BEFORE > 0 ? is_space(ITEM(text, -1)) : 1;
    ADD(total, (uint8_t)(!is_space(ITEM(text, 0)) && after_space));
}
