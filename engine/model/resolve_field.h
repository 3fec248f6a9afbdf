/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves a field of a callback: from its name to an array, a parameter or a tally. Main thread. */
#ifndef MASS_ENGINE_RESOLVE_FIELD_H
#define MASS_ENGINE_RESOLVE_FIELD_H

#include "model/model.h"

/* Resolves field i of a phase by its access: sets p->targets[i], which must be there. Notes in the model scattered
 * writes, arrays of children and sprouts, races, and tallies that are read; and in the phase, what it tallies. Fails
 * with a message if there is no such thing, or if its type does not fit. */
mass_status mass_phase_resolve_field(mass_model *m, mass_phase_def *p, uint32_t i, mass_error *error);

#endif
