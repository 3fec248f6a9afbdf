/* SPDX-License-Identifier: Apache-2.0 */
/* The work of a rank above 0: it opens rank 0's plugin, creates its part of the run, and executes rank 0's calls until
 * the run ends. Main thread. */
#ifndef MASS_ENGINE_COMMAND_WORKER_H
#define MASS_ENGINE_COMMAND_WORKER_H

#include "command/options/options.h"
#include "comm/comm.h"

/* Runs a rank. It takes device and threads from the options; all else comes from rank 0. Failures that all ranks know
 * are reported by rank 0: then only a status is returned, and *error is empty. */
mass_status mass_worker_run(const mass_options *options, mass_comm *comm, mass_error *error);

#endif
