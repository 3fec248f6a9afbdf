/* SPDX-License-Identifier: Apache-2.0 */
/* The values of tallies that bodies read. */
#ifndef MASS_KERNELS_SETTLE_H
#define MASS_KERNELS_SETTLE_H

#include <mass/impl/exact.h>

/* How the accumulators of a tally become a value: an integer, a sum in fixed point, an exact sum, a mean, or the least
 * or greatest integer or double. */
enum { MASS_SETTLE_INTEGER, MASS_SETTLE_FIXED, MASS_SETTLE_EXACT, MASS_SETTLE_MEAN, MASS_SETTLE_EXTREME };

/* Writes the value of one tally in all worlds. Pointers are addresses on the device. */
typedef struct mass_settle_work {
    int32_t worlds;
    uint32_t words;      /* accumulators a world */
    uint32_t how;        /* MASS_SETTLE_... */
    int real;            /* the value is a double, else an int64_t */
    int64_t neutral;     /* EXTREME: an accumulator without contributions */
    int before;          /* 1: the tally was not counted yet */
    double initial;      /* the value then, and of a minimum, maximum or mean of nothing */
    const int64_t *tally; /* [worlds][words] */
    uint64_t *values;    /* [worlds] out: the bits of the values */
} mass_settle_work;

/* Returns the bits of `initial`, converted to the type of the value. */
MASS_FN uint64_t mass_settled_initial(const mass_settle_work *w)
{
    return w->real ? mass_bits_f64(w->initial) : (uint64_t)mass_i64_f64(w->initial);
}

/* Returns the value of a least or greatest contribution. A thread without contributions leaves an infinity. */
MASS_FN uint64_t mass_settled_extreme(const mass_settle_work *w, int64_t accumulator)
{
    if (accumulator == w->neutral) return mass_settled_initial(w);
    if (!w->real) return (uint64_t)accumulator;
    const double value = mass_f64_rank(accumulator);
    const double none = mass_f64_bits(w->neutral > 0 ? 0x7ff0000000000000ull : 0xfff0000000000000ull);
    return value == none ? mass_settled_initial(w) : mass_bits_f64(value);
}

/* Returns the bits of the value in one world: a double if w->real, else an int64_t. It is `initial` before the first
 * count, and for a mean or an extreme of nothing. A fixed-point sum that overflowed is MASS_NO_SUM. */
MASS_FN uint64_t mass_settled(const mass_settle_work *w, int32_t world)
{
    const int64_t *const own = w->tally + (int64_t)world * w->words;
    if (w->before) return mass_settled_initial(w);
    switch (w->how) {
    case MASS_SETTLE_FIXED: return (uint64_t)mass_sum_fixed(*own, 0);
    case MASS_SETTLE_EXACT: return mass_bits_f64(mass_exact_value(own));
    case MASS_SETTLE_MEAN:
        return own[MASS_EXACT_COUNT] ? mass_bits_f64(mass_exact_mean(own)) : mass_settled_initial(w);
    case MASS_SETTLE_EXTREME: return mass_settled_extreme(w, *own);
    default: return (uint64_t)*own;
    }
}

#endif
