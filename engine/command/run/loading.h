/* SPDX-License-Identifier: Apache-2.0 */
/* The files of --load. Main thread. */
#ifndef MASS_ENGINE_LOADING_H
#define MASS_ENGINE_LOADING_H

#include "command/options/options.h"
#include "io/checkpoint/checkpoint.h"
#include "io/input/load.h"

typedef struct mass_loading {
    mass_load *loads;
    uint32_t count;
    const char *sized; /* the --load whose file gives the size; NULL: there is none */
} mass_loading;

/* Reads and checks every file for a run of so many worlds, and records it among the inputs. Removes phases of the
 * model's start that would overwrite it. Keeps out->sized. The caller frees *out with mass_loading_free, also on
 * failure. */
mass_status mass_loading_read(const mass_options *o, mass_model *m, int32_t worlds, mass_loading *out,
                              mass_inputs *inputs, mass_error *error);

/* Sets the attributes and frees the memory, also on failure. */
mass_status mass_loading_apply(mass_loading *l, mass_domain *d, mass_error *error);

/* Finds the size of the first space from the first file that has one and is for its attributes. *dimensions has to be
 * 0, and stays so if there is no such file. Stores the index of its --load in *load, which means nothing without
 * one. */
mass_status mass_loading_size(const mass_options *o, const mass_model *m, int32_t worlds, mass_gidx size[3],
                              uint32_t *dimensions, uint32_t *load, mass_error *error);

void mass_loading_free(mass_loading *l); /* may be all zero */

#endif
