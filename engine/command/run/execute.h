/* SPDX-License-Identifier: Apache-2.0 */
/* A whole run: from options to a result on standard output. */
#ifndef MASS_ENGINE_EXECUTE_H
#define MASS_ENGINE_EXECUTE_H

#include "comm/comm.h"
#include "command/options/options.h"

/* Runs or resumes a model, as rank 0. Returns the status to exit with; error says what failed. */
mass_status mass_execute(const mass_options *options, mass_comm *comm, mass_error *error);

/* --explain: sets up as for a run, as rank 0, and prints what the steps would consist of. */
mass_status mass_execute_explain(const mass_options *options, mass_comm *comm, mass_error *error);

/* Before so many ranks are started, which takes its time: refuses those that cannot cut the plugin's spaces. What else
 * is wrong, and what is not known so early, as where the size is that of a file, rank 0 says. */
mass_status mass_execute_check_cut(const mass_options *options, int32_t ranks, mass_error *error);

/* In a subprocess: prepares the run as mass_execute would, with the size, worlds, seed and files that the options name,
 * and writes nothing. Reports by mass_subprocess_passed once options, parameters and files are right, then, if the
 * plugin or files fill places, tries that, too, and reports again. Returns the exit status. */
int mass_execute_trial(const mass_options *options);

/* --info: opens the plugin and describes it. */
mass_status mass_execute_info(const mass_options *options, mass_error *error);

#endif
