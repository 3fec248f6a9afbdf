/* SPDX-License-Identifier: Apache-2.0 */
/* The plural of nouns in messages. Pure. */
#ifndef MASS_ENGINE_BASE_PLURAL_H
#define MASS_ENGINE_BASE_PLURAL_H

#include <stdint.h>

/* Returns the ending of a regular noun after a number: "%u world%s". */
static inline const char *mass_plural(uint64_t number) { return number == 1 ? "" : "s"; }

#endif
