/* SPDX-License-Identifier: Apache-2.0 */
/* The series that a model declares: each records an expression's value after every step. Main thread. */
#ifndef MASS_ENGINE_TEXT_SERIES_H
#define MASS_ENGINE_TEXT_SERIES_H

#include "model/model.h"

/* Returns true for a valid series name: parts of letters, digits and '_' joined by dots, other than "step" and
 * "world". */
bool mass_series_name_valid(const char *name);

/* Adds a series that a plugin declares. Without a name, its expression is its name. MASS_BAD_PLUGIN if the name or the
 * expression is invalid, or if the name is declared twice. */
mass_status mass_model_add_series(mass_model *m, const mass_series *l, mass_error *error);

#endif
