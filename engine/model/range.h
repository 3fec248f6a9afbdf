/* SPDX-License-Identifier: Apache-2.0 */
/* The range of values that an attribute declares. Values from outside, in files, are checked against it. Pure. */
#ifndef MASS_ENGINE_RANGE_H
#define MASS_ENGINE_RANGE_H

#include "model/model.h"

enum { MASS_RANGE_TEXT = 64 };

/* Takes the range of a declaration; both ends 0 mean none. Type and default of *def must be set. Bits get none. Returns
 * MASS_BAD_PLUGIN if the range is empty, if the default is outside, if the attribute is a struct, or if a range of bits
 * lacks 0 or 1. */
mass_status mass_range_declare(const mass_attribute *a, mass_attribute_def *def, mass_error *error);

/* Widens the range of *a to include the other's, if worlds of one run differ. No range if either has none. */
void mass_range_widen(mass_attribute_def *a, const mass_attribute_def *other);

/* Returns the index of the first of `count` values, consecutive components, that is outside; count if none is, or if
 * there is no range. NaN is outside of every range. */
size_t mass_range_find(const mass_attribute_def *a, const void *values, size_t count);

/* Returns a value for people, perhaps rounded. The attribute has numbers, not bits or structs. */
double mass_range_value(const mass_attribute_def *a, const void *value);

/* Sets the ends of a range, which the attribute must have, as values of its type that are in it: bits of an int64_t; of
 * a double for floats; a uint64_t for MASS_U64. */
void mass_range_ends(const mass_attribute_def *a, uint64_t *low, uint64_t *high);

/* Writes the range, which the attribute must have: "0 to 1", "at least 0", "at most 1" or "a number". Returns text. */
const char *mass_range_show(const mass_attribute_def *a, char text[MASS_RANGE_TEXT]);

#endif
