/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks that reduce one attribute, of any number type, to a tally over places or agents. They are built like those
 * of plugins; a backend carries their device code. */
#ifndef MASS_REDUCE_H
#define MASS_REDUCE_H

#include <mass/callback.h>

/* Fields of the callbacks, in order: the attribute; these values, as PARAM: the first for interleaved components, the
 * others for a histogram; the tally. A histogram has four tallies: the bins, and the counts below, above and NaN. */
enum {
    MASS_REDUCE_COMPONENT,
    MASS_REDUCE_LOW,
    MASS_REDUCE_HIGH,
    MASS_REDUCE_WIDTH,
    MASS_REDUCE_BINS,
    MASS_REDUCE_VALUES
};
enum { MASS_REDUCE_TALLIES = 4 /* for a histogram */ };

/* Returns the callback of an operation (mass_reduction) for a type, or NULL if the type is not a number. `over` is
 * MASS_OVER_PLACES or MASS_OVER_AGENTS. Bin i of a histogram begins at low + i * width, computed in double. */
const mass_callback *mass_reduce_callback(uint32_t operation, uint32_t type, uint32_t over);

/* Returns the callback of an operation for one of an attribute's `length` interleaved components. NULL unless these are
 * two or three floats or doubles of agents. */
const mass_callback *mass_reduce_component_callback(uint32_t operation, uint32_t type, uint32_t length, uint32_t over);

/* Returns whether the tally accumulates doubles: for means, sums of floats, and extremes that an int64_t may not
 * hold. */
int mass_reduce_is_real(uint32_t operation, uint32_t type);

#endif
