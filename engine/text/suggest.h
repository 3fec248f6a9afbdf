/* SPDX-License-Identifier: Apache-2.0 */
/* Suggests a name of the model for a name that the model does not have. Pure. */
#ifndef MASS_ENGINE_SUGGEST_H
#define MASS_ENGINE_SUGGEST_H

#include "model/model.h"

enum { MASS_SUGGESTION_SIZE = 2 * MASS_NAME_SIZE }; /* bytes of two names, a dot and the final zero */

/* Writes the tally name most like `name` to out, as in expressions: "births", "ants.alive", "step" or "steady". Writes
 * "" if no name is similar enough. Returns out. */
const char *mass_suggest_tally(const mass_model *m, const char *name, char out[MASS_SUGGESTION_SIZE]);

/* Writes the attribute name most like `name` to out, as --load and --tally write it: "health" for the first space,
 * "ants.wealth" for other owners. Considers agents' attributes only if `agents`. `name` without an owner matches the
 * attribute of any owner. Writes "" if no name is similar enough. Returns out. */
const char *mass_suggest_attribute(const mass_model *m, const char *name, bool agents, char out[MASS_SUGGESTION_SIZE]);

/* Returns the attribute whose name mass_suggest_attribute wrote; NULL for another text. */
const mass_attribute_def *mass_suggestion_attribute(const mass_model *m, const char *suggestion);

#endif
