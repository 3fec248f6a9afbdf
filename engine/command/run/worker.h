/* SPDX-License-Identifier: Apache-2.0 */
/* What a rank above 0 does: it opens the plugin that rank 0 names, holds its share of the run, and does what rank 0
 * calls for, until that ends. Main thread. */
#ifndef MASS_ENGINE_COMMAND_WORKER_H
#define MASS_ENGINE_COMMAND_WORKER_H

#include "command/options/options.h"
#include "comm/comm.h"

/* Of the options it takes the device and its threads; all else comes from rank 0, which tells the user of failures that
 * all ranks know of: of these there is a status, and no text. */
mass_status mass_worker_run(const mass_options *options, mass_comm *comm, mass_error *error);

#endif
