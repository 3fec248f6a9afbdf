/* SPDX-License-Identifier: Apache-2.0 */
/* Starts ranks on this host by MPI's launcher. */
#ifndef MASS_ENGINE_COMM_LAUNCH_H
#define MASS_ENGINE_COMM_LAUNCH_H

#include "base/error.h"
#include "comm/options.h"

/* Starts this program with its own arguments (main's, with a NULL at the end) as `ranks` ranks, by mpirun; waits for
 * their end; prints rank 0's results; returns their exit status. Ends ranks that do not connect to each other within
 * the timeout, and tells the user now and then if that takes long.
 *
 * Passes signals that ask for an end or a checkpoint on to the ranks, unless they were ignored when the program
 * started. It passes them in a form that the launcher does not act on: told to end, the launcher kills the ranks a
 * second later. After such a signal, ranks that are not yet connected end within seconds. A second signal ends all at
 * once. Main thread. */
mass_status mass_comm_launch(const mass_comm_options *, char *const arguments[], mass_error *error);

#endif
