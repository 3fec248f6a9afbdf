/* SPDX-License-Identifier: Apache-2.0 */
/* Divides rows and worlds again between ranks, from measured times and rates. Pure arithmetic.
 *
 * At the start of a run, mass_shares_of_rates makes shares from the rates of devices. Later, mass_repartition_find
 * makes slabs for which all ranks need the same time. It uses the seconds that ranks needed for their present slabs. */
#ifndef MASS_ENGINE_SPLIT_REPARTITION_H
#define MASS_ENGINE_SPLIT_REPARTITION_H

#include "split/share.h"

/* Sets shares[ranks] in proportion to rates[ranks], which are above 0: the highest gets 1000, each at least 1. Returns
 * false if the rates are almost equal; the shares are set then too. */
bool mass_shares_of_rates(const double *rates, int32_t ranks, int32_t *shares);

/* The tolerated ratio of the slowest rank's time to the mean of all ranks. */
extern const double mass_repartition_bound;

enum { MASS_ROW_TIME_BINS = 4096 };

/* Estimates of the time of rows, from the times of slabs. All zero: no estimates yet. */
typedef struct mass_row_times {
    bool known;
    double bins[MASS_ROW_TIME_BINS]; /* along the slab axis of the largest space, each of the same number of rows */
} mass_row_times;

/* Learns from seconds[ranks], the working time of each rank. If the slowest rank is over the bound, it sets
 * before[ranks + 1] to shares for equal times, and returns true. Returns false if the slabs are within the bound, or
 * no better ones are known; before[] may have been changed then. If no rank needed a millisecond, it learns nothing
 * and returns false. */
bool mass_repartition_find(mass_row_times *, const mass_share *share, const mass_model *m, const double *seconds,
                           int64_t *before);

#endif
