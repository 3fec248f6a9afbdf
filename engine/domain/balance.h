/* SPDX-License-Identifier: Apache-2.0 */
/* Slabs that take all ranks as long, from what the present ones took. Pure arithmetic. */
#ifndef MASS_ENGINE_BALANCE_H
#define MASS_ENGINE_BALANCE_H

#include "domain/share.h"

/* So many times what a rank needs in the mean is what the slowest one may need. */
extern const double mass_balance_bound;

/* Where the slowest rank took longer than that: sets before[ranks + 1] to shares by which all would take as long, if a
 * row went on to take what the rows of its slab took in the mean, and returns true. false: slabs are well as they are,
 * or nothing better can be told. seconds: [ranks] that each worked. */
bool mass_balance_find(const mass_share *share, const mass_model *m, const double *seconds, int64_t *before);

#endif
