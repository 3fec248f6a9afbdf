/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep: the model of a run whose worlds have the parameters of a table's rows. Main thread. */
#ifndef MASS_ENGINE_SWEEP_H
#define MASS_ENGINE_SWEEP_H

#include "command/run/sweep_rows.h"
#include "plugin/host.h"

typedef struct mass_sweep {
    const mass_sweep_rows *rows; /* borrowed */
    const mass_sweep_run *run;   /* one of them */
    mass_csv csv;                /* as that of the rows, at the line that messages name; borrowed */
    int32_t worlds;
    bool sized;    /* the opening's size is the user's */
    bool sizeless; /* a file has yet to set the size of the space: whether agents fit is unknown */
    mass_setting *settings; /* those of all worlds, then those of a row, whose texts have space in `values` */
    uint32_t setting_count, common;
    char **values; /* [rows->columns], each with room for the longest */
    size_t room;
} mass_sweep;

/* Takes the rows of one run. They must name no parameter that the opening sets. The opening then has the settings of
 * the first world, while *out lives. Refusals of the table return MASS_BAD_INPUT. The caller frees *out with
 * mass_sweep_free, also on failure. */
mass_status mass_sweep_take(const mass_sweep_rows *rows, uint32_t run, mass_opening *opening, mass_sweep *out,
                            mass_error *error);
void mass_sweep_free(mass_sweep *sweep); /* may be all zero */

/* Returns the row of a world, counted over the whole table. `world` counts from 0 in the run. */
uint32_t mass_sweep_row(const mass_sweep *sweep, int32_t world);

/* Checks that no parameter of the model has the name of a column for the run itself. */
mass_status mass_sweep_check_own(const mass_sweep_rows *rows, const mass_model *m, mass_error *error);

/* Opens the plugin as mass_host_open does, for all worlds. Refuses what any world would refuse. Also refuses parameters
 * that change more of the model than values for callbacks and numbers of agents. Parameters and constants that differ
 * between worlds are swept in *model. */
mass_status mass_sweep_open(mass_sweep *sweep, mass_engine_host *h, const mass_plugin *plugin, mass_opening *opening,
                            mass_model *model, mass_error *error);

#endif
