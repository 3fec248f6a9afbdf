/* SPDX-License-Identifier: Apache-2.0 */
/* The series that a model declares: each records an expression's value after every step. Main thread. */
#ifndef MASS_ENGINE_TEXT_SERIES_H
#define MASS_ENGINE_TEXT_SERIES_H

#include "model/model.h"

/* Returns true for a valid series name: parts of letters, digits and '_' joined by dots, other than "step" and
 * "world". It has less than 2 * MASS_NAME_SIZE bytes, and its first is no digit. */
bool mass_series_name_valid(const char *name);

/* Adds copies of a series that a plugin declares. Without a name, its expression is its name. Without a unit, it has
 * that of its tally, if it is only one. MASS_BAD_PLUGIN if the name or the expression is invalid, if the name is
 * declared twice, or if a tally is not declared before it. */
mass_status mass_model_add_series(mass_model *m, const mass_series *l, mass_error *error);

#endif
