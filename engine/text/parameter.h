/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and formats the values of parameters. Main thread. */
#ifndef MASS_ENGINE_TEXT_PARAMETER_H
#define MASS_ENGINE_TEXT_PARAMETER_H

#include "model/parameter.h"

/* Returns the parameter name most like `name`, other than a constant's; NULL: no name is similar enough. Borrowed. */
const char *mass_parameters_nearest(const mass_parameters *list, const char *name);

/* Sets a parameter from the user's text, and marks it as given. MASS_BAD_USAGE if the text is not of its type or not in
 * its range. On failure the slot is unchanged. */
mass_status mass_parameter_set(mass_parameter_slot *slot, const char *text, mass_error *error);

/* Formats a value so that mass_parameter_set reads it back to the same bits. Returns buffer or slot->text. */
const char *mass_parameter_format(const mass_parameter_slot *slot, char buffer[64]);

#endif
