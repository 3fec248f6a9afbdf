/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers as people write them: "1000", "-7", "1e6", "2.5e3". Pure. */
#ifndef MASS_ENGINE_TEXT_WHOLE_H
#define MASS_ENGINE_TEXT_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

/* Reads a whole string: digits, which an exponent may follow, and a fraction before that if the exponent makes it
 * whole. Exact: no double is in between. On failure, as for what an int64_t does not hold, *out is untouched. */
bool mass_read_whole(const char *text, int64_t *out);

#endif
