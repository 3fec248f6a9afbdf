/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep whose rows need several runs, as they have their own seeds, steps or sizes. This program executes itself for
 * each run, one after the other. Main thread. */
#ifndef MASS_ENGINE_SWEEP_RUNS_H
#define MASS_ENGINE_SWEEP_RUNS_H

#include "command/run/sweep_rows.h"

/* Reads the table of --sweep, if it is given, into *rows, and sets *several if its rows need several runs. In one of
 * these runs, with --resume, and on ranks above 0, it does neither. Refuses several runs with --view or under a
 * launcher, unless --results is given. The caller frees *rows, also on failure. */
mass_status mass_sweep_is_several(const mass_options *o, mass_sweep_rows *rows, bool *several, mass_error *error);

/* Executes all runs. Stops after the first that fails or is interrupted, which has reported why, and returns its
 * status. */
mass_status mass_sweep_runs(const mass_options *o, const mass_sweep_rows *rows, mass_error *error);

#endif
