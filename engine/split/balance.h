/* SPDX-License-Identifier: Apache-2.0 */
/* Slabs that take all ranks as long, from what those took that they had so far. Pure arithmetic. */
#ifndef MASS_ENGINE_BALANCE_H
#define MASS_ENGINE_BALANCE_H

#include "split/share.h"

/* So many times what ranks need in the mean is what the slowest one may need. */
extern const double mass_balance_bound;

enum { MASS_BALANCE_BINS = 4096 };

/* What rows are thought to take, from what slabs took. All zero: nothing is known yet. */
typedef struct mass_balance {
    bool known;
    double bins[MASS_BALANCE_BINS]; /* along the slab axis of the largest space, of as many rows each */
} mass_balance;

/* Learns from the seconds[ranks] that each rank worked. Where the slowest needed longer than that, it sets
 * before[ranks + 1] to shares by which all would need as long, and returns true. false: slabs are well as they are, or
 * nothing better can be told. */
bool mass_balance_find(mass_balance *b, const mass_share *share, const mass_model *m, const double *seconds,
                       int64_t *before);

#endif
