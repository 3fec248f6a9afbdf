/* SPDX-License-Identifier: Apache-2.0 */
/* The series that a model declares, each the values of an expression after every step. Main thread. */
#ifndef MASS_ENGINE_TEXT_SERIES_H
#define MASS_ENGINE_TEXT_SERIES_H

#include "model/model.h"

/* Whether a series can have this name: parts of letters, digits and '_', joined by dots; not "step" or "world". */
bool mass_series_name_valid(const char *name);

/* Adds what a plugin declares. MASS_BAD_PLUGIN if the name or the expression is none. */
mass_status mass_model_add_series(mass_model *m, const mass_series *l, mass_error *error);

#endif
