/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks on this host, started by the launcher of MPI. */
#ifndef MASS_ENGINE_COMM_LAUNCH_H
#define MASS_ENGINE_COMM_LAUNCH_H

#include "core/error.h"

#include <stdint.h>

/* Has mpirun start this program, with its own arguments, as `ranks` ranks, waits for their end, and returns their exit
 * status. Signals that ask for an end or for a checkpoint are passed on to the ranks in a form that launchers leave to
 * them: what a launcher is told to end it kills a second later. A second one ends all at once. Main thread. */
mass_status mass_comm_launch(int32_t ranks, char *const arguments[], mass_error *error);

#endif
