/* SPDX-License-Identifier: Apache-2.0 */
/* Reads NumPy's .npy files, versions 1 to 3: little-endian numbers in C or Fortran order. Pure. */
#ifndef MASS_ENGINE_IO_INPUT_NPY_H
#define MASS_ENGINE_IO_INPUT_NPY_H

#include "io/input/numbers.h"

typedef struct mass_npy {
    uint32_t type, rank;
    uint64_t extent[MASS_NUMBERS_AXES], count;
    bool fortran; /* the first axis varies fastest */
    bool half;    /* the file has 16-bit floats, which are converted to 32 bits */
    bool truth;   /* truth values, each a byte */
    size_t offset; /* of the numbers, which extend to the end of the file */
} mass_npy;

/* Returns the bytes of a number in the file. */
size_t mass_npy_number_size(const mass_npy *npy);

/* Reads the file's header. Errors are MASS_BAD_INPUT, and *out is untouched then; path: the file's name in messages. */
mass_status mass_npy_parse(const char *path, const uint8_t *bytes, size_t size, mass_npy *out, mass_error *error);

/* Copies numbers from Fortran order to row-major order: to[count], in the file's type. */
void mass_npy_transpose(const mass_npy *npy, const uint8_t *from, uint8_t *to);

/* Converts 16-bit floats to 32 bits, each exactly: to[count]. */
void mass_npy_widen(const uint8_t *from, uint64_t count, float *to);

#endif
