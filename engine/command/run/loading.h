/* SPDX-License-Identifier: Apache-2.0 */
/* All that --load asks for. Main thread. */
#ifndef MASS_ENGINE_LOADING_H
#define MASS_ENGINE_LOADING_H

#include "command/options/options.h"
#include "io/checkpoint/checkpoint.h"
#include "io/input/load.h"

typedef struct mass_loading {
    mass_load *loads;
    uint32_t count;
} mass_loading;

/* Reads and checks every file, notes it among the inputs, and leaves out of the model's start what would overwrite
 * it. The caller ends with mass_loading_free, also on failure. */
mass_status mass_loading_read(const mass_options *o, mass_model *m, int32_t worlds, mass_loading *out,
                              mass_inputs *inputs, mass_error *error);

/* Sets the attributes, and gives the memory back. */
mass_status mass_loading_apply(mass_loading *l, mass_domain *d, mass_error *error);

/* The size that the first space has to have for the first file of one of its attributes: *dimensions stays 0 where
 * there is none, or where the file does not say. *load: which --load that is. */
mass_status mass_loading_size(const mass_options *o, const mass_model *m, int32_t worlds, mass_gidx size[3],
                              uint32_t *dimensions, uint32_t *load, mass_error *error);

void mass_loading_free(mass_loading *l); /* all zero is fine */

#endif
