/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks that reduce one attribute to a tally, over places or agents, whatever its number type. They are made as
 * those of plugins are, and a backend carries their device code. */
#ifndef MASS_REDUCE_H
#define MASS_REDUCE_H

#include <mass/callback.h>

/* Fields of the callbacks in their order: the attribute; of a histogram these values, as PARAM; and the tally, of a
 * histogram the bins and what lies below, above, and is NaN. */
enum { MASS_REDUCE_LOW, MASS_REDUCE_HIGH, MASS_REDUCE_WIDTH, MASS_REDUCE_BINS, MASS_REDUCE_VALUES };
enum { MASS_REDUCE_TALLIES = 4 /* of a histogram */ };

/* Bin i of a histogram begins at low + i * width, computed in double. NULL for a type that is no number. Operations
 * are those of mass_reduction, over is MASS_OVER_PLACES or MASS_OVER_AGENTS. */
const mass_callback *mass_reduce_callback(uint32_t operation, uint32_t type, uint32_t over);

/* Whether its tally takes doubles: sums of floats, and least and greatest values that an int64_t may not hold. */
int mass_reduce_is_real(uint32_t operation, uint32_t type);

#endif
