/* SPDX-License-Identifier: Apache-2.0 */
/* What the worlds of a sweep have of the parameters that it is over. Main thread. */
#ifndef MASS_ENGINE_SWEPT_H
#define MASS_ENGINE_SWEPT_H

#include "model/parameter.h"

/* Whether the user made worlds differ in a parameter; constants of the model may differ for that reason, too. */
bool mass_is_swept(const mass_parameter_slot *slot);

/* Copies these alone, into an empty list, with their names, types, units and values. The caller frees it, also on
 * failure. */
mass_status mass_swept_copy(const mass_parameters *from, mass_parameters *to, mass_error *error);

/* The value of a world, counted from 0, in as few digits as give it again. Returns buffer, or the text of a choice. */
const char *mass_swept_value(const mass_parameter_slot *slot, int32_t world, char buffer[64]);

/* "growback = 2, vision = 3", as much of it as fits into out[room], room > 0; "" where nothing is swept. */
void mass_swept_label(const mass_parameters *list, int32_t world, char *out, size_t room);

/* Whether two worlds have the same of all of them. */
bool mass_swept_same(const mass_parameters *list, int32_t a, int32_t b);

#endif
