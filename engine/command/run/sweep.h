/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep: the model of a run whose worlds have parameters by the rows of a table. Main thread. */
#ifndef MASS_ENGINE_SWEEP_H
#define MASS_ENGINE_SWEEP_H

#include "command/run/sweep_rows.h"
#include "plugin/host.h"

typedef struct mass_sweep {
    const mass_sweep_rows *rows; /* borrowed */
    const mass_sweep_run *run;   /* of them */
    mass_csv csv;                /* as that of the rows, at the line that messages are of; borrowed */
    int32_t worlds;
    bool sized;    /* the opening's size is the user's */
    bool sizeless; /* a file is yet to give the space its size: whether agents fit is not known */
    mass_setting *settings; /* those of all worlds, then a row's; with room for the row's texts */
    uint32_t setting_count, common;
    char (*values)[MASS_SWEEP_VALUE]; /* [rows->columns] */
} mass_sweep;

/* Takes the rows of one run, which have to name parameters that no setting of the opening does. The opening then is
 * that of the first world, as long as *out lives. Refusals of the table are MASS_BAD_INPUT. The caller ends with
 * mass_sweep_free, also on failure. */
mass_status mass_sweep_take(const mass_sweep_rows *rows, uint32_t run, mass_opening *opening, mass_sweep *out,
                            mass_error *error);
void mass_sweep_free(mass_sweep *sweep); /* all zero is fine */

/* The row of a world, of all of the table. */
uint32_t mass_sweep_row(const mass_sweep *sweep, int32_t world);

/* That no parameter of the model is called as a column of the table that is the run's. */
mass_status mass_sweep_check_own(const mass_sweep_rows *rows, const mass_model *m, mass_error *error);

/* As mass_host_open, in every world's place: refuses what one of them would be refused, and parameters that
 * make it another model than values for callbacks and numbers of agents can. Parameters and constants of
 * *model that differ by world are swept. */
mass_status mass_sweep_open(mass_sweep *sweep, mass_engine_host *h, const mass_plugin *plugin, mass_opening *opening,
                            mass_model *model, mass_error *error);

#endif
