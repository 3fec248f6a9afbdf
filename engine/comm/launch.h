/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks on this host, started by the launcher of MPI. */
#ifndef MASS_ENGINE_COMM_LAUNCH_H
#define MASS_ENGINE_COMM_LAUNCH_H

#include "base/error.h"
#include "comm/options.h"

/* Has mpirun start this program, with its own arguments, as so many ranks, waits for their end, and returns their exit
 * status. Ranks that do not find each other within the timeout are ended, and of ranks that take long to do so, a line
 * is said now and then. Signals that ask for an end or for a checkpoint, and were not ignored when the program started,
 * are passed on to the ranks in a form that launchers leave to them: what a launcher is told to end it kills a second
 * later. Ranks that have not found each other then are ended within seconds. A second one ends all at once. Main
 * thread. */
mass_status mass_comm_launch(const mass_comm_options *, char *const arguments[], mass_error *error);

#endif
