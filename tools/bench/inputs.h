/* SPDX-License-Identifier: Apache-2.0 */
/* Files to count, of known kinds. */
#ifndef MASS_BENCH_INPUTS_H
#define MASS_BENCH_INPUTS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Random bytes; words of a language that does not exist, the k-th most frequent of 50,000 with a probability in
 * proportion to 1 / k (Zipf's law), between blanks and in lines; one byte, over and over; random 30-bit numbers; one
 * of those, over and over. */
typedef enum bench_input {
    BENCH_UNIFORM, BENCH_TEXT, BENCH_ONE_BYTE, BENCH_NUMBERS, BENCH_ONE_NUMBER
} bench_input;

/* Fills `bytes` bytes, a multiple of 4. */
mass_status bench_input_make(bench_input kind, void *data, size_t bytes, mass_error *error);
/* Writes data to a file in a folder, whose name is put into path. The caller unlinks it. */
mass_status bench_input_save(const char *folder, const void *data, size_t bytes, char path[], size_t room,
                             mass_error *error);

#endif
