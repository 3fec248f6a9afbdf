/* SPDX-License-Identifier: Apache-2.0 */
/* The values that an attribute is declared to have: checked where they come from outside, in files. Pure. */
#ifndef MASS_ENGINE_RANGE_H
#define MASS_ENGINE_RANGE_H

#include "model/model.h"

enum { MASS_RANGE_TEXT = 64 };

/* Takes the range of a declaration, both 0 being none, once type and default of *def are there. MASS_BAD_PLUGIN if
 * there is nothing between, if the default lies outside, or if it is a struct's. */
mass_status mass_range_declare(const mass_attribute *a, mass_attribute_def *def, mass_error *error);

/* Makes the range of *a what both have, where worlds of one run differ; none if either has none. */
void mass_range_widen(mass_attribute_def *a, const mass_attribute_def *other);

/* The first of `count` values, components in a row, that lies outside; count if none does, or there is no range. No
 * range holds NaN. */
size_t mass_range_find(const mass_attribute_def *a, const void *values, size_t count);

/* A value for people, nearly. */
double mass_range_value(const mass_attribute_def *a, const void *value);

/* Its ends as values of its type: bits of int64_t, of floats those of double, of MASS_U64 numbers. */
void mass_range_ends(const mass_attribute_def *a, uint64_t *low, uint64_t *high);

/* "0 to 1", "at least 0", "at most 1", "a number". Returns text. */
const char *mass_range_show(const mass_attribute_def *a, char text[MASS_RANGE_TEXT]);

#endif
