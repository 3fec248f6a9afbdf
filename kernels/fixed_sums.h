/* SPDX-License-Identifier: Apache-2.0 */
/* Sums in fixed point over ranks. A sum of words modulo 2^64 does not show that it wrapped, or that a rank had none:
 * so each word goes with its upper half, and a sum of these shows both. */
#ifndef MASS_KERNELS_FIXED_SUMS_H
#define MASS_KERNELS_FIXED_SUMS_H

#include <mass/arithmetic.h>

/* A rank's sum as two words, which are added to those of other ranks, up to 2^16 ranks in all. */
MASS_FN void mass_fixed_split(int64_t sum, int64_t parts[2])
{
    const int64_t none = (int64_t)1 << 47; /* upper halves of 2^16 sums do not make up for it */
    const int beyond = mass_beyond_fixed(sum) < 0;
    parts[0] = beyond ? 0 : sum;
    parts[1] = beyond ? none : sum >> 32;
}

/* The sum over all ranks, from the sums of their parts. Upper halves leave out less than 2^32 for each rank: while they
 * come to less than 1.5 times 2^62, the words have not wrapped. */
MASS_FN int64_t mass_fixed_join(const int64_t parts[2])
{
    const int64_t most = (int64_t)3 << 29;
    return parts[1] >= most || parts[1] < -most ? MASS_NO_SUM : mass_sum_fixed(parts[0], 0);
}

/* Pointers are addresses on the device. */
typedef struct mass_fixed_work {
    int64_t *sums;  /* [count] */
    int64_t *parts; /* [count][2] */
    int64_t count;
    int join; /* sums become what parts have come to; else parts are made of sums */
} mass_fixed_work;

MASS_FN void mass_fixed_do(const mass_fixed_work *w, int64_t i)
{
    if (w->join) w->sums[i] = mass_fixed_join(w->parts + 2 * i);
    else mass_fixed_split(w->sums[i], w->parts + 2 * i);
}

#endif
