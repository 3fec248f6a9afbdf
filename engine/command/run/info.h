/* SPDX-License-Identifier: Apache-2.0 */
/* --info: a description of a plugin. */
#ifndef MASS_ENGINE_INFO_H
#define MASS_ENGINE_INFO_H

#include "model/model.h"

#include <mass/plugin.h>

typedef struct mass_info {
    const mass_model *model;
    const mass_plugin *entry;
    const char *path, *called; /* called: the name that the user typed, for the example */
    int32_t partitions, worlds;
    int32_t ranks;      /* of the run; below 2: one */
    const int32_t *shares; /* [ranks] weights of ranks, borrowed; NULL: equal parts, or by_edges */
    bool by_edges;      /* the ranks' parts of a network are those of --shares edges */
    int32_t fuse;       /* steps in one pass; 0: as many as a run tries */
    const char *device; /* of the run, or NULL */
    bool json, verbose; /* verbose: also what authors need; JSON always has it */
} mass_info;

/* Prints the description on standard output, for people in lines of 80 columns, or as one JSON object. */
mass_status mass_info_print(const mass_info *info, mass_error *error);

#endif
