/* SPDX-License-Identifier: Apache-2.0 */
/* Which name of a model somebody may have meant who wrote one that it does not have. Pure. */
#ifndef MASS_ENGINE_MEANT_H
#define MASS_ENGINE_MEANT_H

#include "model/model.h"

enum { MASS_MEANT_SIZE = 2 * MASS_NAME_SIZE }; /* bytes of two names with a dot between them, and the end */

/* A tally, as expressions write it: "births", "ants.alive", and also "step" and "steady". "" if none is near. Returns
 * out. */
const char *mass_meant_tally(const mass_model *m, const char *name, char out[MASS_MEANT_SIZE]);

/* An attribute of places or, if `agents`, of agents, as --load and --tally write it: "health" of the first space,
 * "ants.wealth" of others. One that is spelt right, but belongs to another, is near. "" if none is. Returns out. */
const char *mass_meant_attribute(const mass_model *m, const char *name, bool agents, char out[MASS_MEANT_SIZE]);

#endif
