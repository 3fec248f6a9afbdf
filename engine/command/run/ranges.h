/* SPDX-License-Identifier: Apache-2.0 */
/* Declared ranges of attributes where the worlds of a run have parameters of their own: what all of them have. */
#ifndef MASS_ENGINE_RANGES_H
#define MASS_ENGINE_RANGES_H

#include "model/range.h"
#include "plugin/host.h"

typedef struct mass_ranges {
    mass_attribute_def *all; /* only their ranges count; NULL: of no world yet */
    uint32_t count;
} mass_ranges;

/* Adds those of a world's model; all worlds have the same attributes. The caller ends with mass_ranges_free. */
mass_status mass_ranges_add(mass_ranges *r, const mass_model *world, mass_error *error);
/* Gives them to a model, if there are any. */
void mass_ranges_give(const mass_ranges *r, mass_model *m);
void mass_ranges_free(mass_ranges *r); /* all zero is fine */

/* Those of a checkpoint's worlds, whose parameters `opening` has for all alike and stored->parameters by world. Opens
 * the plugin for each; *r stays empty if nothing is swept. */
mass_status mass_ranges_find(mass_ranges *r, mass_engine_host *h, const mass_plugin *plugin,
                             const mass_opening *opening, const mass_model *stored, mass_error *error);

#endif
