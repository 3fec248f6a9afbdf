/* SPDX-License-Identifier: Apache-2.0 */
/* Executes a whole run: from options to a result on standard output. */
#ifndef MASS_ENGINE_EXECUTE_H
#define MASS_ENGINE_EXECUTE_H

#include "comm/comm.h"
#include "command/options/options.h"

/* Runs or resumes a model, as rank 0. Returns the exit status; *error says what failed. If a viewer restarts the run,
 * the process becomes the new one. */
mass_status mass_execute(const mass_options *options, mass_comm *comm, mass_error *error);

/* --explain: prepares a run, as rank 0, and prints the operations of its steps. */
mass_status mass_execute_explain(const mass_options *options, mass_comm *comm, mass_error *error);

/* Refuses `ranks` ranks that cannot divide the plugin's spaces. Call it before starting them, which takes time. Rank 0
 * reports all other mistakes, also those that need what is not known yet, as a size that a file has. */
mass_status mass_execute_check_cut(const mass_options *options, int32_t ranks, mass_error *error);

/* Prepares the run as mass_execute would, with the size, worlds, seed and files of the options, in a subprocess, and
 * writes nothing. Calls mass_subprocess_passed once options, parameters and files are right. If the plugin or files
 * fill places, tries that, too. Reports, and returns the exit status. */
int mass_execute_trial(const mass_options *options);

/* --info: opens the plugin and describes it. */
mass_status mass_execute_info(const mass_options *options, mass_error *error);

#endif
