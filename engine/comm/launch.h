/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks on this host, started by the launcher of MPI. */
#ifndef MASS_ENGINE_COMM_LAUNCH_H
#define MASS_ENGINE_COMM_LAUNCH_H

#include "comm/open.h"

#include <signal.h>

/* In the environment of ranks, the process that called mass_comm_launch. Ranks send it a signal, which is ignored where
 * nobody waits for it, with what it is to know: rank 0, once it takes signals and all ranks have been found; and a rank
 * that says why all end. */
#define MASS_COMM_STARTED_BY "MASS_STARTED_BY"
#define MASS_COMM_NEWS SIGURG
enum { MASS_COMM_READY, MASS_COMM_SAID };

/* In the environment of ranks, the file that takes the results of rank 0, which that process prints. */
#define MASS_COMM_RESULTS "MASS_RESULTS"

/* Has mpirun start this program, with its own arguments, as so many ranks, waits for their end, and returns their exit
 * status. Ranks that do not find each other within the timeout are ended, and of ranks that take long to do so, a line
 * is said now and then. Signals that ask for an end or for a checkpoint, and were not ignored when the program started,
 * are passed on to the ranks in a form that launchers leave to them: what a launcher is told to end it kills a second
 * later. Ranks that have not found each other then are ended within seconds. A second one ends all at once. Main
 * thread. */
mass_status mass_comm_launch(const mass_comm_options *, char *const arguments[], mass_error *error);

#endif
