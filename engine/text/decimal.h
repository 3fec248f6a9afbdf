/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as people write them. On failure *out is untouched. Pure. */
#ifndef MASS_ENGINE_TEXT_DECIMAL_H
#define MASS_ENGINE_TEXT_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* Strict readers of whole strings: no blanks, no trailing text. */
bool mass_read_i64(const char *text, int64_t *out);
bool mass_read_u64(const char *text, uint64_t *out);
bool mass_read_f64(const char *text, double *out); /* finite numbers only */

/* A whole number, as "1000", "-7", "5.0", "1e6" and "2.5e3": digits, which an exponent may follow, and a fraction
 * before that if it is 0 or the exponent makes it whole. Exact: no double is in between. What an int64_t does not hold
 * is none. */
bool mass_read_whole(const char *text, int64_t *out);

#endif
