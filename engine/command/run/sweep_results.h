/* SPDX-License-Identifier: Apache-2.0 */
/* --results: a sweep whose rows run in groups, each in a process of its own. The results of a group are added to one
 * file when it ends, so that the same command can go on after any interruption. Main thread. */
#ifndef MASS_ENGINE_SWEEP_RESULTS_H
#define MASS_ENGINE_SWEEP_RESULTS_H

#include "command/run/sweep_rows.h"

/* Executes the rows that the file of --results lacks, in the order of the table. With --json, prints what the file has.
 * MASS_INTERRUPTED if a signal has ended it before the last row. */
mass_status mass_sweep_results(const mass_options *o, const mass_sweep_rows *rows, mass_error *error);

#endif
