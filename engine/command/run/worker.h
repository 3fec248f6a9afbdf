/* SPDX-License-Identifier: Apache-2.0 */
/* The work of a rank above 0: it opens rank 0's plugin, creates its part of the run, and executes rank 0's calls until
 * the run ends. Main thread. */
#ifndef MASS_ENGINE_COMMAND_WORKER_H
#define MASS_ENGINE_COMMAND_WORKER_H

#include "command/options/options.h"
#include "comm/comm.h"

/* What a rank owns. */
typedef struct mass_worker mass_worker;

/* Creates this rank's part of the run that rank 0 makes. Device and threads are those of the options; all else comes
 * from rank 0. Rank 0 reports failures that all ranks know: then only a status is returned, and *error is empty. *out
 * becomes NULL on failure, and with MASS_OK if there will be no run. The caller ends with mass_worker_free. */
mass_status mass_worker_open(const mass_options *options, mass_comm *comm, mass_worker **out, mass_error *error);

/* Executes rank 0's calls until rank 0 ends that (mass_serve_end). It may be called again. */
mass_status mass_worker_serve(mass_worker *, mass_error *error);

void mass_worker_free(mass_worker *); /* accepts NULL */

/* Opens a worker, serves rank 0's calls, and frees the worker. Standard output stays lent. */
mass_status mass_worker_run(const mass_options *options, mass_comm *comm, mass_error *error);

#endif
