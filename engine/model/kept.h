/* SPDX-License-Identifier: Apache-2.0 */
/* World attributes: values that each world has, which callbacks over worlds write and all callbacks may read. In the
 * model they are tallies to which nothing contributes (mass_tally_is_kept). Main thread. */
#ifndef MASS_ENGINE_KEPT_H
#define MASS_ENGINE_KEPT_H

#include "model/model.h"

/* Checks the declaration of a world attribute. */
mass_status mass_kept_check(const mass_tally *t, mass_error *error);

/* Finds the world attribute of a field, and checks the field's type. Sets *out. */
mass_status mass_kept_resolve(const mass_model *m, const mass_phase_def *p, const mass_field *f, mass_target *out,
                              mass_error *error);

/* Checks a resolved callback over worlds: it writes a world attribute, and names each that it writes once. Refuses it
 * in a model with a stream. */
mass_status mass_kept_check_phase(const mass_model *m, const mass_phase_def *p, mass_error *error);

/* Returns whether the model has world attributes; whether a callback reads or writes some. */
bool mass_model_keeps(const mass_model *m);
bool mass_callback_has_kept(const mass_callback *c);

#endif
