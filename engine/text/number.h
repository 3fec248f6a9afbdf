/* SPDX-License-Identifier: Apache-2.0 */
/* An exact number from a file, and its conversion to the types of attributes. Pure. */
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

enum { MASS_NUMBER_SIZE = 40 /* bytes of a number as text, with the final zero */ };

/* Formats a number for messages; a real with 9 digits. Returns out. */
const char *mass_number_show(mass_number n, char out[MASS_NUMBER_SIZE]);

/* Reads the whole text as a finite real if `real`, else as a 64-bit integer, which is signed if it starts with '-'. An
 * integer may be written as "5.0" or "1e3". Returns false if the text is neither: then *out is undefined. */
bool mass_number_read(const char *text, bool real, mass_number *out);

/* Reads an attribute's value as mass_number_read does. The text may also be the value's name (model/value_names.h). */
bool mass_number_read_value(const mass_attribute_def *a, const char *text, bool real, mass_number *out);

bool mass_number_is_real(uint32_t type); /* MASS_F32 or MASS_F64 */

/* Returns the element of type `type` at `from`. */
mass_number mass_number_at(uint32_t type, const void *from);

/* Returns the nearest double. */
double mass_number_double(mass_number n);

/* Writes an integer's bits to *out, and returns true if it is from least to most; least is negative or 0. If it is not,
 * *out is written all the same. False for a real, with nothing written. */
bool mass_number_integer(mass_number n, int64_t least, uint64_t most, uint64_t *out);

/* Turns a real that is a 64-bit integer into an integer. Returns false and changes nothing if the real is not one.
 * Returns true for an integer, which stays. */
bool mass_number_make_integer(mass_number *n);

/* Stores a number as an element of type `type` at `to`. Returns false and stores nothing if the type cannot hold it.
 * Integer types take integers only. Real types take finite numbers and round them to the nearest value. */
bool mass_number_store(uint32_t type, mass_number n, void *to);

/* Stores a number as mass_number_store does, but without loss. An integer type also takes a real without a fraction. A
 * real type takes only numbers that it represents exactly; infinities and NaN are allowed, and NaN becomes
 * canonical. */
bool mass_number_store_exactly(uint32_t type, mass_number n, void *to);

#endif
