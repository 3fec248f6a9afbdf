/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep: a table of parameters, one row a world. Main thread. */
#ifndef MASS_ENGINE_SWEEP_H
#define MASS_ENGINE_SWEEP_H

#include "core/file.h"
#include "io/input/csv.h"
#include "plugin/host.h"

typedef struct mass_sweep {
    mass_file file;
    mass_csv csv;
    mass_csv_field *fields; /* [worlds][csv.columns] */
    int32_t worlds;
    bool sized;    /* the opening's size is the user's */
    bool sizeless; /* a file is yet to give the space its size: whether agents fit is not known */
    mass_setting *settings; /* those of all worlds, then a row's; with room for the row's texts */
    uint32_t setting_count, common;
    char (*names)[MASS_NAME_SIZE], (*values)[256]; /* [csv.columns] */
} mass_sweep;

/* Reads the file, which has to name parameters that no setting of the opening does. The opening then is that of
 * the first world, as long as *out lives. Refusals of the file are MASS_BAD_INPUT. The caller ends with
 * mass_sweep_free, also on failure. */
mass_status mass_sweep_read(const char *path, mass_opening *opening, mass_sweep *out, mass_error *error);
void mass_sweep_free(mass_sweep *sweep); /* all zero is fine */

/* As mass_host_open, in every world's place: refuses what one of them would be refused, and parameters that
 * make it another model than values for callbacks and numbers of agents can. Parameters and constants of
 * *model that differ by world are swept. */
mass_status mass_sweep_open(mass_sweep *sweep, mass_engine_host *h, const mass_plugin *plugin, mass_opening *opening,
                            mass_model *model, mass_error *error);

#endif
