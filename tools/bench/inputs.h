/* SPDX-License-Identifier: Apache-2.0 */
/* Makes files of known kinds to count. */
#ifndef MASS_BENCH_INPUTS_H
#define MASS_BENCH_INPUTS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* The kinds:
 * - UNIFORM: random bytes.
 * - TEXT: words of an invented language, between blanks and in lines. The k-th most frequent of 50,000 has a
 * probability in proportion to 1 / k (Zipf's law).
 * - ONE_BYTE: one byte, repeated.
 * - NUMBERS: random 30-bit numbers.
 * - ONE_NUMBER: one of those, repeated. */
typedef enum bench_input {
    BENCH_UNIFORM, BENCH_TEXT, BENCH_ONE_BYTE, BENCH_NUMBERS, BENCH_ONE_NUMBER
} bench_input;

/* Fills data with `bytes` bytes, a multiple of 4. */
mass_status bench_input_make(bench_input kind, void *data, size_t bytes, mass_error *error);
/* Writes data to a file in a folder, and its path to path. The caller unlinks it. */
mass_status bench_input_save(const char *folder, const void *data, size_t bytes, char path[], size_t room,
                             mass_error *error);

#endif
