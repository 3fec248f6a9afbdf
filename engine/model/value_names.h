/* SPDX-License-Identifier: Apache-2.0 */
/* The names that a model gives to the values of an attribute. Pure. */
#ifndef MASS_ENGINE_VALUE_NAMES_H
#define MASS_ENGINE_VALUE_NAMES_H

#include "model/model.h"

/* Takes the names of a declaration, once type and range of *def are there. MASS_BAD_PLUGIN if the attribute is not of
 * integers, or its range has another number of values, or two have the same name. */
mass_status mass_value_names_declare(const mass_attribute *a, mass_attribute_def *def, mass_error *error);
void mass_value_names_free(mass_attribute_def *def);

/* The name of a value; NULL: it has none. */
const char *mass_value_name(const mass_attribute_def *a, double value);

/* The integer that a text is the name of. False: it is none. */
bool mass_value_of_name(const mass_attribute_def *a, const char *name, int64_t *out);

enum { MASS_NAMED_TEXT = 200 /* bytes */ };

/* What refusals add where values have names: ", nor one of the names empty, tree, fire", or nothing. */
const char *mass_value_names_list(const mass_attribute_def *a, char out[MASS_NAMED_TEXT]);

/* The name of the only value that a bin of a histogram counts; NULL: it has none, or counts several. */
const char *mass_bin_name(const mass_model *m, uint32_t tally, uint32_t bin);

/* The name of what a tally came to that is the least or the greatest value of an attribute; NULL: it is not, or has
 * none. */
const char *mass_tally_value_name(const mass_model *m, uint32_t tally, double value);

#endif
