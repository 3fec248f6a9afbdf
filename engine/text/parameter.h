/* SPDX-License-Identifier: Apache-2.0 */
/* Values of parameters as people write them, and as this program writes them. Main thread. */
#ifndef MASS_ENGINE_TEXT_PARAMETER_H
#define MASS_ENGINE_TEXT_PARAMETER_H

#include "model/parameter.h"

/* The name of the parameter that may be meant by one that is none; NULL: no name is near. */
const char *mass_parameters_nearest(const mass_parameters *list, const char *name);

/* Sets a value from what the user wrote; MASS_BAD_USAGE if it is not of the type or in the range. */
mass_status mass_parameter_set(mass_parameter_slot *slot, const char *text, mass_error *error);

/* The value as mass_parameter_set reads it back to the same bits. Returns buffer or slot->text. */
const char *mass_parameter_format(const mass_parameter_slot *slot, char buffer[64]);

#endif
