/* Which bin an item falls into: compiled for the CPU, and for CUDA where nvcc is found. */
#include "kernels.h"

#include <mass/mass.h>

#define BYTES(FIELD)                       \
    FIELD(item,   uint8_t, READ, item)     \
    FIELD(counts, int64_t, BINS, counts)

MASS_MAP(histogram_bytes, BYTES) { COUNT_IN(counts, IN(item)); }

/* Bin i begins at lo + i * width and ends where the next begins; the last one holds hi too. Integers, and bins as wide
 * as a power of two. */
#define SHIFT(FIELD, TYPE)                 \
    FIELD(item,   TYPE,    READ,  item)    \
    FIELD(lo,     int64_t, PARAM, first)   \
    FIELD(span,   int64_t, PARAM, span)    \
    FIELD(shift,  int64_t, PARAM, shift)   \
    FIELD(counts, int64_t, BINS,  counts)  \
    FIELD(apart,  int64_t, BINS,  apart)

#define SHIFT_BODY                                                                                    \
    {                                                                                                 \
        const uint64_t at = (uint64_t)((int64_t)IN(item) - PARAM(lo)), span = (uint64_t)PARAM(span);   \
        COUNT_IN(counts, at <= span ? (at - (at == span)) >> PARAM(shift) : UINT64_MAX);              \
        if (at > span) COUNT_IN(apart, (int64_t)at < 0 ? APART_BELOW : APART_ABOVE);                  \
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
