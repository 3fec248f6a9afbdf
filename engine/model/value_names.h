/* SPDX-License-Identifier: Apache-2.0 */
/* Names that a model gives to the values of an attribute. Pure. */
#ifndef MASS_ENGINE_VALUE_NAMES_H
#define MASS_ENGINE_VALUE_NAMES_H

#include "model/model.h"

/* Takes the names of a declaration. Type and range of *def must be set. Returns MASS_BAD_PLUGIN if the attribute does
 * not have integers, if its range has another number of values, or if two values have the same name. On failure the
 * caller calls mass_value_names_free. */
mass_status mass_value_names_declare(const mass_attribute *a, mass_attribute_def *def, mass_error *error);
void mass_value_names_free(mass_attribute_def *def);

/* Returns the name of a value, or NULL. */
const char *mass_value_name(const mass_attribute_def *a, double value);

/* Sets *out to the integer with a name. Returns false if there is none. */
bool mass_value_of_name(const mass_attribute_def *a, const char *name, int64_t *out);

enum { MASS_NAMED_TEXT = 200 /* bytes */ };

/* Writes the end of an error message if values have names: ", nor one of the names empty, tree, fire"; else "".
 * Names that do not fit become ", ...". Returns out. */
const char *mass_value_names_list(const mass_attribute_def *a, char out[MASS_NAMED_TEXT]);

/* Returns the name of the only value that a bin of a histogram counts. NULL: it has no name, the bin counts several
 * named values, or the tally is no histogram of a reduction. */
const char *mass_bin_name(const mass_model *m, uint32_t tally, uint32_t bin);

/* Returns the name of a tally's value, if the tally is the least or the greatest value of an attribute; else NULL. */
const char *mass_tally_value_name(const mass_model *m, uint32_t tally, double value);

#endif
