/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of phases, when the fields of all phases are resolved. */
#ifndef MASS_ENGINE_MODEL_CONDITIONS_H
#define MASS_ENGINE_MODEL_CONDITIONS_H

#include "model/model.h"

/* Marks the tallies that conditions look at (.needed): they are counted in each step. Refuses a condition on a tally
 * that no earlier phase of the same schedule counts, and one of a phase that cannot be left out. */
mass_status mass_conditions_check(mass_model *m, mass_error *error);

#endif
