/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that ask for an end or a checkpoint may reach any rank, as launchers and users choose. Rank 0, which executes
 * the run, gets them all here. */
#ifndef MASS_ENGINE_COMM_SIGNAL_REDUCTION_H
#define MASS_ENGINE_COMM_SIGNAL_REDUCTION_H

#include "comm/comm.h"

/* Passes to rank 0 what signals have asked the other ranks for since the last call (process/signals.h). All ranks
 * then know if an end is asked for (disk_wait.h). All ranks call it and wait for each other. Main thread. */
mass_status mass_comm_reduce_signals(mass_comm *comm, mass_error *error);

#endif
