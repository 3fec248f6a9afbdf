/* SPDX-License-Identifier: Apache-2.0 */
/* Declared ranges of attributes if worlds have parameters of their own: the union over all worlds. */
#ifndef MASS_ENGINE_RANGES_H
#define MASS_ENGINE_RANGES_H

#include "model/range.h"
#include "plugin/host.h"

typedef struct mass_ranges {
    mass_attribute_def *all; /* only their ranges are used; NULL: no world has been added */
    uint32_t count;
} mass_ranges;

/* Adds the ranges of a world's model. All worlds have the same attributes. The caller frees *r with
 * mass_ranges_free. */
mass_status mass_ranges_add(mass_ranges *r, const mass_model *world, mass_error *error);
/* Sets the ranges of a model, if any have been added. */
void mass_ranges_give(const mass_ranges *r, mass_model *m);
void mass_ranges_free(mass_ranges *r); /* may be all zero */

/* Finds the ranges over a checkpoint's worlds. `opening` has the parameters that all worlds share, stored->parameters
 * those by world. Opens the plugin for each world, by *h. *r, empty before, remains so if nothing is swept. The caller
 * frees it, also on failure. */
mass_status mass_ranges_find(mass_ranges *r, mass_engine_host *h, const mass_plugin *plugin,
                             const mass_opening *opening, const mass_model *stored, mass_error *error);

#endif
