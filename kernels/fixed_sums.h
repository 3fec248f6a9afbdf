/* SPDX-License-Identifier: Apache-2.0 */
/* Fixed-point sums over ranks. A sum modulo 2^64 does not show that it overflowed, or that a rank's sum did. So ranks
 * also add the upper halves of their sums, and these show both. */
#ifndef MASS_KERNELS_FIXED_SUMS_H
#define MASS_KERNELS_FIXED_SUMS_H

#include <mass/arithmetic.h>

/* Splits a rank's sum into two words. Ranks add each word; up to 2^16 ranks. If the sum has overflowed, mass_fixed_join
 * will return MASS_NO_SUM. */
MASS_FN void mass_fixed_split(int64_t sum, int64_t parts[2])
{
    const int64_t none = (int64_t)1 << 47; /* upper halves of 2^16 sums cannot cancel it */
    const int beyond = mass_beyond_fixed(sum) < 0;
    parts[0] = beyond ? 0 : sum;
    parts[1] = beyond ? none : sum >> 32;
}

/* Returns the sum over all ranks from the sums of their words, or MASS_NO_SUM if it overflowed. The upper halves leave
 * out less than 2^32 for each rank. So the sum has not wrapped while their total is below 1.5 * 2^30. */
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
    int join; /* not 0: make sums from parts; 0: make parts from sums */
} mass_fixed_work;

/* Splits sum i into two parts, or joins them into the sum (w->join). */
MASS_FN void mass_fixed_do(const mass_fixed_work *w, int64_t i)
{
    if (w->join) w->sums[i] = mass_fixed_join(w->parts + 2 * i);
    else mass_fixed_split(w->sums[i], w->parts + 2 * i);
}

#endif
