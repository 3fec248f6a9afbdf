/* SPDX-License-Identifier: Apache-2.0 */
/* How this thread computes with floats: as the C standard has it, so that results are the same everywhere. Code that
 * is not ours changes that: a shared object built with -ffast-math does when it is loaded, fesetround does when it is
 * called. Any thread. */
#ifndef MASS_ENGINE_FLOATS_H
#define MASS_ENGINE_FLOATS_H

#include <stdbool.h>

/* Rounds to the nearest, keeps subnormal numbers, and traps nothing. */
void mass_floats_settle(void);

/* Whether that is so. */
bool mass_floats_are_settled(void);

#endif
