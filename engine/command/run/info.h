/* SPDX-License-Identifier: Apache-2.0 */
/* --info: what a plugin is and takes. */
#ifndef MASS_ENGINE_INFO_H
#define MASS_ENGINE_INFO_H

#include "model/model.h"

#include <mass/plugin.h>

typedef struct mass_info {
    const mass_model *model;
    const mass_plugin *entry;
    const char *path, *called; /* called: what the user calls it, for the example */
    int32_t partitions, worlds;
    int32_t fuse;       /* steps in one pass; 0: as many as a run tries */
    const char *device; /* of the run, or NULL */
    bool json, verbose; /* verbose: with what authors want to know; JSON has all of it anyway */
} mass_info;

/* On standard output, for people in lines of 80 columns or as one JSON object. */
mass_status mass_info_print(const mass_info *info, mass_error *error);

#endif
