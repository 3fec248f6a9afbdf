/* SPDX-License-Identifier: Apache-2.0 */
/* Readers of decimal numbers as users write them. On failure they leave *out untouched and return false. Pure. */
#ifndef MASS_ENGINE_TEXT_DECIMAL_H
#define MASS_ENGINE_TEXT_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* Read the whole string: neither blanks nor trailing text are allowed. Only mass_read_f64 takes a '+'. */
bool mass_read_i64(const char *text, int64_t *out);
bool mass_read_u64(const char *text, uint64_t *out);
bool mass_read_f64(const char *text, double *out); /* finite numbers only; hexadecimals too */

/* Reads an integer such as "1000", "-7", "5.0", "1e6" or "2.5e3". A fraction is allowed if it is 0 or if the exponent
 * makes the number whole. The result is exact: no double is used. Returns false for a negative exponent, or if an
 * int64_t cannot hold the number. */
bool mass_read_whole(const char *text, int64_t *out);

#endif
