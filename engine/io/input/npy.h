/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy's .npy files, versions 1 to 3: numbers that are little-endian, in C or Fortran order. Pure. */
#ifndef MASS_ENGINE_IO_INPUT_NPY_H
#define MASS_ENGINE_IO_INPUT_NPY_H

#include "io/input/numbers.h"

typedef struct mass_npy {
    uint32_t type, rank;
    uint64_t extent[MASS_NUMBERS_AXES], count;
    bool fortran; /* the first axis varies fastest */
    bool half;    /* the file has floats of 16 bits, which become 32 */
    size_t offset; /* of the numbers in the file, which they fill */
} mass_npy;

/* Bytes of a number in the file. */
size_t mass_npy_number_size(const mass_npy *npy);

/* Reads what a file says of itself. Refusals are MASS_BAD_INPUT; path is what they call it. */
mass_status mass_npy_parse(const char *path, const uint8_t *bytes, size_t size, mass_npy *out, mass_error *error);

/* Copies numbers in Fortran order to row-major order: to[count], as they are in the file. */
void mass_npy_transpose(const mass_npy *npy, const uint8_t *from, uint8_t *to);

/* Makes floats of 32 bits of those of 16, each exactly: to[count]. */
void mass_npy_widen(const uint8_t *from, uint64_t count, float *to);

#endif
