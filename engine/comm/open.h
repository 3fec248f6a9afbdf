/* SPDX-License-Identifier: Apache-2.0 */
/* The ranks that this process is one of. Alone it is all of them, and no library is opened; where a launcher has
 * started several, they find each other by MPI. Main thread. */
#ifndef MASS_ENGINE_COMM_OPEN_H
#define MASS_ENGINE_COMM_OPEN_H

#include "comm/comm.h"
#include "comm/options.h"

/* Once in a process. The caller closes it. What is wrong on all ranks alike is said on one of each host: on the others
 * `error` is empty then, and only what is returned tells. Once several ranks are open, what fails between them ends
 * them all, with one line; and so does the end of any. */
mass_status mass_comm_open(const mass_comm_options *, mass_comm **out, mass_error *error);

/* Whether --ranks asks this process, which no launcher started, to start ranks (comm/launch.h). */
bool mass_comm_is_to_launch(const mass_comm_options *);

/* Whether the module for MPI was built with this program. */
bool mass_comm_has_mpi(void);

/* What several ranks need is installed and can be opened; or why not. */
mass_status mass_comm_check_installed(mass_error *error);

#endif
