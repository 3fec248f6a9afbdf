/* SPDX-License-Identifier: Apache-2.0 */
/* How this thread computes with floats: as the C standard says, so that results are the same everywhere. Foreign code
 * may change that: loading a shared object built with -ffast-math does, and so does a call of fesetround. Any
 * thread. */
#ifndef MASS_ENGINE_FLOATS_H
#define MASS_ENGINE_FLOATS_H

#include <stdbool.h>

/* Sets rounding to nearest, keeps subnormal numbers, and disables traps. */
void mass_floats_settle(void);

/* Returns whether these settings are in force. */
bool mass_floats_are_settled(void);

#endif
