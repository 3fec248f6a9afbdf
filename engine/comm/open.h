/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the ranks of a run. A process alone is one rank and opens no library. Several ranks, which a launcher has
 * started, connect by MPI. Main thread. */
#ifndef MASS_ENGINE_COMM_OPEN_H
#define MASS_ENGINE_COMM_OPEN_H

#include "comm/comm.h"
#include "comm/options.h"

/* Opens the communicator, once in a process. The caller closes it. A failure that all ranks have alike is reported by
 * one rank of each host: on the others `error` is empty and only the returned status tells. Once several ranks are
 * open, a failure between them, or the end of any rank, ends them all with one line. */
mass_status mass_comm_open(const mass_comm_options *, mass_comm **out, mass_error *error);

/* Returns whether --ranks asks this process to start ranks (comm/launch.h), and no launcher started it. */
bool mass_comm_is_to_launch(const mass_comm_options *);

/* Returns whether the MPI module was built with this program. */
bool mass_comm_has_mpi(void);

/* Checks that the MPI module is installed and can be opened. MASS_NO_DEVICE if not. */
mass_status mass_comm_check_installed(mass_error *error);

#endif
