/* SPDX-License-Identifier: Apache-2.0 */
/* How random cases are divided among ranks. */
#ifndef MASS_TESTS_MODELS_CASES_RANKS_H
#define MASS_TESTS_MODELS_CASES_RANKS_H

#include "cases.h"
#include "run.h"

/* Returns options for 2 to `most` ranks, whose partitions divide so many rows, of equal and of other shares. Whole
 * worlds stay where they are. */
static inline const char *draw_ranks(dice *d, int64_t rows, int worlds, int most)
{
    const int64_t ranks = roll(d, 2, most), fit = rows / ranks;
    const int partitions = (int)roll(d, 1, fit < 3 ? fit : 3);
    const char *options = text("--ranks %d --partitions %d", (int)ranks, partitions);
    if (roll(d, 0, 2) == 0 && worlds < ranks) options = text("%s --rebalance 1", options);
    if (roll(d, 0, 1)) return options;
    for (int64_t r = 0; r < ranks; r++) options = text("%s%s%d", options, r ? "," : " --shares ", (int)roll(d, 1, 9));
    return options;
}

#endif
