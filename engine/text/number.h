/* SPDX-License-Identifier: Apache-2.0 */
/* A number of a file, exactly, and whether an attribute can hold it. Pure. */
#ifndef MASS_ENGINE_TEXT_NUMBER_H
#define MASS_ENGINE_TEXT_NUMBER_H

#include "model/model.h"

#include <stdbool.h>

typedef struct mass_number {
    enum { MASS_NUMBER_SIGNED, MASS_NUMBER_UNSIGNED, MASS_NUMBER_REAL } kind;
    union {
        int64_t i;
        uint64_t u;
        double f;
    };
} mass_number;

enum { MASS_NUMBER_SIZE = 40 /* bytes of one for people, with its end */ };

/* Returns out. */
const char *mass_number_show(mass_number n, char out[MASS_NUMBER_SIZE]);

/* Reads a whole text: a finite real, or an integer of 64 bits, signed if it starts with '-'. An integer may be written
 * as "5.0" or "1e3". */
bool mass_number_read(const char *text, bool real, mass_number *out);

/* The same of an attribute's value, which may also be its name (model/value_names.h). */
bool mass_number_read_value(const mass_attribute_def *a, const char *text, bool real, mass_number *out);

bool mass_number_is_real(uint32_t type); /* MASS_F32 or MASS_F64 */

/* The number at `from`, an element of a type. */
mass_number mass_number_at(uint32_t type, const void *from);

/* The nearest double. */
double mass_number_double(mass_number n);

/* An integer from least to most, where most is not below 0. False for a real. */
bool mass_number_integer(mass_number n, int64_t least, uint64_t most, uint64_t *out);

/* Makes a real that is an integer of 64 bits one. False, and nothing changed, if it is another real. */
bool mass_number_make_integer(mass_number *n);

/* Writes an element of a type to `to`. False, and nothing written, if it has no such value. Integers have to be
 * given as integers; reals are finite, and become the nearest of their type. */
bool mass_number_store(uint32_t type, mass_number n, void *to);

/* The same without any loss: a real without a fraction may be an integer, a float has to be the very number, and
 * infinities and NaN, made canonical, are floats too. */
bool mass_number_store_exactly(uint32_t type, mass_number n, void *to);

#endif
