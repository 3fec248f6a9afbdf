/* SPDX-License-Identifier: Apache-2.0 */
/* The values of swept parameters in the worlds of a run. Main thread. */
#ifndef MASS_ENGINE_SWEPT_H
#define MASS_ENGINE_SWEPT_H

#include "model/parameter.h"

/* Returns whether the user made worlds differ in a parameter. Constants of the model may then differ too, but are not
 * swept. */
bool mass_is_swept(const mass_parameter_slot *slot);

/* Copies only the swept parameters into an empty list, with their names, types, units and values. The caller frees it,
 * also on failure. */
mass_status mass_swept_copy(const mass_parameters *from, mass_parameters *to, mass_error *error);

/* Returns the value of a swept parameter in a world, counted from 0, in the fewest digits that give it exactly: in
 * buffer, or the text of a choice. */
const char *mass_swept_value(const mass_parameter_slot *slot, int32_t world, char buffer[64]);

/* Writes "growback = 2, vision = 3", as much as fits into out[room], room > 0; "" if nothing is swept. */
void mass_swept_label(const mass_parameters *list, int32_t world, char *out, size_t room);

/* Returns whether two worlds have the same values of all swept parameters. */
bool mass_swept_same(const mass_parameters *list, int32_t a, int32_t b);

#endif
