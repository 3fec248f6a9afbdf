/* SPDX-License-Identifier: Apache-2.0 */
/* How rows and worlds are divided again between ranks, from times and rates that were measured. Pure arithmetic.
 *
 * At the start of a run, mass_shares_of_rates makes shares from how fast devices are. Later, mass_repartition_find
 * makes slabs that take all ranks as long, from the seconds that ranks needed for the slabs that they had. */
#ifndef MASS_ENGINE_SPLIT_REPARTITION_H
#define MASS_ENGINE_SPLIT_REPARTITION_H

#include "split/share.h"

/* Sets shares[ranks] in proportion to rates[ranks], which are above 0. Returns false if the rates are almost equal. */
bool mass_shares_of_rates(const double *rates, int32_t ranks, int32_t *shares);

/* The slowest rank may need this many times the mean of all ranks. */
extern const double mass_repartition_bound;

enum { MASS_ROW_TIME_BINS = 4096 };

/* Estimates of what rows take, learnt from what slabs took. All zero: nothing is known yet. */
typedef struct mass_row_times {
    bool known;
    double bins[MASS_ROW_TIME_BINS]; /* along the slab axis of the largest space, of as many rows each */
} mass_row_times;

/* Learns from seconds[ranks], how long each rank worked. If the slowest rank is over the bound, it sets
 * before[ranks + 1] to shares by which all would need as long, and returns true. Returns false if slabs are good as
 * they are, or if no better ones are known. */
bool mass_repartition_find(mass_row_times *, const mass_share *share, const mass_model *m, const double *seconds,
                           int64_t *before);

#endif
